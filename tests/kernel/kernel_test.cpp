/// Every kernel gives the answer of the plainest loop, for every
/// size, alignment and byte, and never reads outside its data.
#include "kernel/kernels.hpp"

#include <gtest/gtest.h>
#include <riffle/detail/place_scan.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "kernel/simd.hpp"
#include "tests/support/guarded.hpp"

namespace riffle::test {
namespace {

using kernel::table;

std::string random_bytes(std::size_t size, unsigned seed, std::string_view alphabet = {}) {
  std::mt19937 random(seed);
  std::string bytes(size, '\0');
  for (char& byte : bytes) {
    byte = alphabet.empty() ? static_cast<char>(random() & 0xFFU) : alphabet[random() % alphabet.size()];
  }
  return bytes;
}

std::vector<byte_set> sets() {
  std::vector<byte_set> list{byte_set(),           byte_set("\n"),      byte_set("cCgG"),
                             white_space,          byte_set(",\n\r\""), byte_set("ab\x80\xFF"),
                             byte_set("\x80\x8F"), byte_set("aA0"),     byte_set(" \t\xA0"),
                             byte_set("apc"),      byte_set("\x01\x80")};
  byte_set full;
  byte_set upper_half;
  byte_set all_but_one;
  for (unsigned byte = 0; byte < 256; ++byte) {
    full.add(static_cast<char>(byte));
    if (byte >= 0x80) upper_half.add(static_cast<char>(byte));
    if (byte != 'x') all_but_one.add(static_cast<char>(byte));
  }
  list.insert(list.end(), {full, upper_half, all_but_one});
  for (unsigned seed = 0; seed < 24; ++seed) list.emplace_back(random_bytes(1U << (seed % 8), seed));
  return list;
}

template <class Matches>
std::vector<std::uint64_t> expected_masks(std::string_view data, Matches matches) {
  std::vector<std::uint64_t> masks(scan::mask_words(data.size()));
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (matches(data[i])) masks[i / 64] |= std::uint64_t{1} << (i % 64);
  }
  return masks;
}

std::uint64_t expected_words(std::string_view data, bool in_word) {
  std::uint64_t words = 0;
  for (const char c : data) {
    const bool now = std::string_view("\t\n\v\f\r ").find(c) == std::string_view::npos;
    if (now && !in_word) ++words;
    in_word = now;
  }
  return words;
}

/// Masks from `match`, which must not touch the word behind the last.
template <class Match>
std::vector<std::uint64_t> actual_masks(std::string_view data, Match match) {
  constexpr std::uint64_t untouched = 0x5A5A5A5A5A5A5A5AU;
  std::vector<std::uint64_t> masks(scan::mask_words(data.size()) + 1, untouched);
  match(masks.data());
  EXPECT_EQ(masks.back(), untouched);
  masks.pop_back();
  return masks;
}

void expect_byte_kernels(const table& kernel, std::string_view data, char byte) {
  const auto same = [byte](char c) { return c == byte; };
  EXPECT_EQ(kernel.count_byte(data.data(), data.size(), byte),
            static_cast<std::uint64_t>(std::ranges::count_if(data, same)));
  EXPECT_EQ(
      actual_masks(data, [&](auto* masks) { kernel.match_byte(data.data(), data.size(), byte, masks); }),
      expected_masks(data, same));
}

void expect_set_kernels(const table& kernel, std::string_view data, const byte_set& set) {
  const auto member = [&set](char c) { return set.contains(c); };
  EXPECT_EQ(kernel.count_set(data.data(), data.size(), set),
            static_cast<std::uint64_t>(std::ranges::count_if(data, member)));
  EXPECT_EQ(actual_masks(data, [&](auto* masks) { kernel.match_set(data.data(), data.size(), set, masks); }),
            expected_masks(data, member));
}

void expect_text_kernels(const table& kernel, std::string_view data) {
  for (const bool in_word : {false, true}) {
    EXPECT_EQ(kernel.count_words(data.data(), data.size(), in_word), expected_words(data, in_word));
  }
  EXPECT_EQ(kernel.count_utf8(data.data(), data.size()),
            static_cast<std::uint64_t>(std::ranges::count_if(
                data, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; })));
}

