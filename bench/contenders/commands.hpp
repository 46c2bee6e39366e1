/// Contenders that are processes: commands, which are started for each run, and workers, which stay.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/data/contender.hpp"
#include "bench/host/command.hpp"

namespace riffle::bench {

/// What of its output is compared.
enum class compared : std::uint8_t {
  all,     ///< as a number, if it is one but for white space around it; else each byte
  places,  ///< numbers of its last line
  none
};

/// A process that does a task.
struct process {
  os::program program;
  bool stays =
      false;  // a worker: for each line "run" it writes "NANOSECONDS PEAK_BYTES ANSWER" or "error TEXT"
  bool takes_files = false;  // after its words
  bench::compared compared = compared::all;
  std::vector<std::size_t> places = {};  // of these numbers, if they are compared; 0 is the first
  double most_seconds = 100;             // for one run
  bool ignore_failure = false;           // a run that fails counts
};

/// The words that run a line of sh(1).
std::vector<std::string> words_of_shell(std::string line);

/// The processes of one race, which are run one at a time.
class processes {
 public:
  processes();
  /// Gives a contender, whose name is not that of an earlier one, what makes it run.
  contender contender_of(contender one, process how);
  /// Starts now what later starts the commands: their peak is never below the memory that this process has by
  /// then.
  void get_ready() const;
  /// Those of another race, with the same starters.
  [[nodiscard]] processes next() const;
  /// Whether there is one of this name.
  [[nodiscard]] bool has(std::string_view name) const;

 private:
  using launchers = std::array<os::launcher, 2>;  // the second one only to compare
  struct racer;
  using racers = std::map<std::string, racer, std::less<>>;

  std::shared_ptr<launchers> starters_ = std::make_shared<launchers>();
  std::shared_ptr<racers> racers_;
};

}  // namespace riffle::bench
