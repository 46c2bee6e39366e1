/// Two functions on a FILE that POSIX has and Windows has not.
#ifndef RIFFLE_BENCH_CONTENDERS_POSIX_STDIO_HPP
#define RIFFLE_BENCH_CONTENDERS_POSIX_STDIO_HPP

#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>

#include "bench/data/contender.hpp"

namespace riffle::bench {

#ifdef _WIN32

// Nothing calls these.
inline int getc_unlocked(std::FILE*) {
  return EOF;
}
inline std::ptrdiff_t getline(char**, std::size_t*, std::FILE*) {
  return -1;
}

/// For `row::unavailable`.
inline std::optional<std::string> no_posix_stdio(input_files) {
  return "this system has no getc_unlocked and no getline(3)";
}

#else

/// For `row::unavailable`: they are there.
inline std::optional<std::string> no_posix_stdio(input_files) {
  return std::nullopt;
}

#endif

}  // namespace riffle::bench

#endif