/// Masks from `match`, with the zeros up to a multiple of 8 and not a word more; and the mask of masks.
template <class Match>
std::vector<std::uint64_t> batch_matches(std::string_view data, Match match) {
  constexpr std::uint64_t untouched = 0x5A5A5A5A5A5A5A5A;
  const std::size_t rounded = (scan::mask_words(data.size()) + 7) / 8 * 8;
  std::vector<std::uint64_t> masks(rounded + 1, untouched);
  const std::uint64_t occupied = match(masks.data());
  EXPECT_EQ(masks.back(), untouched);
  for (std::size_t i = 0; i < 64; ++i) {
    EXPECT_EQ((occupied >> i & 1U) != 0, i < rounded && masks[i] != 0) << "mask " << i;
  }
  for (std::size_t i = scan::mask_words(data.size()); i < rounded; ++i) EXPECT_EQ(masks[i], 0U);
  masks.resize(scan::mask_words(data.size()));
  return masks;
}

/// The places of `byte`, and no write behind the slack.
void expect_places(const table& kernel, std::string_view data, char byte) {
  constexpr std::uint16_t untouched = 0x5A5A;
  std::vector<std::uint16_t> places(data.size() + detail::place_slack + 1, untouched);
  const std::size_t count = kernel.match_delimiter(data.data(), data.size(), byte, places.data());
  EXPECT_EQ(places.back(), untouched);
  std::vector<std::uint16_t> expected;
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (data[i] == byte) expected.push_back(static_cast<std::uint16_t>(i));
  }
  ASSERT_EQ(count, expected.size());
  places.resize(count);
  EXPECT_EQ(places, expected);
}

void expect_batch(const table& kernel, std::string_view data) {
  if (data.size() > 4096) return;  // longer than a batch may be
  expect_places(kernel, data, 'a');
  for (const bool before : {false, true}) {
    bool in_word = before;
    const auto expected = expected_masks(data, [&in_word](char c) {
      const bool was = in_word;
      in_word = !white_space.contains(c);
      return in_word != was;
    });
    bool after = before;
    EXPECT_EQ(batch_matches(data,
                            [&](auto* masks) {
                              return kernel.match_word_edges(data.data(), data.size(), after, masks);
                            }),
              expected);
    EXPECT_EQ(after, in_word);
  }
}

void expect_all(const table& kernel, std::string_view data) {
  expect_batch(kernel, data);
  expect_byte_kernels(kernel, data, 'a');
  expect_set_kernels(kernel, data, byte_set("cCgG"));
  expect_set_kernels(kernel, data, white_space);
  expect_set_kernels(kernel, data, byte_set("\x01z~\x80\xFE\xA0"));
  expect_text_kernels(kernel, data);
}

std::string kernel_name(const testing::TestParamInfo<const table*>& tested) {
  return tested.param->name;
}

