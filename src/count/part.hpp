/// The counts of a part of a text, and how parts are joined.
#pragma once

#include <riffle/source.hpp>
#include <riffle/text_options.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "count/rules.hpp"
#include "count/width.hpp"

namespace riffle::inline v0 {

/// The counts of a part of a text, as if the text had no more; and what it takes to join it with the parts
/// beside it.
struct text_part : text_counts {
  static constexpr std::size_t edge = longest_utf8 - 1;

  line_widths widths;
  std::array<char, edge> first{};  // bytes; all, if the part has fewer
  std::array<char, edge> last{};
};

/// Counts a part of a text, by the rules of its encoding. Several threads may share one.
class part_counter {
 public:
  explicit part_counter(const text_options& what);
  part_counter(const text_options& what, const text_rules& rules);

  /// As `text_counter::needs_only_size`.
  [[nodiscard]] bool needs_only_size() const noexcept {
    return !what_.lines && !what_.words && !what_.longest_line &&
           (!what_.characters || rules_.encoding == encoding::bytes);
  }
  /// Returns whether a text can be counted in parts; if not, call `count_in_order`.
  bool takes_parts() const { return rules_.encoding != encoding::multibyte; }

  /// Returns the counts of `part`, which may be cut inside a character.
  text_part operator()(std::string_view part) const;
  /// Returns the counts of two parts that lie side by side.
  text_part join(const text_part& left, const text_part& right) const;

  /// Adds to `sum` the counts of all that is left in `from`, by the C library. Throws what `from` throws;
  /// `sum` then has the counts up to there.
  void count_in_order(source& from, text_counts& sum) const;

 private:
  std::uint64_t words_of(std::string_view part, bool& in_word) const;
  std::uint64_t characters_of(std::string_view part) const;
  std::size_t most_of_a_piece() const;
  std::size_t whole_characters(std::string_view part, std::size_t size) const;
  void join_edges(text_part& both, const text_part& left, const text_part& right) const;

  text_options what_;
  text_rules rules_;
  std::optional<column_rules> columns_;
};

}  // namespace riffle::inline v0
