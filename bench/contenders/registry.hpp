/// The contenders of each task: registered functions, commands, which are started for each run, and workers,
/// which stay.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <riffle/options.hpp>
#include <riffle/parallel.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/data/report.hpp"
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

/// What is varied of the contenders.
struct contender_options {
  read_options reading = {};  // for riffle's contenders; a method named here is the only one they use
  std::vector<std::size_t> block_sizes = {};  // riffle's contenders once for each; empty: reading.block_size
  std::vector<unsigned> threads = {
      1};  // riffle's contenders and the limit once for each; the others have one
  std::vector<std::vector<std::string>> commands = {};  // of the task `commands`, as os::command takes them
  bool any_output = false;                              // they may write different output
  bool ignore_failure = false;                          // a run that fails counts
  double most_seconds = 100;                            // for one run of a command
};

/// Every contender of a task, the limits first: those that decode files of `reading.decode` if
/// that is a format.
std::vector<contender> contenders_of(task which, const contender_options& options);

/// Returns whether `glob` (`*` and `?`) matches all of `text`.
bool matches_glob(const std::string& glob, const std::string& text);

// Each appends its contenders of the task.
void add_decoded(task which, const contender_options& options, std::vector<contender>& to);
void add_limit(task which, const contender_options& options, std::vector<contender>& to);
void add_decode_limit(task which, const contender_options& options, std::vector<contender>& to);
void add_text_programs(task which, std::vector<contender>& to);
void add_readahead(task which, std::vector<contender>& to);
void add_value_programs(task which, std::vector<contender>& to);
void add_commands(const contender_options& options, std::vector<contender>& to);
void add_processes(task which, std::vector<contender>& to);
void add_riffle(task which, const contender_options& options, std::vector<contender>& to);

/// The C++ statements, on one line, that do the task on `path` as riffle's contender of that name, method and
/// number of threads does. A name that riffle does not have stands for the main form of the task. `options`:
/// "{.method = ...}", or empty.
std::string code_of(task which, std::string_view name, std::string_view method, unsigned threads,
                    std::string_view options);

/// Loops as they were published, which read nothing and so have no answer to give: `contenders_of` leaves
/// them out, as they join no race.
void add_walks(task which, std::vector<contender>& to);

using by = riffle::method;  // for rows: "fread", by::stdio

/// A contender that treats one file at a time, as a line of a table.
struct contender_row {
  const char* name;
  riffle::method method;
  const char* description;
  answer (*one)(const std::filesystem::path&);
  std::size_t block_size = 0;
  std::optional<std::string> (*unavailable)(input_files) = nullptr;  // as of a contender
};

/// For `contender_row::unavailable`: the files cannot be read past the page cache.
std::optional<std::string> no_direct(input_files files);

/// Appends a contender for each row.
void add_rows(task which, std::string_view program, std::span<const contender_row> rows,
              std::vector<contender>& to, bool for_storage = false);

/// The sum of the answers of `one` over all files: how nearly every contender treats several files.
template <class One>
std::function<answer(input_files)> each_file(One one) {
  return [one = std::move(one)](input_files files) {
    answer total;
    for (const std::filesystem::path& file : files) total += one(file);
    return total;
  };
}

}  // namespace riffle::bench
