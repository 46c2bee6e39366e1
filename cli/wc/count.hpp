/// What `riffle wc` counts: the columns, and the counts of a part of a file.
#pragma once

#include <riffle/source.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "cli/wc/locale.hpp"
#include "cli/wc/width.hpp"

namespace riffle::cli {

/// The columns of wc, in their order.
struct wanted {
  bool lines = false;
  bool words = false;
  bool characters = false;
  bool bytes = false;
  bool width = false;  // the display width of the widest line

  friend bool operator==(const wanted&, const wanted&) = default;
};

/// The counts of a part of a file, as if the file had no more; and what it takes to join it with the parts
/// beside it.
struct counts {
  static constexpr std::size_t edge = longest_utf8 - 1;

  std::uint64_t lines = 0;
  std::uint64_t words = 0;
  std::uint64_t characters = 0;
  std::uint64_t bytes = 0;
  std::uint64_t width = 0;

  line_widths widths;
  std::array<char, edge> first{};  // bytes; all, if the part has fewer
  std::array<char, edge> last{};
};

/// Counts a part of a file, by the rules of the user's locale. Several threads may share one.
class part_counter {
 public:
  explicit part_counter(const wanted& what);
  part_counter(const wanted& what, const text_rules& rules);

  /// Returns whether the size of a file tells all counts. Characters are bytes in some locales.
  bool needs_only_size() const {
    return !what_.lines && !what_.words && !what_.width &&
           (!what_.characters || rules_.encoding == encoding::bytes);
  }
  /// Returns the counts of so many bytes, if these need only the size.
  counts of_size(std::uint64_t bytes) const;
  /// Returns whether a file can be counted in parts; if not, call `count_in_order`.
  bool takes_parts() const { return rules_.encoding != encoding::multibyte; }

  /// Returns the counts of `part`, which may be cut inside a character.
  counts operator()(std::string_view part) const;
  /// Returns the counts of two parts that lie side by side.
  counts join(const counts& left, const counts& right) const;

  /// Adds to `sum` the counts of all that is left in `from`, by the C library. Throws what `from` throws;
  /// `sum` then has the counts up to there.
  void count_in_order(source& from, counts& sum) const;

 private:
  std::uint64_t words_of(std::string_view part, bool& in_word) const;
  std::uint64_t characters_of(std::string_view part) const;
  std::size_t most_of_a_piece() const;
  std::size_t whole_characters(std::string_view part, std::size_t size) const;
  void join_edges(counts& both, const counts& left, const counts& right) const;

  wanted what_;
  text_rules rules_;
  std::optional<column_rules> columns_;
};

}  // namespace riffle::cli
