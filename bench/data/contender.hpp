/// A contender does a task by a method. Its role and its method decide which limits bind it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <riffle/methods.hpp>
#include <string>
#include <string_view>

#include "bench/data/task.hpp"

namespace riffle::bench {

/// What a contender stands for.
enum class role : std::uint8_t {
  limit,      ///< what a part of the work takes alone; never ranked
  riffle,     ///< riffle itself
  published,  ///< a published program, or one that is installed here
  command     ///< a command of the user's
};

/// Where the contenders of a program come from: "nvwa's line and byte readers (Wu Yongwei, 2016 and 2017)".
/// Empty for a program that is not known.
std::string_view origin_of(std::string_view program) noexcept;

/// The limits that are measured in the same rounds.
enum class limit_kind : std::uint8_t { scan, copy, device, decode };
template <>
inline constexpr std::array<named_value, 4> named_values<limit_kind>{
    {{"scan"}, {"copy"}, {"device"}, {"decode"}}};

/// Returns riffle's method of a name; null for "automatic", and for what only others have.
const method_info* method_of(std::string_view name) noexcept;

/// One way of doing a task, opening and closing the files included.
struct contender {
  bench::task task{};
  std::string name;     // unique within its task and program, but for what is varied
  std::string program;  // the published program it comes from, or "riffle" or "limit"
  bench::role role = role::published;
  // How the bytes get into memory: a method of riffle's by name, "memory" or "process".
  std::string method = "automatic";
  std::string description = {};  // one line
  // Throws, naming the file, if it cannot finish. No answer: it only sets a limit, there is nothing to check.
  std::function<std::optional<answer>(input_files)> run = {};
  // Says why it cannot run on these files here, or nothing. Empty: it always can.
  std::function<std::optional<std::string>(input_files)> unavailable = {};
  // Frees what it keeps of the input in memory. Called behind the rounds, before other files are read.
  std::function<void()> forget = {};
  std::optional<limit_kind> sets = {};  // the limit that it measures; of the role `limit`, and only of it
  std::size_t block_size = 0;           // bytes that it asks for at a time; 0: its own choice, or it has none
  unsigned queue_depth = 0;             // reads in flight that it asks for; 0: its own choice, or it has none
  unsigned threads = 1;
  // What its last run took, if it measures that itself.
  std::shared_ptr<const sample> own = {};
  // Says how its output differs from that of the contender of this name, its own from run to run included.
  std::function<std::string(std::string_view other)> difference = {};
  double wanted =
      0;  // how many times as fast riffle's first contender of the table should be; 0: nothing is wanted
  bool for_storage = false;  // it differs from others only if runs wait for storage: not run on cached files

  /// "program/name", which the globs of `--contender` match.
  [[nodiscard]] std::string id() const { return program + "/" + name; }
};

}  // namespace riffle::bench
