/// Shortens lists for a sentence.
#ifndef RIFFLE_BENCH_JUDGE_WORDS_HPP
#define RIFFLE_BENCH_JUDGE_WORDS_HPP

#include <string>
#include <string_view>
#include <vector>

namespace riffle::bench {

/// "a, b, c and 12 more"; all of them if there are three or fewer.
std::string first_few(const std::vector<std::string>& all);

/// "1 contender", "3 contenders"
std::string counted(std::size_t count, std::string_view noun);

}  // namespace riffle::bench

#endif
