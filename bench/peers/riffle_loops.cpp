/// Why this file exists: riffle's side of the race's loops, as a user writes and compiles them (-O2, nothing
/// else).
#include <cstdio>
#include <exception>
#include <riffle/riffle.hpp>
#include <stdexcept>

#include "mapped.hpp"

namespace riffle::peers {

namespace {

records lines_range_for(const char* path) {
  records lines;
  for (const std::string_view line : riffle::lines(path)) lines.add(line);
  return lines;
}

records lines_for_each(const char* path) {
  records lines;
  riffle::for_each(riffle::lines(path), [&](std::string_view line) { lines.add(line); });
  return lines;
}

records words_range_for(const char* path) {
  records words;
  for (const std::string_view word : riffle::words(path)) words.add(word);
  return words;
}

records words_for_each(const char* path) {
  records words;
  riffle::for_each(riffle::words(path), [&](std::string_view word) { words.add(word); });
  return words;
}

/// The same by two threads: `records_of(split)` gives the range of a split's records.
template <class RecordsOf>
records two_threads(const char* path, RecordsOf records_of) {
  const auto of_split = [&](std::string_view split) {
    records found;
    riffle::for_each(records_of(split), [&](std::string_view record) { found.add(record); });
    return found;
  };
  const auto both = [](const records& a, const records& b) {
    return records{a.count + b.count, a.length + b.length};
  };
  return riffle::parallel_reduce(path, records{}, of_split, both, {.threads = 2});
}

records lines_two_threads(const char* path) {
  return two_threads(path, [](std::string_view split) { return riffle::lines(split); });
}

records words_two_threads(const char* path) {
  return two_threads(path, [](std::string_view split) { return riffle::words(split); });
}

/// C, c, G and g are the bytes that equal 0x43 once bits 2 and 5 are cleared.
template <class Bytes>
int count_gc(Bytes&& bytes) {
  std::uint64_t count = 0;
  for (const char byte : bytes) count += (static_cast<unsigned char>(byte) & 0xDBU) == 0x43U ? 1U : 0U;
  std::printf("%ju\n", std::uintmax_t{count});
  return 0;
}

int run(std::string_view task, const char* path) {
  if (task == "lines-range-for") return print(lines_range_for(path));
  if (task == "lines-for-each") return print(lines_for_each(path));
  if (task == "lines-two-threads") return print(lines_two_threads(path));
  if (task == "words-range-for") return print(words_range_for(path));
  if (task == "words-for-each") return print(words_for_each(path));
  if (task == "words-two-threads") return print(words_two_threads(path));
  if (task == "gc-bytes") return count_gc(riffle::bytes(path));
  if (task == "gc-mapped-file") return count_gc(riffle::mapped_file(path));
  throw std::invalid_argument("no such task");
}

}  // namespace

}  // namespace riffle::peers

int main(int count, char** arguments) {
  try {
    if (count != 3) throw std::invalid_argument("usage: riffle_loops TASK FILE");
    return riffle::peers::run(arguments[1], arguments[2]);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "riffle_loops: %s\n", failure.what());
    return 1;
  }
}
