/// Why this file exists: it turns match masks into places, without a branch on where the matches lie.
#include <riffle/detail/mark_scan.hpp>
#include <riffle/scan.hpp>

#include <array>
#include <bit>

namespace riffle::detail {

namespace {

constexpr std::size_t batch_words = longest_batch / 64;

// The place of the lowest bit; some place or other where there is none.
mark lowest(std::uint64_t mask) noexcept {
  return static_cast<mark>(std::countr_zero(mask | std::uint64_t{1} << 63U));
}

// Writes the places of the bits of one mask, four at a time whether they are there or not: how many bits a mask has
// cannot be predicted, and a wrong guess costs more than three idle stores. (D. Lemire, "Iterating over set bits quickly",
// 2018, as simdjson does it.)
mark* flatten(std::uint64_t mask, std::size_t base, mark* marks) noexcept {
  mark* const end = marks + std::popcount(mask);
  do {
    for (std::size_t index = 0; index < 4; ++index, mask &= mask - 1) {
      marks[index] = static_cast<mark>(base + lowest(mask));
    }
    marks += 4;
  } while (marks < end);
  return end;
}

// Four masks without any bit are passed over together: with long records most are.
std::size_t flatten_all(const std::array<std::uint64_t, batch_words>& masks, std::size_t words, mark* marks) noexcept {
  mark* end = marks;
  std::size_t word = 0;
  for (; word + 4 <= words; word += 4) {
    if ((masks[word] | masks[word + 1] | masks[word + 2] | masks[word + 3]) == 0) continue;
    for (std::size_t index = word; index < word + 4; ++index) end = flatten(masks[index], index * 64, end);
  }
  for (; word < words; ++word) end = flatten(masks[word], word * 64, end);
  return static_cast<std::size_t>(end - marks);
}

// Where a word starts or has just ended. `before`: whether the byte before belongs to a word; becomes that of the last.
std::uint64_t edges_of(std::uint64_t word, std::uint64_t& before) noexcept {
  const std::uint64_t edges = word ^ (word << 1U | before);
  before = word >> 63U;
  return edges;
}

}  // namespace

std::size_t match_delimiter::operator()(std::string_view batch, mark* marks) const {
  std::array<std::uint64_t, batch_words> masks;
  match_byte(batch, delimiter, masks);
  return flatten_all(masks, mask_words(batch.size()), marks);
}

std::size_t match_word_edges::operator()(std::string_view batch, mark* marks) {
  std::array<std::uint64_t, batch_words> masks;
  match_any_of(batch, white_space, masks);
  std::uint64_t before = in_word ? 1 : 0;
  const std::size_t whole = batch.size() / 64;
  for (std::size_t index = 0; index < whole; ++index) masks[index] = edges_of(~masks[index], before);
  if (const std::size_t rest = batch.size() % 64; rest != 0) {
    const std::uint64_t valid = (std::uint64_t{1} << rest) - 1;
    const std::uint64_t word = ~masks[whole] & valid;
    masks[whole] = edges_of(word, before) & valid;
    before = word >> (rest - 1);
  }
  in_word = (before & 1U) != 0;
  return flatten_all(masks, mask_words(batch.size()), marks);
}

}  // namespace riffle::detail
