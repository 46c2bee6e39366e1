/// Why this file exists: what the five programs' authors published, as data, so that it stands beside what is
/// measured here.
#ifndef RIFFLE_BENCH_PUBLISHED_HPP
#define RIFFLE_BENCH_PUBLISHED_HPP

#include <span>
#include <string_view>
#include <vector>

#include "report.hpp"

namespace riffle::bench {

/// "In 2012, on ints, mmap was 1.01 times as fast as fread."
struct claim {
  int year;
  std::string_view author;  // "Daniel Lemire"
  bench::task task;
  std::string_view contender;  // "ioaccess/mmap", as the contenders are called here
  std::string_view against;    // "ioaccess/fread"
  double times_as_fast;        // as published
};

/// All of them, oldest first. Valid for ever.
std::span<const claim> claims();

/// A claim beside the same two contenders here.
struct checked_claim {
  const claim* published;
  double times_as_fast;  // here
  bool certain;          // beyond the noise
};

/// The claims whose contenders were both measured in this report.
std::vector<checked_claim> check_claims(const task_report& of);

}  // namespace riffle::bench

#endif
