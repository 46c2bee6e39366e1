/// Any split of any bytes among threads gives the bytes in order, cut at records, and the counts of one loop.
#include <bit>
#include <mutex>

#include "fuzz/support/delivery.hpp"
#include "tests/support/oracles.hpp"

namespace riffle::fuzz {
namespace {

parallel_options splitting_of(FuzzedDataProvider& from) {
  constexpr std::size_t sizes[] = {1, 2, 7, 64, 100, 4096, 5000, 20'000, 0};
  parallel_options options{.threads = from.ConsumeIntegralInRange<unsigned>(1, 4),
                           .split_size = from.PickValueInArray(sizes)};
  const unsigned kind = from.ConsumeIntegralInRange<unsigned>(0, 2);
  if (kind == 1) options.delimiter = from.ConsumeIntegral<char>();
  if (kind == 2) {
    options.delimiter = std::nullopt;
    options.record_size = from.ConsumeIntegralInRange<std::size_t>(1, 100);
  }
  return options;
}

// A split is cut behind a delimiter or a whole record, so its end is one too, or the end of the input.
void check_cut(const block& split, const delivery& given, const parallel_options& splitting) {
  const std::uint64_t end = split.offset + split.size() - given.start();
  require(end <= given.text().size(), "a split lies within the input");
  require(split.bytes == given.text().substr(split.offset - given.start(), split.size()),
          "a split holds the bytes at its offset");
  if (end == given.text().size()) return;
  if (splitting.delimiter) {
    require(split.bytes.ends_with(*splitting.delimiter), "a split ends behind a delimiter");
  } else {
    require(split.size() % splitting.record_size == 0, "a split holds whole records");
  }
}

void check_reduce(FuzzedDataProvider& from) {
  const parallel_options splitting = splitting_of(from);
  const delivery given(from);
  const auto map = [&](const block& split) {
    check_cut(split, given, splitting);
    return std::string(split.bytes);
  };
  require(parallel_reduce(given.from(), std::string(), map, std::plus<>(), splitting, given.reading()) ==
              given.text(),
          "the splits in their order are the input");
}

void check_for_each(FuzzedDataProvider& from) {
  const parallel_options splitting = splitting_of(from);
  const delivery given(from);
  std::mutex mutex;
  std::string found(given.text().size(), '\0');
  std::size_t size = 0;
  const auto take = [&](const block& split) {
    check_cut(split, given, splitting);
    const std::lock_guard lock(mutex);
    size += split.size();
    std::ranges::copy(split.bytes, found.begin() + static_cast<std::ptrdiff_t>(split.offset - given.start()));
  };
  parallel_for_each(given.from(), take, splitting, given.reading());
  require(size == found.size() && found == given.text(), "each byte is in one split");
}

// What no way of the tests counts. Only one thread has small blocks; the splits of several are 4 MiB.
void check_counts(FuzzedDataProvider& from) {
  const count_options options{.threads = from.ConsumeIntegralInRange<unsigned>(1, 3)};
  const std::string set = from.ConsumeBytesAsString(from.ConsumeIntegralInRange<std::size_t>(1, 40));
  const unsigned what = from.ConsumeIntegralInRange<unsigned>(0, 3);
  const delivery given(from);
  const auto expect = [&](std::uint64_t found, auto counts, const char* name) {
    require(found == static_cast<std::uint64_t>(std::ranges::count_if(given.text(), counts)), name);
  };
  const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; };
  if (what == 0) return expect(count_utf8(given.from(), options, given.reading()), begins, "count_utf8");
  if (what == 3) {
    std::uint64_t expected = 0;
    for (std::size_t at = 0; (at = given.text().find(set, at)) != std::string_view::npos; at += set.size())
      ++expected;
    return require(count_occurrences(given.from(), set, options, given.reading()) == expected,
                   "count_occurrences");
  }
  const std::string one = what == 1 ? set.substr(0, 1) : set;
  const auto is_one = [&](char c) { return one.find(c) != std::string::npos; };
  const std::uint64_t found = what == 1 ? count_byte(given.from(), one[0], options, given.reading())
                                        : count_any_of(given.from(), one, options, given.reading());
  expect(found, is_one, "count_byte or count_any_of");
}

// Integers that cannot overflow, in both byte orders.
template <class T>
void check_sum(FuzzedDataProvider& from) {
  const sum_options options{.order = from.ConsumeBool() ? std::endian::big : std::endian::native,
                            .threads = from.ConsumeIntegralInRange<unsigned>(1, 3)};
  const delivery given(from);
  const std::string whole = test::naive_values(given.text(), sizeof(T), options.order != std::endian::native);
  sum_t<T> expected = 0;
  for (std::size_t place = 0; place != whole.size(); place += sizeof(T)) {
    T value{};
    std::memcpy(&value, whole.data() + place, sizeof(T));
    expected += value;
  }
  const auto failure =
      test::error_of([&] { require(sum<T>(given.from(), options, given.reading()) == expected, "sum"); });
  require(failure.has_value() == (whole.size() != given.text().size()), "a part of a value is an error");
  if (failure) {
    require(failure->code() == errc::partial_value, failure->what());
    require(failure->offset() == given.start() + whole.size(), failure->what());
  }
}

// Many files at once; each has the same bytes, and the results come in their order.
void check_files(FuzzedDataProvider& from) {
  const parallel_options splitting = splitting_of(from);
  const std::size_t count = from.ConsumeIntegralInRange<std::size_t>(0, 5);
  const std::string text = text_of(from);
  static const scratch_file file;
  file.write(text);
  const std::vector<std::string> paths(count, file.path());
  std::size_t next = 0;
  parallel_files(
      paths, std::string(), [](std::string_view split) { return std::string(split); }, std::plus<>(),
      [&](std::size_t index, const std::string& found, const error* failure) {
        require(index == next++, "the results come in order");
        require(failure == nullptr && found == text, "each file is whole");
      },
      splitting);
  require(next == count, "every file is reported");
}

}  // namespace
}  // namespace riffle::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace riffle::fuzz;
  constexpr void (*checks[])(FuzzedDataProvider&) = {
      check_reduce,           check_for_each,           check_counts,           check_counts, check_files,
      check_sum<std::int8_t>, check_sum<std::uint16_t>, check_sum<std::int32_t>};
  FuzzedDataProvider from(data, size);
  from.PickValueInArray(checks)(from);
  return 0;
}
