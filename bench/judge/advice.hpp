/// Whether the automatic choice is right for one input can be measured on that input: the ways of reading it
/// that matter, side by side, and a judgement that is a function of their times.
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

/// Of a longer file its start is measured: enough to be beyond every cache of the processor, and little
/// enough for many rounds in a few seconds.
inline constexpr std::uint64_t most_measured = std::uint64_t{256} << 20U;

/// One way of reading an input.
struct way {
  read_options reading;
  bench::contender contender;  // counts one byte's occurrences, and all bytes
};

/// Automatic, which is called by the method that it chooses too ("automatic (mmap)"), each other method that
/// takes such an input here, and those block sizes of read and mmap that make a difference at its size.
/// Methods without their options come before the same with them.
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

/// Why the ways cannot be compared on this input, as a sentence with the remedy; nothing when they can.
std::optional<std::string> cannot_measure(const std::filesystem::path& file, const facts& known);

/// A way, and what its runs amount to.
struct tried {
  std::string label;  // "automatic (mmap)", "read 64K", "mmap whole"
  read_options reading;
  bench::result result;
  summary seconds;  // of result.samples

  [[nodiscard]] bool measured() const { return result.outcome == outcome::measured && seconds.samples > 0; }
};

/// Runs the ways in interleaved rounds, in the order of `ways`.
std::vector<tried> try_ways(const std::vector<way>& ways, input_files files, const round_options& options,
                            const round_hooks& hooks);

/// `lost`: by more than 5 %. `undecided`: there were too few rounds to see a loss. `failed`: automatic could
/// not be measured, or somebody gave a wrong answer.
enum class advised : std::uint8_t { right, lost, undecided, failed };

struct advice {
  std::string text;  // one sentence
  advised outcome = advised::right;
  /// The place of the way that is faster than automatic beyond the noise; nothing: there is none.
  std::optional<std::size_t> faster = {};
  /// How each compares with automatic; a ratio above 1: it takes longer. Empty: automatic was not measured.
  std::vector<difference> against_automatic = {};
};

/// Judges the automatic choice, which was `chosen`. Of several ways that are faster and do not differ among
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
