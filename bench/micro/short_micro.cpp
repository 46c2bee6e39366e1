/// Shows what the lines, words and fields of a few bytes cost beside the loops that people write by hand. The
/// inputs lie in the second-level cache, and no two of them have their delimiters at the same places.
#include <benchmark/benchmark.h>

#include <array>
#include <span>
#include <string>
#include <vector>

#include "bench/micro/loops.hpp"

namespace {

using namespace riffle::micro;
using riffle::memory;

/// `count` texts of `size` bytes, whose records have about `record` bytes, the delimiter included.
std::vector<std::string> texts(std::size_t count, std::size_t size, std::size_t record, char delimiter) {
  std::vector<std::string> all(count);
  std::uint32_t random = 1;
  for (std::string& text : all) {
    while (text.size() < size) {
      random = random * 1664525 + 1013904223;
      text.append(record / 2 + (std::uint64_t{random} * record >> 32U), 'a').append(1, delimiter);
    }
    text.resize(size);
  }
  return all;
}

void fields(std::string_view text, total& sum) {
  for (const std::string_view field : riffle::fields(text, ',')) sum.add(field);
}
void split(std::string_view text, total& sum) {
  static std::array<std::string_view, 4096> found;  // as one who splits many lines does
  for (const std::string_view field : std::span(found).first(riffle::fields(text, ',', found)))
    sum.add(field);
}
void lines_for_each(std::string_view text, total& sum) {
  riffle::for_each(riffle::lines(memory(text)), [&](std::string_view line) { sum.add(line); });
}
void words(std::string_view text, total& sum) {
  for (const std::string_view word : riffle::words(memory(text))) sum.add(word);
}
void words_for_each(std::string_view text, total& sum) {
  riffle::for_each(riffle::words(memory(text)), [&](std::string_view word) { sum.add(word); });
}

struct contender {
  const char* name;
  loop run;
  loop plain;
  char delimiter;
};

constexpr loop plain_fields = by_memchr<',', true>;
constexpr loop plain_lines = by_memchr<'\n', false>;
constexpr contender contenders[] = {{"fields/memchr", plain_fields, plain_fields, ','},
                                    {"fields/range-for", fields, plain_fields, ','},
                                    {"fields/split", split, plain_fields, ','},
                                    {"lines/memchr", plain_lines, plain_lines, '\n'},
                                    {"lines/range-for", lines_of_memory, plain_lines, '\n'},
                                    {"lines/for_each", lines_for_each, plain_lines, '\n'},
                                    {"words/by-hand", words_by_hand, words_by_hand, ' '},
                                    {"words/range-for", words, words_by_hand, ' '},
                                    {"words/for_each", words_for_each, words_by_hand, ' '}};

struct shape {
  std::size_t size;    // of a text
  std::size_t record;  // of a record in it, about
};
constexpr shape shapes[] = {{0, 1}, {8, 5}, {49, 7}, {200, 10}, {400, 10}, {1000, 200}, {4000, 70}};

void measure(benchmark::State& state, const contender& each, shape shape) {
  constexpr std::size_t count = 256;
  const std::vector<std::string> inputs = texts(count, shape.size, shape.record, each.delimiter);
  const auto all = [&](loop run) {
    total sum;
    for (const std::string& text : inputs) run(text, sum);
    return sum;
  };
  const total expected = all(each.plain);
  for (auto _ : state) {
    if (all(each.run) != expected) return state.SkipWithError("wrong answer");
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(count));
}

const bool registered = [] {
  for (const shape each : shapes) {
    for (const contender& runner : contenders) {
      benchmark::RegisterBenchmark(("short/" + std::string(runner.name) + "/" + std::to_string(each.size) +
                                    "/" + std::to_string(each.record))
                                       .c_str(),
                                   [runner, each](benchmark::State& state) { measure(state, runner, each); });
    }
  }
  return true;
}();

}  // namespace
