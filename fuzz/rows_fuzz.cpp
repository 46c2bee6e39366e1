/// Any bytes in any cuts by any method give the rows that a plain parser gives, quoted or not, up to the
/// first error.
#include "fuzz/support/delivery.hpp"
#include "tests/support/oracles.hpp"

namespace riffle::fuzz {
namespace {

row_options row_options_of(FuzzedDataProvider& from) {
  constexpr char fields[] = {',', '\t', ';', '\r', '\0'};
  constexpr char delimiters[] = {'\n', '\n', '\n', '|', '\x80'};
  constexpr std::size_t lengths[] = {0, 1, 5, 63, 64, 65, 4096, 9000};
  row_options options{.field = from.PickValueInArray(fields), .delimiter = from.PickValueInArray(delimiters)};
  if (from.ConsumeIntegralInRange(0, 3) != 0) options.quote = '"';
  options.strip_cr = from.ConsumeBool();
  if (from.ConsumeIntegralInRange(0, 2) == 0) options.max_length = from.PickValueInArray(lengths);
  return options;
}

void check_row(const row& found, const test::naive_row& expected, std::uint64_t start) {
  require(found.size() == expected.raw.size(), "a row has its fields");
  require(found.offset() == start + expected.offset, "a row knows its place");
  std::size_t i = 0;
  for (const std::string_view field : found) {
    require(field == expected.raw[i] && found.at(i) == field, "a field is as it stands in the input");
    require(found.unescaped(i) == expected.unescaped[i], "a field is without its quotes");
    ++i;
  }
}

void check_rows(FuzzedDataProvider& from) {
  const row_options options = row_options_of(from);
  const std::size_t step = from.ConsumeBool() ? from.ConsumeIntegralInRange<std::size_t>(1, 100) : SIZE_MAX;
  const delivery given(from);
  const test::naive_table expected = test::naive_rows(given.text(), options);
  std::size_t next = 0;
  std::optional<error> failure;
  try {
    row_range all = rows(given.from(), options, given.reading());
    for (bool more = true; more;) {
      more = false;
      for (const row found : all) {
        require(next < expected.rows.size(), "there are no more rows than expected");
        check_row(found, expected.rows[next++], given.start());
        require(found.number() == next, "a row knows its number");
        more = next % step == 0;
        if (more) break;
      }
      row_range moved = std::move(all);
      all = std::move(moved);
    }
  } catch (const error& caught) {
    failure = caught;
  }
  require(next == expected.rows.size(), "every row is there");
  const std::optional<std::uint64_t> bad = expected.bad ? expected.bad : expected.open;
  const std::optional<std::uint64_t> place = bad ? bad : expected.too_long;
  require(failure.has_value() == place.has_value(), failure ? failure->what() : "the expected error comes");
  if (!failure) return;
  require(failure->code() == (bad ? errc::bad_quoting : errc::record_too_long), failure->what());
  require(failure->offset() == given.start() + *place, failure->what());
}

}  // namespace
}  // namespace riffle::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FuzzedDataProvider from(data, size);
  riffle::fuzz::check_rows(from);
  return 0;
}