class each_kernel : public testing::TestWithParam<const table*> {
 protected:
  const table& kernel() const { return *GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(kernels, each_kernel, testing::ValuesIn(kernel::available()), kernel_name);

TEST_P(each_kernel, accepts_nothing_at_all) {
  const std::string_view nothing;
  ASSERT_EQ(nothing.data(), nullptr);
  expect_all(kernel(), nothing);
  EXPECT_EQ(kernel().sum_i8(nullptr, 0), kernel::wide{});
  EXPECT_EQ(kernel().sum_u64(nullptr, 0), kernel::wide{});
  kernel().add_f64(nullptr, 0, nullptr);
}

TEST_P(each_kernel, reads_nothing_outside_its_data) {
  guarded memory(16384);
  for (std::size_t size = 0; size <= 1100; size += size < 300 ? 1 : 37) {
    const std::string text = random_bytes(size, static_cast<unsigned>(size), "acG \n\tzz\x80\xE2");
    for (const std::span<char> place : {memory.first(size), memory.last(size)}) {
      std::ranges::copy(text, place.begin());
      expect_all(kernel(), {place.data(), place.size()});
      ASSERT_FALSE(HasFailure()) << "size " << size;
    }
  }
}

TEST_P(each_kernel, finds_the_same_at_every_alignment) {
  const std::string text = random_bytes(1200, 1, "acG \n\tzz\x80\xE2");
  for (std::size_t offset = 0; offset <= 64; ++offset) {
    for (const std::size_t size : {1U, 63U, 64U, 65U, 129U, 1000U}) {
      expect_all(kernel(), std::string_view(text).substr(offset, size));
      ASSERT_FALSE(HasFailure()) << "offset " << offset << ", size " << size;
    }
  }
}

TEST_P(each_kernel, tells_all_byte_values_apart) {
  std::string all(256, '\0');
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<char>(i);
  for (const char byte : all) expect_byte_kernels(kernel(), all, byte);
  for (const byte_set& set : sets()) expect_set_kernels(kernel(), all, set);
  for (const char byte : all) expect_set_kernels(kernel(), all, byte_set(std::string_view(&byte, 1)));
  expect_text_kernels(kernel(), all);
}

TEST_P(each_kernel, matches_any_set_in_random_bytes) {
  const std::string bytes = random_bytes(16384 + 77, 2);
  for (const byte_set& set : sets()) expect_set_kernels(kernel(), bytes, set);
  expect_text_kernels(kernel(), bytes);
}

TEST_P(each_kernel, counts_past_what_a_byte_holds) {
  // 255 rounds of four 16, 32 or 64-byte vectors are what four vectors of byte counters hold.
  for (const std::size_t round : {64U, 128U, 256U}) {
    for (const std::size_t size :
         {255 * round - 1, 255 * round, 255 * round + 1, 256 * round, 257 * round + 65}) {
      const std::string all_match(size, 'g');
      EXPECT_EQ(kernel().count_byte(all_match.data(), size, 'g'), size);
      EXPECT_EQ(kernel().count_set(all_match.data(), size, byte_set("cCgG")), size);
      EXPECT_EQ(kernel().count_utf8(all_match.data(), size), size);
      const std::string continuation(size, '\x80');
      EXPECT_EQ(kernel().count_utf8(continuation.data(), size), 0U);
    }
  }
}

TEST_P(each_kernel, counts_words_that_cross_any_boundary) {
  for (std::size_t start = 0; start < 200; ++start) {
    std::string text(260, ' ');
    text.replace(start, 3, "abc");
    EXPECT_EQ(kernel().count_words(text.data(), text.size(), false), 1U);
    for (std::size_t cut = start; cut <= start + 3; ++cut) {
      const bool in_word = cut > start && cut <= start + 3;
      EXPECT_EQ(kernel().count_words(text.data(), cut, false) +
                    kernel().count_words(text.data() + cut, text.size() - cut, in_word),
                1U)
          << "start " << start << ", cut " << cut;
    }
  }
}

#if defined(__x86_64__)
const std::vector<std::string> instruction_sets{"avx512", "avx2_pages", "avx2", "sse4", "ssse3"};
#elif defined(__i386__)
const std::vector<std::string> instruction_sets{"sse4", "ssse3"};
#elif defined(__aarch64__)
const std::vector<std::string> instruction_sets{"neon"};
#else
const std::vector<std::string> instruction_sets;
#endif

// Also those that this processor does not run, as each version of Highway has targets of its own.
TEST(kernels, are_compiled_for_each_instruction_set) {
  std::vector<std::string> names;
  for (const kernel::simd_table& compiled : kernel::simd_tables()) {
    if (compiled.kernels != nullptr) names.emplace_back(compiled.kernels->name);
  }
  EXPECT_EQ(names, instruction_sets);
}

}  // namespace
}  // namespace riffle::test
