/// Every kernel gives the answer of the plainest loop, for every
/// size, alignment and byte, and never reads outside its data.
#include "kernel/kernels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "tests/support/guarded.hpp"
#include "tests/support/oracles.hpp"

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

void expect_batch(const table& kernel, std::string_view data) {
  if (data.size() > 4096) return;  // longer than a batch may be
  EXPECT_EQ(
      batch_matches(
          data, [&](auto* masks) { return kernel.match_delimiter(data.data(), data.size(), 'a', masks); }),
      expected_masks(data, [](char c) { return c == 'a'; }));
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

struct found_rows {
  std::vector<std::uint64_t> ends;
  std::vector<std::uint32_t> rows;
  std::optional<std::uint64_t> bad;
  std::vector<std::uint64_t> doubled;  // of each piece
  friend bool operator==(const found_rows&, const found_rows&) = default;
};

// Where fields and rows end in `data`, by calls for pieces of it.
found_rows rows_in_pieces(const table& kernel, std::string_view data, const row_options& options,
                          std::size_t piece) {
  found_rows all;
  kernel::quoting state;
  const kernel::row_bytes bytes{options.field, options.delimiter, options.quote.value_or('\0')};
  std::vector<std::uint64_t> ends(piece + kernel::row_slack);
  std::vector<std::uint32_t> rows(piece + kernel::row_slack);
  for (std::size_t at = 0; at < data.size() && !all.bad; at += piece) {
    const std::string_view part = data.substr(at, piece);
    const auto found =
        options.quote
            ? kernel.match_quoted_rows(part.data(), part.size(), bytes, state, at, ends.data(), rows.data())
            : kernel.match_rows(part.data(), part.size(), bytes, at, ends.data(), rows.data());
    if (found.size != part.size()) all.bad = at + found.size;
    for (std::size_t i = 0; i < found.rows; ++i) {
      all.rows.push_back(rows[i] + static_cast<std::uint32_t>(all.ends.size()));
    }
    all.ends.insert(all.ends.end(), ends.data(), ends.data() + found.ends);
    all.doubled.push_back(found.doubled);
  }
  return all;
}

// For each piece the mask of the 64 bytes with a quote that stands behind a closing one.
std::vector<std::uint64_t> naive_doubled(std::string_view data, const row_options& options,
                                         std::size_t piece) {
  std::vector<std::uint64_t> masks;
  bool inside = false;
  for (std::size_t i = 0; i != data.size(); ++i) {
    if (i % piece == 0) masks.push_back(0);
    if (data[i] != options.quote) continue;
    if (!inside && i != 0 && data[i - 1] == options.quote) {
      masks.back() |= std::uint64_t{1} << std::min<std::size_t>(i % piece / 64, 63);
    }
    inside = !inside;
  }
  return masks;
}

void expect_rows(const table& kernel, std::string_view data, std::size_t piece) {
  for (const row_options& options : {row_options{}, {.quote = '"'}, {.field = '\r', .quote = '"'}}) {
    const naive_table expected = naive_rows(data, options);
    EXPECT_EQ(
        rows_in_pieces(kernel, data, options, piece),
        (found_rows{expected.ends, expected.row_ends, expected.bad,
                    naive_doubled(data.substr(0, expected.bad.value_or(data.size()) + 1), options, piece)}))
        << testing::PrintToString(std::string(data)) << ", in pieces of " << piece;
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
INSTANTIATE_TEST_SUITE_P(kernels, each_kernel,
                         testing::ValuesIn(kernel::available().begin(), kernel::available().end()),
                         kernel_name);

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

// Dense and sparse, well quoted and not; cut at every byte and not at all.
TEST_P(each_kernel, ends_fields_and_rows_as_a_plain_parser_does) {
  constexpr std::array<std::string_view, 6> alphabets{
      ",\n",   "a,\n",     "aaaaaaaaaaaaaaaaaaaa,\n",
      ",\n\"", "a,\n\"\r", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa,,\n\r"};
  guarded memory(4096);
  for (unsigned seed = 0; seed < 240; ++seed) {
    const std::size_t size = seed % 300;
    std::string text = random_bytes(size, seed, alphabets[seed % alphabets.size()]);
    if (seed % 2 == 0 && size > 10) {  // a quoted field in the midst
      const std::size_t from = seed % (size - 8);
      text.replace(from, 8, ",\"b,\"\"\n\"").replace(from + 8, 1, seed % 4 == 0 ? "\n" : "\r");
    }
    const std::span<char> place = memory.last(text.size());
    std::ranges::copy(text, place.begin());
    for (const std::size_t piece : {1U, 7U, 64U, 65U, 1000U}) {
      expect_rows(kernel(), {place.data(), place.size()}, piece);
      ASSERT_FALSE(HasFailure()) << "seed " << seed;
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

}  // namespace
}  // namespace riffle::test
