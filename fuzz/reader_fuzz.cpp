/// Any sequence of calls of a reader gives what the same steps over the bytes in memory give.
#include <bit>

#include "fuzz/support/delivery.hpp"
#include "tests/support/oracles.hpp"

namespace riffle::fuzz {
namespace {

struct record {
  std::uint16_t id;
  std::uint32_t size;
};

// A reader, and the place where the oracle stands in the text.
class pair {
 public:
  explicit pair(const delivery& given)
      : reader_(given.from(), given.reading()), text_(given.text()), start_(given.start()) {}

  void step(unsigned what, std::uint64_t number) {
    switch (what % 10) {
      case 0:
        return get<std::uint8_t>(number);
      case 1:
        return get<std::uint32_t>(number);
      case 2:
        return get<double>(number);
      case 3:
        return take<std::uint16_t>(number);
      case 4:
        return take<record>(number);
      case 5:
        return bytes(number);
      case 6:
        return skip(number);
      case 7:
        return line(number);
      case 8:
        return get_several(number);
      default:
        require(reader_.at_end() == left().empty(), "at_end tells the end");
    }
  }
  void check_offset() { require(reader_.offset() == start_ + place_, "the offset is that of the next byte"); }

 private:
  std::string_view left() const { return text_.substr(place_); }

  // Calls `f`, which takes `size` bytes if they are there. Returns whether it did.
  template <class F>
  bool takes(std::uint64_t size, F f) {
    const auto failure = test::error_of(f);
    require(failure.has_value() == (size > left().size()), "what is there is taken, and no more");
    if (!failure) {
      place_ += size;
      return true;
    }
    require(failure->code() == errc::unexpected_end, failure->what());
    return false;
  }

  template <class T>
  void get(std::uint64_t number) {
    const bool swapped = (number & 1U) != 0;
    std::string expected(left().substr(0, sizeof(T)));
    if (swapped) std::ranges::reverse(expected);
    T value{};
    if (!takes(sizeof(T), [&] { value = reader_.get<T>(swapped ? std::endian::big : std::endian::native); }))
      return;
    require(std::memcmp(&value, expected.data(), sizeof(T)) == 0, "get gives the value");
  }

  // Packed values of 1, 4, 2 and 8 bytes, by one call.
  void get_several(std::uint64_t number) {
    const bool swapped = (number & 1U) != 0;
    const std::string_view expected = left();
    std::tuple<std::uint8_t, std::uint32_t, std::uint16_t, double> found;
    const auto order = swapped ? std::endian::big : std::endian::native;
    if (!takes(15, [&] { found = reader_.get<std::uint8_t, std::uint32_t, std::uint16_t, double>(order); }))
      return;
    std::size_t at = 0;
    const auto check = [&](const auto& value) {
      std::string bytes(expected.substr(at, sizeof(value)));
      if (swapped) std::ranges::reverse(bytes);
      require(std::memcmp(&value, bytes.data(), sizeof(value)) == 0, "get gives each value");
      at += sizeof(value);
    };
    std::apply([&](const auto&... values) { (check(values), ...); }, found);
  }

  template <class T>
  void take(std::uint64_t number) {
    const std::uint64_t count = number % 16 == 15 ? number : number % 700;  // or a hostile length
    if (count > SIZE_MAX / sizeof(T)) {
      require(!takes(UINT64_MAX, [&] { static_cast<void>(reader_.take<T>(count)); }),
              "nothing holds that many");
      return;
    }
    std::span<const T> values;
    const std::string_view expected = left();
    if (!takes(count * sizeof(T), [&] { values = reader_.take<T>(count); })) return;
    require(values.size() == count, "take gives the values");
    require(count == 0 || reinterpret_cast<std::uintptr_t>(values.data()) % alignof(T) == 0,
            "they are aligned");
    require(count == 0 || std::memcmp(values.data(), expected.data(), values.size_bytes()) == 0,
            "take gives the bytes");
  }

  void bytes(std::uint64_t number) {
    const std::uint64_t count = number % 16 == 15 ? number : number % 5000;
    std::string_view found;
    const std::string_view expected = left();
    if (!takes(count, [&] { found = reader_.bytes(count); })) return;
    require(found == expected.substr(0, count), "bytes gives the bytes");
  }

  void skip(std::uint64_t number) {
    const std::uint64_t count = number % 16 == 15 ? number : number % 5000;
    if (takes(count, [&] { reader_.skip(count); })) return;
    if (!reader_.from().seekable()) place_ = text_.size();
  }

  void line(std::uint64_t number) {
    const line_options options{.delimiter = (number & 1U) != 0 ? '\n' : static_cast<char>(number >> 8U),
                               .keep_delimiter = (number & 2U) != 0,
                               .strip_cr = (number & 4U) != 0};
    const std::size_t stop = left().find(options.delimiter);
    const std::size_t size = std::min(left().size(), stop == std::string_view::npos ? stop : stop + 1);
    const std::vector<std::string> expected = test::naive_lines(left().substr(0, size), options);
    const std::optional<std::string_view> found = reader_.line(options);
    require(found.has_value() == !expected.empty(), "line tells the end");
    require(!found || *found == expected.front(), "line gives the line");
    place_ += size;
  }

  reader reader_;
  std::string_view text_;
  std::uint64_t start_;
  std::size_t place_ = 0;
};

}  // namespace
}  // namespace riffle::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace riffle::fuzz;
  FuzzedDataProvider from(data, size);
  std::vector<std::pair<std::uint8_t, std::uint64_t>> steps(from.ConsumeIntegralInRange<std::size_t>(1, 40));
  for (auto& [what, number] : steps) {
    what = from.ConsumeIntegral<std::uint8_t>();
    number =
        from.ConsumeBool() ? from.ConsumeIntegral<std::uint64_t>() : from.ConsumeIntegral<std::uint16_t>();
  }
  const delivery given(from);
  pair both(given);
  for (const auto& [what, number] : steps) {
    both.step(what, number);
    both.check_offset();
  }
  return 0;
}
