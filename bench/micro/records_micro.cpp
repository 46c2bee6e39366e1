/// Shows what a record costs beside the loops that people write by hand, over memory: in the second-level
/// cache, where the loop is the limit, and far beyond all caches.
#include <benchmark/benchmark.h>

#include <cstring>
#include <map>
#include <string>

#include "bench/micro/loops.hpp"

namespace {

using namespace riffle::micro;

/// Lines whose sizes vary around `mean`, newline included, of words around 5 bytes. The same for every run.
const std::string& text(std::size_t mean, std::size_t size) {
  static std::map<std::pair<std::size_t, std::size_t>, std::string> made;
  std::string& bytes = made[{mean, size}];
  std::uint32_t random = 1;
  const auto below = [&random](std::size_t limit) {
    random = random * 1664525 + 1013904223;
    return static_cast<std::size_t>(std::uint64_t{random} * limit >> 32U);
  };
  while (bytes.size() < size) {
    const std::size_t end = bytes.size() + mean - mean / 4 + below(mean / 2 + 1) - 1;
    while (bytes.size() < end) bytes.append(1 + below(9), 'a').append(1, ' ');
    bytes.resize(end);
    bytes += '\n';
  }
  bytes.resize(size);
  return bytes;
}

void lines_range_for(std::string_view data, total& sum) {
  for (const std::string_view line : riffle::lines(riffle::input(riffle::memory(data)))) sum.add(line);
}

void lines_for_each(std::string_view data, total& sum) {
  riffle::for_each(riffle::lines(riffle::input(riffle::memory(data))),
                   [&](std::string_view line) { sum.add(line); });
}

void words_range_for(std::string_view data, total& sum) {
  for (const std::string_view word : riffle::words(riffle::input(riffle::memory(data)))) sum.add(word);
}

// The first field of each row, of fields that a space ends.
void first_fields_memchr(std::string_view data, total& sum) {
  const char* const end = data.data() + data.size();
  for (const char* at = data.data(); at < end;) {
    const auto* stop = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
    if (stop == nullptr) stop = end;
    for (bool first = true;; first = false) {
      const auto* field = static_cast<const char*>(std::memchr(at, ' ', static_cast<std::size_t>(stop - at)));
      if (first) sum.add({at, static_cast<std::size_t>((field == nullptr ? stop : field) - at)});
      if (field == nullptr) break;
      at = field + 1;
    }
    at = stop + 1;
  }
}

void first_fields(std::string_view data, total& sum, const riffle::dialect& options) {
  for (const riffle::row row : riffle::rows(riffle::memory(data), options)) sum.add(row[0]);
}

void first_fields_rows(std::string_view data, total& sum) {
  first_fields(data, sum, {.separator = ' '});
}

void first_fields_quoted_rows(std::string_view data, total& sum) {
  first_fields(data, sum, {.separator = ' ', .quote = '"'});
}

void measure(benchmark::State& state, loop run, loop plain, std::size_t mean) {
  const std::string& data = text(mean, static_cast<std::size_t>(state.range(0)));
  total expected;
  plain(data, expected);
  for (auto _ : state) {
    total sum;
    run(data, sum);
    if (sum != expected) return state.SkipWithError("wrong answer");
  }
  state.SetBytesProcessed(state.iterations() * state.range(0));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(expected.records));
}

struct contender {
  const char* name;
  loop run;
  loop plain;
};

constexpr loop lines_memchr = by_memchr<'\n', false>;
constexpr contender lines[] = {{"lines/memchr", lines_memchr, lines_memchr},
                               {"lines/range-for", lines_range_for, lines_memchr},
                               {"lines/for_each", lines_for_each, lines_memchr},
                               {"lines/range-for-memory", lines_of_memory, lines_memchr}};
constexpr contender others[] = {{"words/by-hand", words_by_hand, words_by_hand},
                                {"words/range-for", words_range_for, words_by_hand},
                                {"rows/memchr", first_fields_memchr, first_fields_memchr},
                                {"rows/range-for", first_fields_rows, first_fields_memchr},
                                {"rows/quoted", first_fields_quoted_rows, first_fields_memchr}};

void add(const contender& each, const std::string& name, std::size_t mean) {
  benchmark::RegisterBenchmark(
      name.c_str(), [each, mean](benchmark::State& state) { measure(state, each.run, each.plain, mean); })
      ->Arg(256 << 10)
      ->Arg(64 << 20);
}

const bool registered = [] {
  for (const std::size_t mean : {10, 67, 4096}) {
    for (const contender& each : lines) add(each, each.name + ("/" + std::to_string(mean)), mean);
  }
  for (const contender& each : others) add(each, each.name, 67);
  return true;
}();

}  // namespace
