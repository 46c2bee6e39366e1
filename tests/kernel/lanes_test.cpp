/// Counts that read at four places count each byte once, also where one place meets the next.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "kernel/kernels.hpp"
#include "tests/kernel/lane_sizes.hpp"
#include "tests/support/guarded.hpp"
#include "tests/support/oracles.hpp"

namespace riffle::test {
namespace {

using kernel::table;

struct counts {
  std::uint64_t byte = 0;
  std::uint64_t of_set = 0;
  std::uint64_t utf8 = 0;
  std::uint64_t words = 0;
  friend bool operator==(const counts&, const counts&) = default;
};

const byte_set some("cCgG\x80");

counts naive_counts(std::string_view text, bool in_word) {
  counts all;
  bool in_one = in_word;
  for (const char c : text) {
    if (c == 'a') ++all.byte;
    if (some.contains(c)) ++all.of_set;
    if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80) ++all.utf8;
    const bool white = c == ' ' || (c >= '\t' && c <= '\r');
    if (!white && !in_one) ++all.words;
    in_one = !white;
  }
  return all;
}

counts found_counts(const table& kernel, std::string_view text, bool in_word) {
  const char* const data = text.data();
  const std::size_t size = text.size();
  return {.byte = kernel.count_byte(data, size, 'a'),
          .of_set = kernel.count_set(data, size, some),
          .utf8 = kernel.count_utf8(data, size),
          .words = kernel.count_words(data, size, in_word)};
}

class each_lane_kernel : public testing::TestWithParam<const table*> {
 protected:
  const table& kernel() const { return *GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(kernels, each_lane_kernel, testing::ValuesIn(kernel::available()),
                         [](const auto& tested) { return std::string(tested.param->name); });

TEST_P(each_lane_kernel, counts_each_byte_once_at_any_size_and_alignment) {
  guarded memory(largest_lane_size + 64);
  for (const std::size_t size : lane_sizes()) {
    const auto seed = static_cast<unsigned>(size);
    const std::string text = random_text(size, seed, seed % 2 == 0 ? "acG \n\tzz\x80\xE2" : "aaaaaaaaaaaac ");
    const counts outside = naive_counts(text, false);
    const counts inside = naive_counts(text, true);
    for (const std::span<char> place :
         {memory.first(size), memory.last(size), memory.first(size + 1).last(size),
          memory.last(size + 31).first(size)}) {
      std::ranges::copy(text, place.begin());
      const std::string_view there(place.data(), size);
      ASSERT_EQ(found_counts(kernel(), there, false), outside) << "size " << size;
      ASSERT_EQ(found_counts(kernel(), there, true), inside) << "size " << size;
    }
  }
}

TEST_P(each_lane_kernel, counts_all_bytes_of_full_pages) {
  for (const std::size_t size : lane_sizes()) {
    const std::string all(size, 'a');
    ASSERT_EQ(found_counts(kernel(), all, false), (counts{.byte = size, .utf8 = size, .words = 1}));
    const std::string none(size, '\x80');
    ASSERT_EQ(found_counts(kernel(), none, true), (counts{.of_set = size}));
  }
}

// Each border of the places, which are pages and then 512 bytes, by a word of three bytes and by a gap of
// one.
TEST_P(each_lane_kernel, counts_a_word_that_crosses_lanes_once) {
  const std::size_t size = 2 * 16384 + 2248;
  std::string word(size, ' ');
  std::string gap(size, 'a');
  for (std::size_t page = 0; page <= 8; ++page) {
    for (const std::size_t border : {page * 4096, 2 * 16384 + page * 256}) {
      for (std::size_t at = std::max<std::size_t>(border, 66) - 66; at != border + 66; ++at) {
        word.replace(at, 3, "abc");
        ASSERT_EQ(kernel().count_words(word.data(), size, false), 1U) << at;
        word.replace(at, 3, "   ");
        gap[at] = '\n';
        ASSERT_EQ(kernel().count_words(gap.data(), size, true), 1U) << at;
        gap[at] = 'a';
      }
    }
  }
}

}  // namespace
}  // namespace riffle::test
