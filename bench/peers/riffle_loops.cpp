/// riffle's side of the race's loops, as a user writes and compiles them (-O2, nothing else).
#include <cstdio>
#include <riffle/riffle.hpp>
#include <stdexcept>

#include "bench/peers/mapped.hpp"

namespace riffle::peers {

namespace {

template <class Range>
records by_range_for(Range&& range) {
  records found;
  for (const std::string_view record : range) found.add(record);
  return found;
}

template <class Range>
records by_for_each(Range&& range) {
  records found;
  riffle::for_each(range, [&](std::string_view record) { found.add(record); });
  return found;
}

/// The third field of each row, without its quotes.
records column(const char* path, const riffle::dialect& options) {
  records fields;
  for (const riffle::row row : riffle::rows(path, options)) fields.add(row.unescaped(2));
  return fields;
}

records column_two_threads(const char* path) {
  const auto both = [](const records& a, const records& b) {
    return records{a.count + b.count, a.length + b.length};
  };
  const auto of_part = [](riffle::row_range& part) {
    records fields;
    for (const riffle::row row : part) fields.add(row.unescaped(2));
    return fields;
  };
  return riffle::parallel_rows(path, records{}, of_part, both, {.quote = '"'}, {.threads = 2});
}

/// The columns `city` and `price`, which the first row names.
int columns(const char* path) {
  std::uint64_t length = 0;
  double sum = 0;
  for (const auto& [city, price] : riffle::columns<std::string_view, double>(path, {"city", "price"})) {
    length += city.size();
    sum += price;
  }
  std::printf("%ju %.2f\n", std::uintmax_t{length}, sum);
  return 0;
}

int run(std::string_view task, const char* path) {
  if (task == "lines-range-for") return print(by_range_for(riffle::lines(path)));
  if (task == "lines-for-each") return print(by_for_each(riffle::lines(path)));
  if (task == "words-range-for") return print(by_range_for(riffle::words(path)));
  if (task == "words-for-each") return print(by_for_each(riffle::words(path)));
  if (task == "tsv-rows") return print(column(path, {.separator = '\t'}));
  if (task == "csv-rows") return print(column(path, {.quote = '"'}));
  if (task == "csv-rows-two-threads") return print(column_two_threads(path));
  if (task == "columns") return columns(path);
  if (task == "gc-bytes") return count_gc(riffle::bytes(path));
  if (task == "gc-mapped-file") return count_gc(riffle::mapped_file(path));
  throw std::invalid_argument("no such task");
}

}  // namespace

}  // namespace riffle::peers

int main(int count, char** arguments) {
  return riffle::peers::run_task("riffle_loops", riffle::peers::run, count, arguments);
}
