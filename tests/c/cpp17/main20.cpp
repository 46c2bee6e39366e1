/// A file in C++20 reads the same by riffle's own headers: main20 FILE GZIPPED CUT.
#include <riffle/riffle.hpp>

#include <cstdio>

#include "tests/c/cpp17/part17.hpp"

namespace {

int failures = 0;

template <class Records>
answer told(Records open) {
  answer all;
  try {
    for (const std::string_view record : open()) all.records.emplace_back(record);
  } catch (const riffle::error& failure) {
    all.failed = true;
    all.offset = failure.offset().value_or(0);
    all.path = failure.path();
    all.message = failure.what();
  }
  return all;
}

// The remedies are worded for C there.
void expect_same(const char* what, const answer& by_17, const answer& by_20) {
  const auto without_remedy = [](const answer& all) { return all.message.substr(0, all.message.find(';')); };
  if (by_17.records == by_20.records && by_17.failed == by_20.failed && by_17.offset == by_20.offset &&
      by_17.path == by_20.path && without_remedy(by_17) == without_remedy(by_20))
    return;
  std::printf("%s: %zu and %zu records, '%s' and '%s'\n", what, by_17.records.size(), by_20.records.size(),
              by_17.message.c_str(), by_20.message.c_str());
  ++failures;
}

}  // namespace

int main(int, char** names) {
  for (int i = 1; i <= 3; ++i) {
    const std::string path = names[i];
    const bool decode = i != 1;
    const riffle::read_options how{.decode = decode ? riffle::decoding::gzip : riffle::decoding::none};
    const answer lines = told([&] { return riffle::lines(path, how); });
    if (lines.failed != (i == 3) || lines.records.empty()) ++failures;
    expect_same("lines", lines_by_17(path, decode), lines);
    expect_same("words", words_by_17(path, decode), told([&] { return riffle::words(path, how); }));
    expect_same("reader", reader_by_17(path, decode), lines);
  }
  const std::string bytes = "a\n\nb";
  expect_same("memory", lines_of_memory_by_17(bytes),
              told([&] { return riffle::lines(riffle::memory(bytes)); }));
  if (const std::string fault = faults_of_17(names[1]); !fault.empty()) {
    std::puts(fault.c_str());
    ++failures;
  }
  return failures == 0 ? 0 : 1;
}
