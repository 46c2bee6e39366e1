/// Searches, masks made in the caller's code and sums are those of plain loops, between guard pages.
#include <riffle/detail/mask_scan.hpp>
#include <riffle/scan.hpp>
#include <riffle/sum.hpp>

#include <bit>
#include <cmath>

#include "tests/kernel/compare.hpp"
#include "tests/support/guarded.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

// Around the borders of masks (64), of the first look (256) and of batches (4096).
TEST(find, the_first_match_at_every_place) {
  for (const std::size_t size : {1U, 63U, 64U, 65U, 255U, 256U, 257U, 4351U, 4352U, 4353U, 9000U}) {
    std::string text(size, '.');
    for (std::size_t place = 0; place < size; place += size < 300 ? 1 : 61) {
      text[place] = 'x';
      text.back() = 'y';
      for (const std::size_t from : {std::size_t{0}, place, place + 1}) {
        ASSERT_EQ(scan::find_byte(text, 'x', from), text.find('x', from))
            << size << ' ' << place << ' ' << from;
        ASSERT_EQ(scan::find_any_of(text, "xy", from), text.find_first_of("xy", from));
      }
      text[place] = '.';
    }
  }
}

// The answers of each SIMD kernel are in utf8_test.cpp; here, where the function says that there is none.
TEST(find, nothing_in_nothing_and_invalid_utf8) {
  EXPECT_EQ(scan::find_byte({}, 'a'), std::string_view::npos);
  EXPECT_EQ(scan::find_byte("abc", 'c', 3), std::string_view::npos);
  EXPECT_EQ(scan::find_byte("abc", 'c', 100), std::string_view::npos);
  EXPECT_EQ(scan::find_any_of("abc", ""), std::string_view::npos);
  EXPECT_EQ(scan::find_invalid_utf8({}), std::string_view::npos);
  EXPECT_EQ(scan::find_invalid_utf8("na\u00EFve \u20AC"), std::string_view::npos);
  EXPECT_EQ(scan::find_invalid_utf8("ab\xE2\x82"), 2U);  // cut short
  EXPECT_EQ(scan::find_invalid_utf8("\xFF"), 0U);
  EXPECT_EQ(scan::find_invalid_utf8("\u00E9\xED\xA0\x80 \xFF"), 2U);  // a surrogate
  const std::string text(5000, '.');
  EXPECT_EQ(scan::find_invalid_utf8(text), std::string_view::npos);
  EXPECT_EQ(scan::find_invalid_utf8(text + "\x80"), text.size());
}

template <class Bytes>
class inline_masks : public testing::Test {};

using forms = testing::Types<detail::word_bytes, detail::inline_bytes>;
TYPED_TEST_SUITE(inline_masks, forms, );

template <class Belongs>
std::uint64_t naive_mask(std::string_view bytes, Belongs belongs) {
  std::uint64_t mask = 0;
  for (std::size_t i = 0; i < std::min<std::size_t>(bytes.size(), 64); ++i) {
    if (belongs(bytes[i])) mask |= std::uint64_t{1} << i;
  }
  return mask;
}

template <class Bytes>
void expect_right(std::string_view bytes, char wanted) {
  const auto equal = [wanted](const Bytes& all) { return all.equal(wanted); };
  const auto white = [](const Bytes& all) { return all.white_space(); };
  ASSERT_EQ(detail::inline_mask<Bytes>(bytes.data(), bytes.size(), equal),
            naive_mask(bytes, [wanted](char byte) { return byte == wanted; }))
      << bytes.size() << ' ' << static_cast<int>(wanted);
  ASSERT_EQ(detail::inline_mask<Bytes>(bytes.data(), bytes.size(), white),
            naive_mask(bytes, [](char byte) { return word_separators.contains(byte); }))
      << bytes.size();
}

TYPED_TEST(inline_masks, of_every_size_stay_within_the_bytes) {
  const std::string text = random_text(80, 1, {",x \t\0\x80\xff", 7});
  guarded memory(80);
  for (std::size_t size = 0; size <= 80; ++size) {
    for (const std::span<char> bytes : {memory.first(size), memory.last(size)}) {
      std::copy_n(text.end() - static_cast<std::ptrdiff_t>(size), size, bytes.begin());
      for (const char wanted : {',', '\0', '\x80', '\xff'}) {
        expect_right<TypeParam>({bytes.data(), size}, wanted);
      }
    }
  }
}

// Each byte value beside each of its neighbours, into which a carry would go.
TYPED_TEST(inline_masks, tell_every_byte_value_from_every_other) {
  for (int value = 0; value < 256; ++value) {
    std::string pairs;
    for (int other = 0; other < 256; ++other) {
      pairs += static_cast<char>(value);
      pairs += static_cast<char>(other);
    }
    for (std::size_t place = 0; place < pairs.size(); place += 64) {
      expect_right<TypeParam>(std::string_view(pairs).substr(place), static_cast<char>(value));
    }
  }
}

