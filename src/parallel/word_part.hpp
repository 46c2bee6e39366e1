/// Joins the word counts of neighbouring parts of a text: a word that their border cuts is one word.
#pragma once

#include <riffle/scan.hpp>

#include <cstdint>
#include <string_view>

namespace riffle::inline v0 {

/// The words of a part of a text. Parts can be added from left to right.
struct word_part {
  std::uint64_t words = 0;
  bool empty = true;
  bool starts_in_word = false;
  bool ends_in_word = false;

  friend word_part operator+(const word_part& left, const word_part& right) noexcept {
    if (left.empty) return right;
    if (right.empty) return left;
    const std::uint64_t twice = left.ends_in_word && right.starts_in_word ? 1 : 0;
    return {left.words + right.words - twice, false, left.starts_in_word, right.ends_in_word};
  }
};

inline word_part words_of(std::string_view part) noexcept {
  if (part.empty()) return {};
  return {scan::count_words(part), false, !white_space.contains(part.front()),
          !white_space.contains(part.back())};
}

}  // namespace riffle::inline v0
