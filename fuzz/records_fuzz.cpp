/// Any bytes in any cuts give the lines and words that a plain loop gives, also after breaks and moves.
#include "fuzz/delivery.hpp"
#include "tests/support/oracles.hpp"

namespace riffle::fuzz {
namespace {

// Reads a range in loops of at most `step` records, and moves it between them. Returns the error that ends
// it.
template <class Range, class Take>
std::optional<error> read_in_steps(Range range, std::size_t step, Take take) {
  return test::error_of([&] {
    while (true) {
      std::size_t left = step;
      bool ended = true;
      for (auto&& record : range) {
        take(record);
        if (--left != 0) continue;
        ended = false;
        break;
      }
      if (ended) return;
      Range moved = std::move(range);
      range = std::move(moved);
    }
  });
}

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
    require(failure.has_value() == expected_.too_long.has_value(),
            failure ? failure->what() : "the expected error comes");
    if (!failure) return;
    require(failure->code() == errc::record_too_long, failure->what());
    require(failure->offset() == *expected_.too_long, failure->what());
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

std::size_t step_of(FuzzedDataProvider& from) {
  return from.ConsumeBool() ? from.ConsumeIntegralInRange<std::size_t>(1, 100) : SIZE_MAX;
}

void check_lines(FuzzedDataProvider& from) {
  const line_options options = line_options_of(from);
  const bool numbered = from.ConsumeBool();
  const std::size_t step = step_of(from);
  const delivery given(from);
  const test::naive_records expected = test::naive_bounded_lines(given.text(), options);
  checker check(expected);
  if (numbered) {
    const auto take = [&](const numbered_line& line) {
      check.take(line.text);
      require(line.number == check.taken() && line.offset == check.offset_of_last(),
              "a line knows its place");
    };
    check.end(read_in_steps(numbered_lines(given.from(), options, given.reading()), step, take));
  } else {
    const auto take = [&](std::string_view line) { check.take(line); };
    check.end(read_in_steps(lines(given.from(), options, given.reading()), step, take));
  }
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
  checker check(expected);
  check.end(read_in_steps(words(given.from(), {.max_length = most}, given.reading()), step,
                          [&](std::string_view word) { check.take(word); }));
  checker in_memory(expected);
  in_memory.end(read_in_steps(words(memory(given.text()), {.max_length = most}), SIZE_MAX,
                              [&](std::string_view word) { in_memory.take(word); }));
}

}  // namespace
}  // namespace riffle::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace riffle::fuzz;
  FuzzedDataProvider from(data, size);
  from.ConsumeBool() ? check_lines(from) : check_words(from);
  return 0;
}
