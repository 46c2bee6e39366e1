/// Numbers of a text are what the fields of rows are, whatever the block cuts; what is none is named.
#include <riffle/detail/field_value.hpp>
#include <riffle/numbers.hpp>

#include <cmath>

#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

// A number as its bytes, by which -0 and 0 differ.
template <class T>
std::string text_of(T value) {
  std::ostringstream out;
  out.precision(20);
  out << +value << (std::is_floating_point_v<T> && std::signbit(static_cast<double>(value)) ? " -" : "");
  return std::isnan(static_cast<double>(value)) ? "nan" : out.str();
}

// The numbers of a text, and the failure that ends them.
struct found_numbers {
  std::vector<std::string> numbers = {};
  std::error_code code = {};
  std::optional<std::uint64_t> offset = {};
  friend bool operator==(const found_numbers&, const found_numbers&) = default;
  friend std::ostream& operator<<(std::ostream& out, const found_numbers& all) {
    for (const std::string& each : all.numbers) out << each << ", ";
    return out << all.code << " at " << all.offset.value_or(0);
  }
};

// Calls `f` with what takes a number.
template <class F>
found_numbers collect(F f) {
  found_numbers found;
  const auto failure = error_of([&] { f([&](auto value) { found.numbers.push_back(text_of(value)); }); });
  if (failure) {
    found.code = failure->code();
    found.offset = failure->offset();
  }
  return found;
}

// By the words of a plain loop, and what makes values of fields.
template <class T>
found_numbers naive_numbers(std::string_view text) {
  found_numbers found;
  std::size_t place = 0;
  for (const std::string& word : naive_words(text)) {
    place = text.find(word, place);
    const auto value = detail::field_traits<T>::convert(word);
    if (value.result != detail::outcome::done) {
      found.code = value.result == detail::outcome::bad_value ? errc::bad_value : errc::value_out_of_range;
      found.offset = place;
      return found;
    }
    found.numbers.push_back(text_of(value.value));
    place += word.size();
  }
  return found;
}

template <class T>
found_numbers by_reader(const input& from, const read_options& reading = {}) {
  return collect([&](auto take) {
    reader in(from, reading);
    while (const auto value = in.number<T>()) take(*value);
  });
}

template <class T>
found_numbers by_range(const input& from, const read_options& reading = {}) {
  return collect([&](auto take) {
    for (const T value : numbers<T>(from, reading)) take(value);
  });
}

template <class T>
class numbers_of_text : public testing::Test {};
using number_types =
    testing::Types<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t, long,
                   unsigned long, long long, unsigned long long, float, double>;
TYPED_TEST_SUITE(numbers_of_text, number_types);

// Numbers of each kind and length, and some that are none, with white space of any kind between them.
std::string mixed_numbers(std::mt19937& random) {
  static const std::vector<std::string> texts = naive_fields(
      "0|-0|+7|12|-1|127|128|255|256|-128|-129|32767|65535|65536|1.5|-0.25|.5|5.|1e3|25e-1|1e-400|"
      "1e400|inf|-Infinity|nan|NaN|99999999|123456789012|-2147483648|1e22|1e23|-1.5E+10|1e|e1|+-1|--1|"
      "-+1|12abc|1,2|nan(1)|+|-|.|1e99999|1e00005|2E-0003|1e18446744073709551621|0x10|1e-22|1e-23|4294967296|"
      "1 2|1\xC2\xA0|18446744073709551615|18446744073709551616|9223372036854775807|-9223372036854775808|"
      "-9223372036854775809|3.14159265358979323846|9007199254740993|179769313486231580793e289|"
      "0.000000000000000000000000000000000000000001|16777217|16777216.5|3.4028236e38",
      '|');
  static constexpr std::string_view white = " \t\n\v\f\r";
  std::string text;
  const auto gap = [&] {
    for (auto i = random() % 20 == 0 ? random() % 70 : random() % 3; i != 0; --i)
      text += white[random() % white.size()];
  };
  gap();
  const auto kind = random() % 4;
  const auto next = [&] {
    if (kind == 0) return std::to_string(random() % 100);
    // Rounded twice, a float of so many digits is often wrong.
    if (kind == 1) return std::to_string(random() % 10) + "." + std::to_string(random());
    return texts[random() % texts.size()];
  };
  for (auto i = random() % 30; i != 0; --i) {
    text += next();
    text += white[random() % white.size()];
    gap();
  }
  if (random() % 2 == 0) text += next();
  return text;
}

