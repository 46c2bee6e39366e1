/// Every way to read an input through the public functions, over which the tests and a fuzz target loop.
#pragma once

#include <riffle/input.hpp>
#include <riffle/options.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace riffle::test {

/// What a way should deliver, and what it delivered until it ended or failed.
struct delivery {
  read_options reading;
  std::string_view truth;
  std::uint64_t start = 0;      // the offset of the truth in the input
  std::size_t step = SIZE_MAX;  // so many records are read by one loop
  std::string bytes = {};
  std::string wrong = {};
  bool goes_on = false;  // it was read in steps, after a failure of which the next one was tried
};

inline std::string same(std::string_view bytes) {
  return std::string(bytes);
}

/// One way to read. `read` may throw. What it delivers of some bytes is `truth` of them, in which a NUL byte
/// ends each record of a kind that has ends. It takes as many bytes as a multiple of `unit`.
struct way {
  std::string_view name;
  void (*read)(const input& from, delivery& got);
  std::string (*truth)(std::string_view bytes) = same;
  std::size_t unit = 1;
};

/// Returns all ways.
std::span<const way> ways();
const way& way_named(std::string_view name);

}  // namespace riffle::test
