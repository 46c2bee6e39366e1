/// Any bytes in any cuts give the rows that a plain parser gives, quoted or not, up to the first error.
#include <riffle/parallel_rows.hpp>

#include <functional>
#include <string>

#include "fuzz/delivery.hpp"
#include "tests/support/oracles.hpp"

namespace riffle::fuzz {
namespace {

dialect dialect_of(FuzzedDataProvider& from) {
  constexpr char fields[] = {',', '\t', ';', '\r', '\0'};
  constexpr char delimiters[] = {'\n', '\n', '\n', '|', '\x80'};
  constexpr std::size_t lengths[] = {0, 1, 5, 63, 64, 65, 4096, 9000};
  dialect options{.separator = from.PickValueInArray(fields), .delimiter = from.PickValueInArray(delimiters)};
  options.quote.reset();
  options.whitespace = from.ConsumeIntegralInRange(0, 7) == 0;
  if (!options.whitespace && from.ConsumeIntegralInRange(0, 3) != 0) options.quote = '"';
  if (from.ConsumeBool()) options.quoting = quoting::strict;
  options.strip_cr = from.ConsumeBool();
  options.skip_bom = from.ConsumeBool();
  options.skip_rows = from.ConsumeIntegralInRange(0U, 3U);
  if (from.ConsumeBool()) options.comment = '#';
  options.skip_blank = from.ConsumeBool();
  if (from.ConsumeIntegralInRange(0, 2) == 0) options.max_length = from.PickValueInArray(lengths);
  return options;
}

void check_row(const row& found, const test::naive_row& expected) {
  require(found.size() == expected.raw.size(), "a row has its fields");
  require(found.offset() == expected.offset, "a row knows its place");
  std::size_t i = 0;
  for (const std::string_view field : found) {
    require(field == expected.raw[i] && found.at(i) == field, "a field is as it stands in the input");
    require(found.unescaped(i) == expected.unescaped[i], "a field is without its quotes");
    ++i;
  }
}

void check_rows(FuzzedDataProvider& from) {
  const dialect options = dialect_of(from);
  const std::size_t step = step_of(from);
  const delivery given(from);
  const test::naive_table expected = test::naive_rows(given.text(), options);
  std::size_t next = 0;
  const auto failure = given.open([&](const input& opened) {
    read_in_steps(rows(opened, options, given.reading()), step, [&](const row& found) {
      require(next < expected.rows.size(), "there are no more rows than expected");
      check_row(found, expected.rows[next++]);
      require(found.number() == next, "a row knows its number");
    });
  });
  require(next == expected.rows.size(), "every row is there");
  const std::optional<std::uint64_t> bad = expected.bad ? expected.bad : expected.open;
  if (bad) return require_failure(failure, bad, errc::bad_quoting);
  if (expected.lone_cr) return require_failure(failure, expected.lone_cr, errc::invalid_argument);
  require_failure(failure, expected.too_long, errc::record_too_long);
}

std::string described(row_range& part) {
  std::string text;
  for (const row found : part) {
    text += std::to_string(found.offset()) + ':' + std::to_string(found.size()) + ';';
    for (std::size_t i = 0; i != found.size(); ++i) text += std::string(found.unescaped(i)) + ';';
  }
  return text;
}

// Threads that guess where the rows of their parts start read those of one thread, and fail as it does.
void check_parts(FuzzedDataProvider& from) {
  const dialect options = dialect_of(from);
  const std::size_t part = from.ConsumeIntegralInRange<std::size_t>(1, 200);
  const std::string text = from.ConsumeRemainingBytesAsString();
  const auto outcome_of = [&](unsigned threads) {
    std::string all;
    const auto failure = test::error_of([&] {
      parallel_rows_into(all, rows(memory(text), options), described, std::plus<>(),
                         {.threads = threads, .split_size = part});
    });
    return failure ? std::string(failure->what()) : all;
  };
  require(outcome_of(1) == outcome_of(2), "threads read what one reads");
}

}  // namespace
}  // namespace riffle::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FuzzedDataProvider from(data, size);
  from.ConsumeBool() ? riffle::fuzz::check_parts(from) : riffle::fuzz::check_rows(from);
  return 0;
}