TYPED_TEST(numbers_of_text, are_what_fields_are) {
  std::mt19937 random(5);
  for (unsigned i = 0; i != 1000; ++i) {
    const std::string text = mixed_numbers(random);
    const found_numbers expected = naive_numbers<TypeParam>(text);
    ASSERT_EQ(by_reader<TypeParam>(memory(text)), expected) << text;
    ASSERT_EQ(by_range<TypeParam>(memory(text)), expected) << text;
    bytes_in_order source{{text}};
    ASSERT_EQ(by_range<TypeParam>(source, {.block_size = i % 40 + 1}), expected) << text;
  }
}

EACH_METHOD(each_number_method);

TEST_P(each_number_method, joins_what_blocks_cut) {
  std::mt19937 random(7);
  for (int i = 0; i != 5; ++i) {
    const temporary_file file(mixed_numbers(random));
    const found_numbers expected = naive_numbers<double>(file.contents());
    for (const std::size_t size : {1U, 2U, 3U, 7U, 16U, 17U, 40U}) {
      const read_options reading{.method = GetParam(), .block_size = size};
      ASSERT_EQ(by_reader<double>(file.path(), reading), expected) << file.contents() << size;
      ASSERT_EQ(by_range<double>(file.path(), reading), expected) << file.contents() << size;
    }
  }
}

template <class T>
std::string message_of(const std::string& text) {
  const auto failure = error_of([&] {
    for (const T value : numbers<T>(input(memory(text), "x"))) std::ignore = value;
  });
  return failure ? failure->what() : "";
}

TEST(number, says_where_and_what_is_no_number) {
  EXPECT_EQ(message_of<int>("1 2\n 12abc 3"), "cannot read 'x' at byte 5: '12abc' is no i32");
  EXPECT_EQ(message_of<std::int64_t>("1.5 "), "cannot read 'x' at byte 0: '1.5' is no i64");
  EXPECT_EQ(message_of<double>("0.5 1e400 1"), "cannot read 'x' at byte 4: '1e400' is out of range of f64");
  EXPECT_EQ(message_of<float>("0.5 -1e39 1"), "cannot read 'x' at byte 4: '-1e39' is out of range of f32");
  EXPECT_EQ(message_of<std::uint8_t>("-1"), "cannot read 'x' at byte 0: '-1' is no u8");
  EXPECT_EQ(message_of<std::uint8_t>("300"), "cannot read 'x' at byte 0: '300' is out of range of u8");
  EXPECT_EQ(message_of<double>("\n0x10"), "cannot read 'x' at byte 1: '0x10' is no number");
  EXPECT_EQ(message_of<float>("1 " + std::string(50, 'y')),
            "cannot read 'x' at byte 2: '" + std::string(40, 'y') + "' is no number");
}

