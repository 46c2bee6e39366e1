/// Ends a fuzz target at a wrong answer, which libFuzzer reports with the input that gave it.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

namespace riffle::fuzz {

inline void require(bool holds, const std::string& claim) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", claim.c_str());
  std::abort();
}

}  // namespace riffle::fuzz
