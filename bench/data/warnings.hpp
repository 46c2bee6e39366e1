/// A warning as data. bench/judge finds the warnings and words them.
#ifndef RIFFLE_BENCH_DATA_WARNINGS_HPP
#define RIFFLE_BENCH_DATA_WARNINGS_HPP

#include <string>
#include <vector>

namespace riffle::bench {

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

#endif
