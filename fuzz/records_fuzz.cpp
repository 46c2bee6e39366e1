/// Any bytes in any cuts by any method give the records that a plain loop gives, also after breaks and moves.
#include <bit>

#include "fuzz/support/delivery.hpp"
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

// Takes the records one by one and holds each against what is expected: all of them, then the end, or an
// error of this code at an offset.
class checker {
 public:
  explicit checker(const test::naive_records& expected, errc code = errc::record_too_long)
      : expected_(expected), code_(code) {}
  void take(std::string_view record) {
    require(next_ < expected_.records.size(), "there are no more records than expected");
    require(record == expected_.records[next_++], "a record is as expected");
  }
  std::uint64_t offset_of_last() const { return expected_.offsets[next_ - 1]; }
  std::size_t taken() const { return next_; }
  void end(const std::optional<error>& failure, std::uint64_t start = 0) const {
    require(next_ == expected_.records.size(), "every record is there");
    require(failure.has_value() == expected_.too_long.has_value(),
            failure ? failure->what() : "the expected error comes");
    if (!failure) return;
    require(failure->code() == code_, failure->what());
    require(failure->offset() == start + *expected_.too_long, failure->what());
  }

 private:
  const test::naive_records& expected_;
  errc code_;
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
      require(line.number == check.taken() && line.offset == given.start() + check.offset_of_last(),
              "a line knows its place");
    };
    check.end(read_in_steps(numbered_lines(given.from(), options, given.reading()), step, take),
              given.start());
  } else {
    const auto take = [&](std::string_view line) { check.take(line); };
    check.end(read_in_steps(lines(given.from(), options, given.reading()), step, take), given.start());
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
                          [&](std::string_view word) { check.take(word); }),
            given.start());
  checker in_memory(expected);
  in_memory.end(read_in_steps(words(memory(given.text()), {.max_length = most}), SIZE_MAX,
                              [&](std::string_view word) { in_memory.take(word); }));
}

// Reads values by loops of every kind in turn, each left after `step` values or one span.
template <class T, class Take>
std::optional<error> read_by_turns(value_range<T> range, std::size_t step, Take take) {
  return test::error_of([&] {
    for (bool more = true; more;) {
      more = false;
      for (const std::span<const T> span : range.spans()) {
        require(!span.empty() && reinterpret_cast<std::uintptr_t>(span.data()) % alignof(T) == 0,
                "a span is aligned and has values");
        for (const T& value : span) take(value);
        more = true;
        break;
      }
      for_each(range, [&, left = step](const T& value) mutable {
        take(value);
        more = true;
        return --left != 0;
      });
      std::size_t left = step;
      for (const T value : range) {
        take(value);
        more = true;
        if (--left == 0) break;
      }
    }
  });
}

template <class T>
void check_values(FuzzedDataProvider& from) {
  const bool swapped = std::is_arithmetic_v<T> && from.ConsumeBool();
  const bool mixed = from.ConsumeBool();
  const std::size_t step = step_of(from);
  const delivery given(from);
  const std::string_view text = given.text();
  const std::string whole = test::naive_values(text, sizeof(T), swapped);
  test::naive_records expected;
  for (std::size_t place = 0; place != whole.size(); place += sizeof(T))
    expected.records.push_back(whole.substr(place, sizeof(T)));
  if (whole.size() != text.size()) expected.too_long = whole.size();
  checker check(expected, errc::partial_value);
  const auto take = [&](const T& value) {
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    check.take({bytes, sizeof(T)});
  };
  const value_options options{.order = swapped ? std::endian::big : std::endian::native};
  check.end(mixed ? read_by_turns<T>(values<T>(given.from(), options, given.reading()), step, take)
                  : read_in_steps(values<T>(given.from(), options, given.reading()), step, take),
            given.start());
}

void check_each_way(FuzzedDataProvider& from) {
  const test::way& how = test::ways()[from.ConsumeIntegralInRange<std::size_t>(0, test::ways().size() - 1)];
  const std::size_t step = step_of(from);
  const delivery given(from);
  check_way(how, given.from(), given.reading(), given.text(), given.start(), step);
}

// The fields of a line, as a range, by for_each and by split.
void check_fields(FuzzedDataProvider& from) {
  const char delimiter = from.ConsumeIntegral<char>();
  const std::size_t most = from.ConsumeIntegral<std::uint8_t>();
  const auto bytes = from.ConsumeRemainingBytes<char>();  // of their own, so that a read outside is seen
  const std::string_view line(bytes.data(), bytes.size());
  const std::vector<std::string> expected = test::naive_fields(line, delimiter);
  const field_view all = fields(line, delimiter);
  require(std::ranges::equal(all, expected), "the range gives the fields");
  const char* place = line.data();
  for (const std::string_view field : all) {
    require(field.data() == place, "a field lies where it stands in the line");
    place += field.size() + 1;
  }
  std::size_t calls = 0;
  for_each(all, [&](std::string_view field) {
    require(calls < expected.size() && field == expected[calls], "for_each gives the fields");
    return ++calls != most;
  });
  require(calls == (most == 0 ? expected.size() : std::min(most, expected.size())), "for_each stops in time");
  std::vector<std::string_view> into(most, "untouched");
  require(fields(line, delimiter, into) == expected.size(), "split counts the fields");
  for (std::size_t i = 0; i < most; ++i) {
    require(into[i] == (i < expected.size() ? expected[i] : "untouched"), "split stores the fields that fit");
  }
}

// A source from block to block, with carries and jumps.
void check_source(FuzzedDataProvider& from) {
  std::vector<std::uint32_t> steps(from.ConsumeIntegralInRange<std::size_t>(1, 40));
  for (std::uint32_t& step : steps) step = from.ConsumeIntegral<std::uint32_t>();
  const delivery given(from);
  source opened(given.from(), given.reading());
  const std::uint64_t end = given.start() + given.text().size();
  std::uint64_t place = given.start();
  std::size_t last = 0;
  for (const std::uint32_t step : steps) {
    if (step % 4 == 0 && opened.seekable()) {
      place = given.start() + (step >> 2U) % (given.text().size() + 100);
      opened.seek(place);
      last = 0;
      continue;
    }
    const std::size_t keep = last == 0 ? 0 : (step >> 2U) % (last + 1);
    const block next = opened.next(keep);
    const std::uint64_t fresh = next.size() - keep;
    require(next.size() >= keep, "a block holds the carry");
    require(place < end ? fresh != 0 && place + fresh <= end : fresh == 0, "a block ends within the input");
    if (!next.empty()) {
      require(next.offset == place - keep, "a block knows its offset");
      require(next.bytes == given.text().substr(next.offset - given.start(), next.size()),
              "a block holds the bytes at its offset");
    }
    place += fresh;
    last = next.size();
    opened.check();
  }
}

struct triple {
  char bytes[3];
};

}  // namespace
}  // namespace riffle::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace riffle::fuzz;
  constexpr void (*checks[])(FuzzedDataProvider&) = {check_lines,
                                                     check_words,
                                                     check_each_way,
                                                     check_fields,
                                                     check_source,
                                                     check_lines,
                                                     check_words,
                                                     check_values<std::uint8_t>,
                                                     check_values<std::int16_t>,
                                                     check_values<std::uint32_t>,
                                                     check_values<std::int64_t>,
                                                     check_values<float>,
                                                     check_values<double>,
                                                     check_values<triple>};
  FuzzedDataProvider from(data, size);
  from.PickValueInArray(checks)(from);
  return 0;
}
