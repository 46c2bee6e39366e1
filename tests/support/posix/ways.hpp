/// Every way to read an input through the public functions and riffle.h, over which the tests and a fuzz
/// target loop.
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
  bool below_header = false;  // its rows have other offsets
  bool goes_on = false;       // it was read in steps, after a failure of which the next one was tried
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

/// Reads on after the first failure: the next step fails again, or goes on without a gap.
template <class Step>
void to_the_end(delivery& got, Step step) {
  got.goes_on = true;
  try {
    while (step()) {
    }
    return;
  } catch (...) {
    const std::size_t before = got.bytes.size();
    bool ended = true;
    try {
      while (step()) {
      }
    } catch (...) {
      ended = false;
    }
    if (ended && got.bytes != got.truth)
      got.wrong = "ends early after a failure at " + std::to_string(before);
    if (!got.truth.starts_with(got.bytes)) got.wrong = "a gap after a failure";
    throw;
  }
}

/// Fills a buffer by `read(into, room)` of a reader that stands at `start + got.bytes.size()`.
template <class Reader, class Read>
void fill_to_the_end(Reader& in, std::uint64_t start, delivery& got, Read read) {
  to_the_end(got, [&] {
    char bytes[1000];
    const std::size_t room = 1 + got.step % sizeof bytes;
    const std::uint64_t before = in.offset();
    if (before != start + got.bytes.size()) got.wrong = "the reader stands elsewhere";
    try {
      const std::size_t count = read(bytes, room);
      if (in.offset() != before + count) got.wrong = "the reader took more or less than it gave";
    } catch (...) {
      got.bytes.append(bytes, static_cast<std::size_t>(in.offset() - before));
      throw;
    }
    const auto count = static_cast<std::size_t>(in.offset() - before);
    got.bytes.append(bytes, count);
    if (count != room && !in.at_end()) got.wrong = "fewer bytes before the end";
    return count != 0;
  });
}

/// Returns all ways.
std::span<const way> ways();
const way& way_named(std::string_view name);

void c_lines(const input& from, delivery& got);
void c_words(const input& from, delivery& got);
void c_blocks(const input& from, delivery& got);
void c_read_some(const input& from, delivery& got);
void c_read(const input& from, delivery& got);
void lines_of_17(const input& from, delivery& got);
void read_of_17(const input& from, delivery& got);
void reader_of_17(const input& from, delivery& got);
void c_rows(const input& from, delivery& got);
void c_count_lines(const input& from, delivery& got);
void c_parallel(const input& from, delivery& got);

}  // namespace riffle::test
