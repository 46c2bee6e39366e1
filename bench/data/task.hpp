/// A task is the work done; every contender of a task must give the same answer. And one timed run, with what
/// it used of the machine beside its time; what several amount to; and the result.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace riffle::bench {

// ---- what stands for the values of an enumeration in texts and reports, and the value of a name

struct named_value {
  std::string_view name;
  std::string_view description = {};  // one clause, for headings; empty if no heading has it
};

/// The values of an enumeration, in its order. Each enumeration that has names specialises it.
template <class Enum>
inline constexpr std::array<named_value, 0> named_values{};

template <class Enum>
concept has_names = !named_values<Enum>.empty();

template <has_names Enum>
constexpr std::string_view name_of(Enum value) {
  return named_values<Enum>.at(static_cast<std::size_t>(value)).name;
}

template <has_names Enum>
constexpr std::string_view description_of(Enum value) {
  return named_values<Enum>.at(static_cast<std::size_t>(value)).description;
}

/// The value of that name; nothing if there is none.
template <has_names Enum>
std::optional<Enum> value_named(std::string_view name) noexcept {
  const auto found = std::ranges::find(named_values<Enum>, name, &named_value::name);
  if (found == named_values<Enum>.end()) return std::nullopt;
  return static_cast<Enum>(found - named_values<Enum>.begin());
}

// ---- tasks

/// The work done. Every task adds over several files: its answer is the sum of the files' answers.
enum class task : std::uint8_t {
  gc,      ///< count the bytes c, C, g and G; no sum
  lines,   ///< count lines (a last one without a newline too) and sum their lengths without the newline
  words,   ///< count runs of bytes that are not C-locale white space; no sum
  ints,    ///< Lemire's arrays (an int32 length, then so many int32): count arrays; even elements added once,
           ///< odd twice
  primes,  ///< count 64-bit values and sum them, modulo 2^64
  commands  ///< run commands of the user's: the bytes of their output, and its digest
};

/// Those that the benchmark has contenders for.
inline constexpr std::array all_tasks{task::gc, task::lines, task::words, task::ints, task::primes};

template <>
inline constexpr std::array<named_value, all_tasks.size() + 1> named_values<task>{{
    {"gc", "count c, C, g and G"},
    {"lines", "count lines and sum their lengths"},
    {"words", "count words"},
    {"ints", "weigh arrays of 32-bit integers"},
    {"primes", "count and sum 64-bit values"},
    {"commands", "run each from its start to its end"},
}};

/// Where the bytes are when a run begins.
enum class cache_mode : std::uint8_t {
  hot,      ///< in the page cache, put there by reading: readahead makes large folios
  written,  ///< in the page cache, put there by writing
  cold      ///< on the device: evicted before every run
};

inline constexpr std::array all_cache_modes{cache_mode::hot, cache_mode::written, cache_mode::cold};

/// Whether the bytes are in the page cache when a run begins; else each run waits for the device.
constexpr bool is_cached(cache_mode mode) noexcept {
  return mode == cache_mode::hot || mode == cache_mode::written;
}

template <>
inline constexpr std::array<named_value, all_cache_modes.size()> named_values<cache_mode>{{
    {"hot", "in the page cache, filled by reading"},
    {"written", "in the page cache, filled by writing"},
    {"cold", "evicted from the page cache before every run"},
}};

struct answer {
  std::uint64_t count = 0;
  std::uint64_t sum = 0;
  friend bool operator==(const answer&, const answer&) = default;
  answer& operator+=(const answer& other) noexcept {
    count += other.count;
    sum += other.sum;
    return *this;
  }
  friend answer operator+(answer a, const answer& b) noexcept { return a += b; }
};

using input_files = std::span<const std::filesystem::path>;

// ---- samples

/// What was used, child processes included: by one run in a
/// `sample`, and since some fixed moment if a `meter` gives it.
struct usage {
  double user_seconds = 0;
  double system_seconds = 0;
  double minor_faults = 0;     // pages that were in memory, but not in the mapping
  double major_faults = 0;     // pages that had to be read
  double bytes_read = 0;       // from storage, that is: past the page cache
  double peak_memory = 0;      // bytes, of a process that was run; 0: unknown
  double delayed_seconds = 0;  // that the main thread was ready to run, and others ran; 0: unknown
};

/// One timed run. If a contender is so fast that several runs are timed together, their mean.
struct sample {
  unsigned round = 0;  // 0: the first run, which counts if it is long
  double seconds = 0;
  bench::usage usage = {};
  bool failed = false;  // a command that did not end well, and counts all the same
};

/// From `low` to `high`, both included.
struct interval {
  double low = 0;
  double high = 0;
  friend bool operator==(const interval&, const interval&) = default;
};

/// What a contender's timed runs amount to; all in the unit of the values.
struct summary {
  double median = 0;
  double min = 0;
  double max = 0;
  double mad = 0;                // median absolute deviation
  std::optional<interval> ci95;  // of the median; nothing: fewer than 6 values
  std::size_t samples = 0;
};

/// `wrong`: its answer differs from the one that most contenders gave.
enum class outcome : std::uint8_t { measured, unavailable, failed, wrong };
template <>
inline constexpr std::array<named_value, 4> named_values<outcome>{
    {{"measured"}, {"unavailable"}, {"failed"}, {"wrong"}}};

/// `samples` has its timed runs in order; `reason` is empty if it was measured.
struct result {
  bench::outcome outcome = outcome::measured;
  std::vector<sample> samples = {};
  std::optional<bench::answer> answer = {};
  std::string reason = {};
  bool settled = false;          // its 95 % interval is narrow
  unsigned runs_per_sample = 1;  // timed together, if one run is too short
};

}  // namespace riffle::bench