// A binary file must not be read whole in search of white space.
TEST(number, has_at_most_4096_bytes) {
  for (const std::string& before : {std::string("7 "), std::string(5000, ' ')}) {
    const std::string longest = before + std::string(4095, '0') + "1";
    for (const std::string after : {"", " ", "\n2", " 2 3 4 5 6 7 8 9"}) {
      EXPECT_EQ(message_of<int>(longest + after), "");
      EXPECT_EQ(message_of<double>(longest + after), "");
      const std::string longer = std::string(longest) += "1";
      const std::string refused = "cannot read 'x' at byte " + std::to_string(before.size()) +
                                  ": the record is longer than the limit; a number has at most 4096 bytes";
      EXPECT_EQ(message_of<int>(longer + after), refused);
      EXPECT_EQ(message_of<double>(longer + after), refused);
    }
  }
  bytes_in_order endless{{std::string(1'000'000, 'x')}};
  EXPECT_EQ(code_of([&] { (void)reader(endless, {.block_size = 1000}).number<double>(); }),
            errc::record_too_long);
  EXPECT_LT(endless.given, 10'000U);
}

TEST(number, stands_at_the_text_that_is_none) {
  reader in(memory("name 1.5 12abc\n7"));
  EXPECT_EQ(error_of([&] { (void)in.number<double>(); })->offset(), 0U);
  EXPECT_EQ(in.offset(), 0U);
  EXPECT_EQ(in.bytes(4), "name");
  EXPECT_EQ(in.number<double>(), 1.5);
  EXPECT_EQ(error_of([&] { (void)in.number<int>(); })->offset(), 9U);
  EXPECT_EQ(error_of([&] { (void)in.number<int>(); })->offset(), 9U) << "nothing was taken";
  EXPECT_EQ(in.line(), "12abc");
  EXPECT_EQ(in.number<int>(), 7);
  EXPECT_EQ(in.number<int>(), std::nullopt);
  EXPECT_EQ(in.number<int>(), std::nullopt);
  EXPECT_TRUE(in.at_end());
}

TEST(number, can_be_given_back) {
  const std::string text = "  12 \n345 6";
  for (std::size_t size = 1; size != 12; ++size) {
    bytes_in_order source{{text}};
    reader in(source, {.block_size = size});
    EXPECT_EQ(in.number<int>(), 12);
    EXPECT_EQ(code_of([&] { in.unread(3); }), errc::invalid_argument) << "not the white space";
    in.unread(1);
    EXPECT_EQ(in.number<int>(), 2);
    EXPECT_EQ(in.number<double>(), 345.0);
    in.unread(3);
    EXPECT_EQ(in.line(), "345 6");
    EXPECT_EQ(in.number<int>(), std::nullopt);
    EXPECT_EQ(code_of([&] { in.unread(1); }), errc::invalid_argument);
  }
}

TEST(numbers, go_on_after_a_break_and_are_a_range) {
  auto all = numbers<int>(memory("1 2 3 4"));
  static_assert(std::ranges::input_range<decltype(all)>);
  for (const int value : all) {
    if (value == 2) break;
  }
  std::vector<int> rest;
  for_each(all, [&](int value) { rest.push_back(value); });
  EXPECT_EQ(rest, (std::vector<int>{3, 4}));
  EXPECT_EQ(code_of([&] { std::ignore = numbers<int>("/no such file"); }),
            std::errc::no_such_file_or_directory);
}

// What the documentation says of `in >> x` beside it.
TEST(number, differs_from_a_stream_as_the_guide_says) {
  const auto by_stream = [](const char* text, auto value) {
    std::istringstream in(text);
    in >> value;
    std::string rest;
    in.clear();
    in >> rest;
    return std::pair(value, rest);
  };
  EXPECT_EQ(by_stream("12abc", 0), std::pair(12, std::string("abc")));
  EXPECT_EQ(message_of<int>("12abc"), "cannot read 'x' at byte 0: '12abc' is no i32");
  EXPECT_EQ(by_stream("1.5", 0), std::pair(1, std::string(".5")));
  EXPECT_EQ(by_stream("99999999999", 0).first, std::numeric_limits<int>::max());
  EXPECT_EQ(by_stream("-1", 0U).first, std::numeric_limits<unsigned>::max());
  EXPECT_EQ(by_stream("1", std::uint8_t{}).first, '1');
  EXPECT_EQ(reader(memory("1")).number<std::uint8_t>(), std::uint8_t{1});
  EXPECT_EQ(by_stream("inf", 1.0).first, 0.0);
  EXPECT_EQ(reader(memory("inf")).number<double>(), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace riffle::test
