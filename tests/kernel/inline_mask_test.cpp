/// The masks that are made in the caller's code, of both forms, against plain loops, between guard pages.
#include <gtest/gtest.h>
#include <riffle/detail/inline_mask.hpp>
#include <riffle/scan.hpp>

#include <algorithm>
#include <string>

#include "tests/support/guarded.hpp"
#include "tests/support/oracles.hpp"

namespace riffle::test {
namespace {

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
            naive_mask(bytes, [](char byte) { return white_space.contains(byte); }))
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

}  // namespace
}  // namespace riffle::test
