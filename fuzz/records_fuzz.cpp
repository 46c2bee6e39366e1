/// Any bytes in any cuts give by each way what a plain loop gives, also after breaks and moves.
#include "fuzz/delivery.hpp"
#include "tests/support/oracles.hpp"
#include "tests/support/posix/ways.hpp"

namespace riffle::fuzz {
namespace {

// Takes the records one by one and holds each against what is expected: all of them, then the end, or the
// error of one that is too long.
class checker {
 public:
  explicit checker(const test::naive_records& expected) : expected_(expected) {}
  void take(std::string_view record) {
    require(next_ < expected_.records.size(), "there are no more records than expected");
    require(record == expected_.records[next_++], "a record is as expected");
  }
  std::uint64_t offset_of_last() const { return expected_.offsets[next_ - 1]; }
  std::size_t taken() const { return next_; }
  void end(const std::optional<error>& failure) const {
    require(next_ == expected_.records.size(), "every record is there");
    require_failure(failure, expected_.too_long, errc::record_too_long);
  }

 private:
  const test::naive_records& expected_;
  std::size_t next_ = 0;
};

line_options line_options_of(FuzzedDataProvider& from) {
  const char delimiter = from.ConsumeBool() ? '\n' : from.ConsumeIntegral<char>();
  const bool keep = from.ConsumeBool();
  const bool strip = from.ConsumeBool();
  constexpr std::size_t lengths[] = {0, 1, 5, 63, 64, 65, 4096, 9000};
  const std::size_t most = from.ConsumeIntegralInRange(0, 2) == 0 ? from.PickValueInArray(lengths) : SIZE_MAX;
  return {.delimiter = delimiter, .keep_delimiter = keep, .strip_cr = strip, .max_length = most};
}

void check_lines(FuzzedDataProvider& from) {
  const line_options options = line_options_of(from);
  const bool numbered = from.ConsumeBool();
  const std::size_t step = step_of(from);
  const delivery given(from);
  const test::naive_records expected = test::naive_bounded_lines(given.text(), options);
  checker check(expected);
  check.end(given.open([&](const input& opened) {
    if (!numbered)
      return read_in_steps(lines(opened, options, given.reading()), step,
                           [&](std::string_view line) { check.take(line); });
    read_in_steps(numbered_lines(opened, options, given.reading()), step, [&](const numbered_line& line) {
      check.take(line.text);
      require(line.number == check.taken() && line.offset == check.offset_of_last(),
              "a line knows its place");
    });
  }));
  checker in_memory(expected);
  in_memory.end(test::error_of([&] {
    for_each(lines(memory(given.text()), options), [&](std::string_view line) { in_memory.take(line); });
  }));
}

void check_words(FuzzedDataProvider& from) {
  const std::size_t most = from.ConsumeBool() ? from.ConsumeIntegralInRange<std::size_t>(64, 200) : SIZE_MAX;
  const std::size_t step = step_of(from);
  const delivery given(from);
  const test::naive_records expected = test::naive_bounded_words(given.text(), most);
  for (const bool in_memory : {false, true}) {
    checker check(expected);
    check.end(given.open([&](const input& opened) {
      read_in_steps(
          words(in_memory ? input(memory(given.text())) : opened, {.max_length = most}, given.reading()),
          step, [&](std::string_view word) { check.take(word); });
    }));
  }
}

// Each way of the table, but the one that takes quotes for more than bytes.
void check_way(FuzzedDataProvider& from) {
  const test::way& how = test::ways()[from.ConsumeIntegralInRange<std::size_t>(0, test::ways().size() - 1)];
  const std::size_t step = step_of(from);
  const delivery given(from);
  if (how.name == "quoted_rows" || given.text().size() % how.unit != 0) return;
  const auto refused = given.open([&](const input& opened) {
    const test::ending found = test::read_by(
        how, opened, test::expecting(how, given.text(), {.reading = given.reading(), .step = step}));
    require(test::fault_of(found).empty(), std::string(how.name) + ": " + test::fault_of(found));
    require_failure(found.failure, {});
  });
  require_failure(refused, {});
}

}  // namespace
}  // namespace riffle::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace riffle::fuzz;
  FuzzedDataProvider from(data, size);
  constexpr void (*checks[])(FuzzedDataProvider&) = {check_lines, check_words, check_way};
  from.PickValueInArray(checks)(from);
  return 0;
}
