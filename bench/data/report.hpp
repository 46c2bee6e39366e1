/// What is raced, and what was measured: tasks, contenders, their answers, and the report of all.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <riffle/methods.hpp>
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

/// What a contender stands for.
enum class role : std::uint8_t {
  limit,      ///< what a part of the work takes alone; never ranked
  riffle,     ///< riffle itself
  earlier,    ///< an earlier build of riffle
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

/// Returns a decimal number in the one form that its value has: "2e-1" for "0.20", ".2" and "+2E-1". Nothing
/// if the text is something else than one number, but for white space around it.
std::optional<std::string> number_in(std::string_view text);

/// Returns the runs of digits at these places of a line, 0 for the first, as one text: "12 7". Nothing if it
/// has fewer.
std::optional<std::string> digits_in(std::string_view line, std::span<const std::size_t> places);

/// The answer of an empty text, which is not that of the number 0.
inline constexpr answer no_text{0, 1};

/// Appends a part of a text to an answer that is its size and its digest, from `no_text` on. Every part but
/// the last has the same size.
void add_part(answer& to, std::string_view part);

/// A whole number of 64 bits is the count, and the sum is 0; any other text is its size and its digest, in
/// the one form if it is a number.
answer answer_of(std::string_view text);

/// Text is empty, and numbers 0, if the OS does not tell.
struct machine {
  std::string processor = {};
  unsigned processors = 0;               // that this process may run on
  unsigned processors_online = 0;        // of the machine
  std::vector<std::string> caches = {};  // "L1d 32 KiB", "L2 1 MiB", "L3 35.8 MiB"
  std::uint64_t memory_available = 0;    // bytes, as the run began
  std::string os_release = {};           // "Linux 6.18.0"
  std::string governor = {};             // of the processor's frequency: "performance"
  std::string file_system = {};          // that holds the input: "ext4"
  std::string device = {};               // the block device: "vda (virtio, not rotational)"
  std::uint64_t read_ahead = 0;          // bytes
  std::string compiler = {};             // "g++ 12.2.0"
  std::string flags = {};                // that riffle was compiled with: "-O3 -DNDEBUG"
  std::string version = {};              // of riffle
  std::string active_kernel = {};        // "avx2 kernels": the SIMD kernels that riffle uses
};

/// What the machine can do at most with one thread, by the limits of all rounds; nothing if it was not
/// measured.
struct limits {
  std::optional<double> ram_scan = {};  // bytes a second: memory that is mapped, read once
  std::optional<double> ram_copy = {};  // bytes a second: memory copied into a buffer that stays in the cache
  std::optional<double> device = {};    // bytes a second: O_DIRECT, by the best of several deep queues
};

/// The limit that binds a contender: the slowest of those that it cannot avoid.
struct binding_limit {
  limit_kind kind{};
  double seconds = 0;  // that the limit took for the same bytes
};

/// "ioaccess/read"; the name alone without a program, or of a peer, which names itself.
std::string prefixed(std::string_view program, std::string_view name);

/// One contender's result on one input.
struct measurement {
  std::string name = {};
  std::string program = {};
  bench::role role = role::published;
  std::string method = "automatic";
  std::string label = {};  // the name, with what was varied: "read 64K x2"; unique within program and report
  std::string description = {};
  std::optional<limit_kind> sets = {};  // the limit that it measured; nothing: it is no limit
  std::size_t block_size = 0;           // 0: its own choice, or it has none
  unsigned queue_depth = 0;             // likewise
  unsigned threads = 1;
  double wanted = 0;  // as of the contender
  bench::result result = {};
  summary seconds = {};                     // of result.samples
  bench::usage usage = {};                  // the medians of result.samples
  std::optional<binding_limit> limit = {};  // nothing: it is a limit, or none was measured

  [[nodiscard]] bool measured() const { return result.outcome == outcome::measured && seconds.samples > 0; }
  [[nodiscard]] bool is_limit() const { return role == bench::role::limit; }
  /// Whether it has figures that are judged.
  [[nodiscard]] bool competes() const { return measured() && !is_limit(); }
  /// limit seconds / own seconds, 0 to about 1; nothing without a limit.
  [[nodiscard]] std::optional<double> of_limit() const {
    if (!limit || seconds.median <= 0) return std::nullopt;
    return limit->seconds / seconds.median;
  }
};

/// One task on one input in one state of the cache. `lines` are the limits first, then the measured ones from
/// the fastest to the slowest, then the others.
struct task_report {
  bench::task task{};
  std::string name = {};     // "gc", "newlines"
  std::string title = {};    // what is done: "count newlines"
  std::string base = {};     // the label of the contender that a plan compares the others with; empty: none
  double round_seconds = 0;  // what a round of all contenders takes; 0: unknown
  double seconds = 0;        // that it was given; 0: unknown
  double share = 1;          // of the time that is asked for
  unsigned rounds = 0;       // the most that it was given; 0: unknown
  std::string input = {};
  std::size_t files = 0;
  std::uint64_t bytes = 0;
  bool made = false;  // by us; false: the user's
  cache_mode cache = cache_mode::hot;
  std::optional<double> faults_per_mib = {};  // of a mapping walked page by page; see machine.hpp
  std::vector<measurement> lines = {};
};

/// 10^9 bytes a second; 0 if nothing was measured.
inline double gb_per_s(const task_report& table, const measurement& line) {
  return line.seconds.median > 0 ? static_cast<double>(table.bytes) * 1e-9 / line.seconds.median : 0;
}

/// Returns whether there are many files, and to open them takes longer than to read them.
inline bool has_small_files(const task_report& table) {
  constexpr std::size_t many = 100;
  constexpr std::uint64_t small = 16 << 10;
  return table.files >= many && table.bytes / table.files < small;
}

/// What a table compares: 10^9 bytes a second; of many small files, files a second; without files, runs.
inline double speed_of(const task_report& table, const measurement& line) {
  const double runs = line.seconds.median > 0 ? 1 / line.seconds.median : 0;
  if (has_small_files(table)) return static_cast<double>(table.files) * runs;
  return table.bytes > 0 ? gb_per_s(table, line) : runs;
}
inline std::string_view speed_unit_of(const task_report& table) {
  if (has_small_files(table)) return "files/s";
  return table.bytes > 0 ? "GB/s" : "runs/s";
}

/// A whole run of the benchmark.
struct report {
  std::string title = "riffle bench";
  std::string started = {};  // "2026-11-21T10:00:00Z"
  std::uint64_t seed = 0;
  machine facts = {};
  bench::limits limits = {};
  double load = 0;          // of others, as it began
  double stolen_share = 0;  // of the run's time, by the host
  bool complete = true;
  std::string stopped_by = {};  // why it is not complete: "interrupted", or a failure
  std::vector<task_report> tasks = {};
};

/// What may make a result wrong, and what to do about it. One of a kind stands for all that it concerns.
struct warning {
  std::string name = {};  // for programs: "unsteady"
  std::vector<std::string> tasks = {};
  std::vector<std::string> inputs = {};
  std::vector<std::string> contenders = {};  // "gc riffle/read"
  std::string text = {};                     // one sentence: the problem
  std::string remedy = {};                   // one sentence
};

}  // namespace riffle::bench
