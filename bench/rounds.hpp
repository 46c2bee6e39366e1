/// Why this file exists: contenders are timed in interleaved rounds, so that a machine that slows down slows
/// all of them, and each answer is checked against the others'.
#ifndef RIFFLE_BENCH_ROUNDS_HPP
#define RIFFLE_BENCH_ROUNDS_HPP

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "contender.hpp"
#include "statistics.hpp"

namespace riffle::bench {

/// Nanoseconds since any fixed moment. Tests give their own.
using clock = std::function<std::int64_t()>;
/// The clock that never goes back.
clock steady_clock();

struct round_options {
  unsigned rounds = 5;  // timed runs of each contender; at least 1
  double budget = 1e9;  // seconds; once spent, no contender gets more than it needs
  double slow = 10;     // a contender whose median is so many times the best one's ...
  unsigned enough = 3;  // ... is content with so many runs
};

/// Two contenders disagree. The message names both and gives both answers.
class wrong_answer : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class outcome : std::uint8_t { measured, unavailable, failed };

/// What became of one contender. `seconds` has its timed runs in order; `reason` is empty when measured.
struct result {
  bench::outcome outcome = outcome::measured;
  std::vector<double> seconds;
  bench::answer answer;
  std::string reason;
};

/// Told before each run: who, and in which round (0 is the untimed one).
using progress = std::function<void(const contender&, unsigned round)>;

/// Runs every contender once untimed, then in rounds: A B C ..., A B C .... Returns one result per contender,
/// in the same order. A contender that throws is `failed` with its message and takes no further part. Throws
/// `wrong_answer` as soon as two answers differ.
std::vector<result> run_rounds(const std::vector<contender>& contenders, input_files files,
                               const round_options& options, const clock& now, const progress& tell = {});

}  // namespace riffle::bench

#endif
