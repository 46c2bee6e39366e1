/// The table of ways to read an input: by each record type, each function that reads by itself, riffle.h and
/// riffle17.hpp. The tests, riffle-torture and a fuzz target loop over it.
#pragma once

#include <riffle/error.hpp>
#include <riffle/input.hpp>
#include <riffle/options.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace riffle::test {

/// How a way reads, what it should deliver, and what it delivered until it ended or failed.
struct delivery {
  read_options reading = {};
  std::string truth = {};
  std::uint64_t start = 0;               // the offset of the truth in the input
  std::size_t step = SIZE_MAX;           // so many records are read by one loop
  std::size_t longest = SIZE_MAX;        // of a record, if its kind has a limit
  std::function<void()> each = nullptr;  // is called after each record
  bool tries_again = true;               // a step after one that failed
  std::function<bool(const std::function<bool()>& step)> carry_out = nullptr;  // a step, if not at once

  std::string bytes = {};
  std::uint64_t records = 0;
  std::string wrong = {};
  bool below_header = false;  // its rows have other offsets
  bool goes_on = false;       // it was read in steps, after a failure of which the next one was tried

  /// Takes a record, or a part of the input, which has no end.
  void add(std::string_view record, bool ends) {
    bytes += record;
    if (ends) bytes += '\0';
    ++records;
    if (each) each();
  }
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
  bool at_once = false;  // it delivers nothing before the end
};

/// What a way delivered, and how it ended.
struct ending {
  std::string_view way;
  delivery got;
  std::optional<error> failure = {};
  bool out_of_memory = false;  // std::bad_alloc
  std::string other = {};      // any other exception
  bool whole() const { return got.wrong.empty() && !out_of_memory && got.bytes == got.truth; }
};

/// Returns what is wrong with an ending, or an empty string: what was delivered is right, and it is all, or
/// there is an error.
std::string fault_of(const ending& found);

/// Returns `got` with what a way should deliver of these bytes, and with room for it.
delivery expecting(const way& how, std::string_view bytes, delivery got = {});

/// Reads an input by a way, between calls of `start` and `stop`, which let something fail.
ending read_by(
    const way& how, const input& from, delivery got, const std::function<void()>& start = [] {},
    const std::function<void()>& stop = [] {});

/// Reads on after the first failure: the next step fails again, or goes on without a gap.
template <class Step>
void to_the_end(delivery& got, Step step) {
  const auto next = [&] { return got.carry_out ? got.carry_out(step) : step(); };
  got.goes_on = got.tries_again;
  try {
    while (next()) {
    }
    return;
  } catch (...) {
    if (!got.tries_again) throw;
    const std::size_t before = got.bytes.size();
    bool ended = true;
    try {
      while (next()) {
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
    got.add({bytes, count}, false);
    if (count != room && !in.at_end()) got.wrong = "fewer bytes before the end";
    return count != 0;
  });
}

/// Returns all ways.
std::span<const way> ways();
const way& way_named(std::string_view name);

/// Those of riffle.h and riffle17.hpp, which are rows of it.
std::span<const way> c_ways();

/// What the ways deliver: records with their marks, or as many newlines as were counted.
std::string lines_in(std::string_view bytes);
std::string words_in(std::string_view bytes);
std::string newlines_counted(std::string_view bytes);
std::string words_counted(std::string_view bytes);
std::string characters_counted(std::string_view bytes);
std::string letters_counted(std::string_view bytes);  // b or d

}  // namespace riffle::test
