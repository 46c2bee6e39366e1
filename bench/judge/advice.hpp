/// Measures the candidates for reading one input side by
/// side, and judges the automatic choice by their times.
#ifndef RIFFLE_BENCH_JUDGE_ADVICE_HPP
#define RIFFLE_BENCH_JUDGE_ADVICE_HPP

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <riffle/methods.hpp>
#include <string>
#include <vector>

#include "bench/data/cache_mode.hpp"
#include "bench/measure/rounds.hpp"

namespace riffle::bench {

/// Of a longer file only the start is measured: more than any cache of the processor holds, and little enough
/// for many rounds in a few seconds.
inline constexpr std::uint64_t most_measured = std::uint64_t{256} << 20U;

/// A candidate for reading an input: a method with its options.
struct way {
  read_options reading;
  bench::contender contender;  // counts one byte's occurrences, and all bytes
};

/// Returns automatic, labelled with the method that it chooses ("automatic (mmap)"), each other method that
/// can read such an input here, and the block sizes of read and mmap that differ at its size. A method
/// without options comes before the same method with options.
std::vector<way> ways_to_read(const facts& known);

/// What will be measured of one file, resolved once.
struct advice_plan {
  std::vector<way> ways;
  std::vector<std::filesystem::path> files;  // one
  riffle::method chosen{};                   // by automatic
  cache_mode cache{};
  std::uint64_t bytes = 0;  // that each run reads
  round_options rounds;     // the seconds that were asked for, or those that such a size needs
};

/// The plan for a file that can be measured. `seconds`: nothing leaves the time to its size.
advice_plan plan_advice(const std::filesystem::path& file, const facts& known, cache_mode cache,
                        std::optional<double> seconds);

/// Why the candidates cannot be compared on this input, with the remedy; nothing if they can.
std::optional<std::string> cannot_measure(const std::filesystem::path& file, const facts& known);

/// A candidate and the summary of its runs.
struct tried {
  std::string label;  // "automatic (mmap)", "read 64K", "mmap whole"
  read_options reading;
  bench::result result;
  summary seconds;  // of result.samples

  [[nodiscard]] bool measured() const { return result.outcome == outcome::measured && seconds.samples > 0; }
};

/// Runs the candidates in interleaved rounds, in the order of `ways`.
std::vector<tried> try_ways(const std::vector<way>& ways, input_files files, const round_options& options,
                            const round_hooks& hooks);

/// `lost`: by more than 5 %. `undecided`: there were too few rounds to see a loss. `failed`: automatic could
/// not be measured, or a candidate gave a wrong answer.
enum class advised : std::uint8_t { right, lost, undecided, failed };

struct advice {
  std::string text;  // one sentence
  advised outcome = advised::right;
  /// The place of the candidate that is faster than automatic beyond the noise; nothing: there is none.
  std::optional<std::size_t> faster = {};
  /// How each compares with automatic; a ratio above 1: it takes longer. Empty: automatic was not measured.
  std::vector<difference> against_automatic = {};
};

/// Judges the automatic choice, which was `chosen`. Of several faster candidates that do not differ among
/// themselves, the first is advised. A pure function.
advice judge(const std::vector<tried>& all, method chosen);

/// The table, at most 80 columns wide, from the fastest to the slowest, and what could not be measured and
/// why. `bytes` were read in each run.
void print_tried(const std::vector<tried>& all, const advice& given, std::uint64_t bytes, std::ostream& out);

/// "riffle::lines(path, {.method = riffle::method::mmap, .block_size = 4 << 20})"
std::string as_code(const read_options& reading);
/// "--method mmap --block-size 4M"
std::string as_flags(const read_options& reading);

}  // namespace riffle::bench

#endif
