/// The verdict on a table in two or three sentences, as a function of what was measured.
#ifndef RIFFLE_BENCH_JUDGE_VERDICT_HPP
#define RIFFLE_BENCH_JUDGE_VERDICT_HPP

#include <cstdint>
#include <string>

#include "bench/data/report.hpp"

namespace riffle::bench {

/// How the automatic choice did against the contenders with one thread. `slower`: by over 5 %. `undecided`:
/// it cannot be told from the fastest, or it has too few runs. `unknown`: it was not measured.
enum class automatic_choice : std::uint8_t { unknown, right, slower, undecided };

struct verdict {
  /// Sentences on one line: which method is fastest and why, whether automatic found it, and whose the code
  /// is.
  std::string text = {};
  std::string of_automatic = {};  // the part of the text about the automatic choice; empty: not measured
  automatic_choice automatic = automatic_choice::unknown;
  std::string code = {};  // C++ on one line, by the winner's method; empty: nothing was measured
};

verdict verdict_of(const task_report& table);

}  // namespace riffle::bench

#endif