// The least and the most of each type, more of them than a kernel's narrow counters hold.
TEST_P(each_kernel, adds_the_extremes_of_integers) {
  constexpr bool little = std::endian::native == std::endian::little;
  for (const std::size_t size : {1U, 2U, 4U, 8U}) {
    for (const auto& [high, others] : {std::pair('\x80', '\0'), std::pair('\x7F', '\xFF'),
                                       std::pair('\xFF', '\xFF'), std::pair('\0', '\0')}) {
      std::string value(size, others);
      (little ? value.back() : value.front()) = high;
      for (const std::size_t offset : {0U, 1U, 7U}) {
        std::string text(offset, '\0');
        for (std::size_t i = 0; i < 100'003; ++i) text += value;
        compare({.text = std::string_view(text).substr(offset)}, "sum_");
      }
    }
  }
}

template <class T>
std::string random_floats(std::size_t count, std::mt19937_64& random) {
  std::uniform_real_distribution<double> exponent(-60.0, 60.0);
  std::string bytes;
  while (bytes.size() != count * sizeof(T)) {
    const T value = static_cast<T>(std::exp2(exponent(random)) * (random() % 2 == 0 ? 1 : -1));
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  return bytes;
}

TEST_P(each_kernel, adds_floats_in_the_same_order) {
  std::mt19937_64 random(4);
  for (std::size_t count = 0; count <= 300; ++count) {
    compare_beside_guard_pages({.text = random_floats<float>(count, random)}, "add_f32");
    compare_beside_guard_pages({.text = random_floats<double>(count, random)}, "add_f64");
  }
}

// To the last bit.
template <class T>
void expect_same_for_every_block(std::string_view bytes, std::size_t longest) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  const auto whole = scan::sum(std::span<const T>(values));
  for (std::size_t block = 1; block < longest; ++block) {
    summer<T> total;
    for (std::size_t at = 0; at < bytes.size(); at += block) total.add_bytes(bytes.substr(at, block));
    ASSERT_EQ(std::bit_cast<std::uint64_t>(total.result()), std::bit_cast<std::uint64_t>(whole))
        << "block " << block;
  }
}

TEST(summer, gives_the_same_for_every_block_size) {
  std::mt19937_64 random(5);
  expect_same_for_every_block<double>(random_floats<double>(1000, random), 600);
  expect_same_for_every_block<std::int32_t>(random_text(500 * sizeof(std::int32_t), 6), 300);
}

template <std::integral T>
void expect_overflow_past(T last, T beyond, T back) {
  summer<T> total;
  total.add(std::vector<T>{last});
  EXPECT_EQ(total.result(), last);
  total.add(std::vector<T>{beyond});
  EXPECT_EQ(code_of([&] { (void)total.result(); }), make_error_code(errc::sum_overflow));
  const std::vector<T> both{last, beyond};
  EXPECT_EQ(code_of([&] { (void)scan::sum(both); }), make_error_code(errc::sum_overflow));
  if (back == 0) return;
  total.add(std::vector<T>{back});
  EXPECT_EQ(total.result(), last) << "only the result must fit, not the way to it";
}

TEST(summer, refuses_what_does_not_fit_or_was_cut_off) {
  expect_overflow_past<std::int64_t>(std::numeric_limits<std::int64_t>::max(), 1, -1);
  expect_overflow_past<std::int64_t>(std::numeric_limits<std::int64_t>::min(), -1, 1);
  expect_overflow_past<std::uint64_t>(std::numeric_limits<std::uint64_t>::max(), 1, 0);
  summer<double> total;
  total.add_bytes(std::string_view("\0\0\0\0\0\0\0", 7));
  EXPECT_EQ(code_of([&] { (void)total.result(); }), make_error_code(errc::partial_value));
  total.add_bytes(std::string_view());
  total.add_bytes(std::string_view("\0", 1));
  EXPECT_EQ(total.result(), 0.0);
}

TEST(sum_state, gives_the_sum_of_integers_in_128_bits) {
  detail::sum_state total(detail::element::i64);
  const std::int64_t least = std::numeric_limits<std::int64_t>::min();
  for (int i = 0; i != 3; ++i) total.add(reinterpret_cast<const char*>(&least), sizeof(least));
  // -3 * 2^63 = -2 * 2^64 + 2^63
  EXPECT_EQ(total.exact_result(),
            (std::array<std::uint64_t, 2>{std::uint64_t{1} << 63U, ~std::uint64_t{0} - 1}));
  total.add("cut", 3);
  EXPECT_EQ(code_of([&] { (void)total.exact_result(); }), make_error_code(errc::partial_value));
}

TEST(sum, takes_every_integer_and_float_type_and_passes_nan_and_infinity_on) {
  EXPECT_EQ(scan::sum(std::span<const char>("\x01\x02", 2)), 3);
  EXPECT_EQ(scan::sum(std::span<const signed char>()), 0);
  EXPECT_EQ(scan::sum(std::vector<long>{-1, -2}), -3);
  EXPECT_EQ(scan::sum(std::span<const long long>(std::vector<long long>{-1, -2})), -3);
  EXPECT_EQ(scan::sum(std::span<const unsigned long long>(std::vector<unsigned long long>{1, 2})), 3U);
  EXPECT_EQ(scan::sum(std::span<const float>(std::vector<float>{0.5F, 0.25F})), 0.75);
  std::vector<short> writable{1, -2};
  EXPECT_EQ(scan::sum(std::span(writable)), -1);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(scan::sum(std::span<const double>(std::vector<double>{1, infinity})), infinity);
  const double nan = scan::sum(std::vector<double>{infinity, 1, -infinity});
  EXPECT_EQ(std::bit_cast<std::uint64_t>(nan),
            std::bit_cast<std::uint64_t>(std::numeric_limits<double>::quiet_NaN()));
}

}  // namespace
}  // namespace riffle::test
