/// A task is the work done, a contender is one way of doing it;
/// all contenders of a task must give the same answer.
#ifndef RIFFLE_BENCH_DATA_CONTENDER_HPP
#define RIFFLE_BENCH_DATA_CONTENDER_HPP

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <riffle/options.hpp>
#include <riffle/parallel.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace riffle::bench {

/// The work done. Every task adds over several files: its answer is the sum of the files' answers.
enum class task : std::uint8_t {
  gc,     ///< count the bytes c, C, g and G; no sum
  lines,  ///< count lines (a last one without a newline too) and sum their lengths without the newline
  words,  ///< count runs of bytes that are not C-locale white space; no sum
  ints,   ///< Lemire's arrays (an int32 length, then so many int32): count arrays; even elements added once,
          ///< odd twice
  primes  ///< count 64-bit values and sum them, modulo 2^64
};

inline constexpr std::array all_tasks{task::gc, task::lines, task::words, task::ints, task::primes};

/// "gc", "lines", "words", "ints" or "primes".
std::string_view name_of(task which) noexcept;
/// The task of that name; nothing when there is none.
std::optional<task> task_named(std::string_view name) noexcept;
/// One clause that completes "words: ...", for headings.
std::string_view description_of(task which) noexcept;

/// Where the contenders of a program come from: "nvwa's line and byte readers (Wu Yongwei, 2016 and 2017)".
/// Empty for a program that is not known.
std::string_view origin_of(std::string_view program) noexcept;

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

/// One way of doing a task, opening and closing the files included.
struct contender {
  bench::task task{};
  std::string name;         // unique within its task and program
  std::string program;      // the published program it comes from, or "riffle" or "limit"
  std::string method;       // how the bytes get into memory: "read", "stdio", "mmap", "process", ...
  std::string description;  // one line
  // Throws, naming the file, when it cannot finish. No answer: it only sets a limit, there is nothing to
  // check.
  std::function<std::optional<answer>(input_files)> run;
  // Says why it cannot run on these files here, or nothing. Empty: it always can.
  std::function<std::optional<std::string>(input_files)> unavailable = {};
  std::size_t block_size = 0;  // bytes that it asks for at a time; 0: its own choice, or it has none
  unsigned threads = 1;

  /// "program/name", which the globs of `--contender` match.
  [[nodiscard]] std::string id() const { return program + "/" + name; }
};

/// What is varied of the contenders.
struct contender_options {
  read_options reading = {};  // for riffle's own rows; a method named here is the only one they use
  std::vector<std::size_t> block_sizes = {};  // riffle's rows once for each; empty: reading.block_size
  std::vector<unsigned> threads = {1};  // riffle's rows and the limit once for each; the others have one
};

/// Every contender of a task, the limits first. What the limits keep in memory is freed with the vector.
std::vector<contender> contenders_of(task which, const contender_options& options);

/// Does `glob` (`*` and `?`) match all of `text`?
bool matches_glob(std::string_view glob, std::string_view text) noexcept;

// One published program each, and riffle's own. Each appends its contenders of the task.
void add_limit(task which, const contender_options& options, std::vector<contender>& to);
void add_nvwa(task which, std::vector<contender>& to);
void add_ioaccess(task which, std::vector<contender>& to);
void add_mapped(task which, std::vector<contender>& to);
void add_wordcount(task which, std::vector<contender>& to);
void add_processes(task which, std::vector<contender>& to);
void add_riffle(task which, const contender_options& options, std::vector<contender>& to);

/// A contender that treats one file at a time, as a line of a table.
struct row {
  const char* name;
  const char* method;
  const char* description;
  answer (*one)(const std::filesystem::path&);
  std::size_t block_size = 0;
};

/// How a task's input is split among threads.
parallel_options splitting_of(task which, unsigned threads);

/// Appends a contender for each row.
void add_rows(task which, std::string_view program, std::span<const row> rows, std::vector<contender>& to);

/// The sum of the answers of `one` over all files: how nearly every contender treats several files.
template <class One>
std::function<answer(input_files)> each_file(One one) {
  return [one](input_files files) {
    answer total;
    for (const std::filesystem::path& file : files) total += one(file);
    return total;
  };
}

}  // namespace riffle::bench

#endif
