/// The counts of a part of a text by the rules of its encoding, and how parts are joined.
#pragma once

#include <riffle/scan.hpp>
#include <riffle/source.hpp>
#include <riffle/text_options.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "kernel/kernels.hpp"
#include "kernel/plans.hpp"
#include "os/locale.hpp"

namespace riffle::inline v0 {

/// How bytes are characters.
enum class encoding : std::uint8_t {
  bytes,  ///< each byte is one
  utf8,
  multibyte  ///< another encoding: the C library decodes a text from its start
};

/// What is known of characters, as os/locale.hpp says: by the locale of the program, or by tables.
struct character_facts {
  bool (*is_white_space)(char32_t character) noexcept;
  int (*columns_of)(char32_t character) noexcept;
  os::decoded_character (*decode_longer)(std::string_view utf8) noexcept;
};

/// The rules of an encoding.
struct text_rules {
  riffle::encoding encoding = encoding::bytes;
  byte_set white;      ///< single bytes that are white space
  byte_set printable;  ///< single bytes that take a column
  kernel::utf8_white_space long_white;
  bool no_break_spaces = true;  ///< are white space
  const character_facts* facts = nullptr;
};

/// Returns the rules for `text_options::encoding` and `no_break_spaces`.
text_rules rules_of(const text_options& what);

/// Returns whether GNU wc takes a character for a no-break space, which is white space unless POSIXLY_CORRECT
/// is set.
constexpr bool is_no_break_space(char32_t character) {
  return character == 0x00A0 || character == 0x2007 || character == 0x202F || character == 0x2060;
}

constexpr bool is_continuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

/// Returns the character of UTF-8 that `data`, which is not empty, starts with; its size is 0 if there is
/// none. Unlike Unicode, the C library may take bytes for a character above U+10FFFF.
scan::character decode_utf8(const text_rules& rules, std::string_view data);

/// The most bytes in a character that the C library takes for UTF-8.
inline constexpr std::size_t longest_utf8 = 6;

/// Returns how many columns a character takes on a terminal: 0 for what cannot be printed.
std::uint64_t columns_of(const text_rules& rules, char32_t character);

/// Returns whether a character is white space.
bool is_white(const text_rules& rules, char32_t character);

/// Returns the column that a tab in `column` leads to.
constexpr std::uint64_t after_tab(std::uint64_t column) {
  return column + 8 - column % 8;
}

/// A stretch of a line: it leads from the column where it starts to another. Where it has tabs, what lies
/// after the first starts at a multiple of 8, wherever the stretch starts.
struct stretch {
  bool has_tab = false;
  std::uint64_t before = 0;  // columns up to the first tab, or all
  std::uint64_t after = 0;   // columns after the first tab

  constexpr std::uint64_t from(std::uint64_t column) const {
    return has_tab ? after_tab(column + before) + after : column + before;
  }
  constexpr void add_columns(std::uint64_t columns) { (has_tab ? after : before) += columns; }
  constexpr void add_tab() {
    if (has_tab) after = after_tab(after);
    has_tab = true;
  }
  constexpr void add(const stretch& next) {
    add_columns(next.before);
    if (!next.has_tab) return;
    add_tab();
    after += next.after;
  }
};

/// The widths of the lines in a part of a text. '\n', '\r' and '\f' end a line.
class line_widths {
 public:
  constexpr void add_columns(std::uint64_t columns) { last_.add_columns(columns); }
  constexpr void add_tab() { last_.add_tab(); }
  constexpr void end_line() {
    if (ended_) {
      widest_ = std::max(widest_, last_.from(0));
    } else {
      first_ = last_;
      ended_ = true;
    }
    last_ = {};
  }
  /// Adds a byte that ends a line or leads to another column. Returns false for any other byte.
  constexpr bool add_control(char byte) {
    if (byte == '\n' || byte == '\r' || byte == '\f') {
      end_line();
    } else if (byte == '\t') {
      add_tab();
    } else {
      return false;
    }
    return true;
  }
  /// Adds the part after this one.
  constexpr void add(const line_widths& next) {
    if (!next.ended_) return last_.add(next.last_);
    last_.add(next.first_);
    end_line();
    widest_ = std::max(widest_, next.widest_);
    last_ = next.last_;
  }
  /// Returns the width of the widest line that both starts and ends in the part.
  [[nodiscard]] constexpr std::uint64_t widest_inside() const { return widest_; }
  /// Returns the width of the widest line, if the text is no longer than the part.
  [[nodiscard]] constexpr std::uint64_t widest() const {
    return std::max({widest_, first_.from(0), last_.from(0)});
  }

 private:
  bool ended_ = false;        // a line ends in the part
  stretch first_;             // up to there, if it does
  stretch last_;              // after the last end
  std::uint64_t widest_ = 0;  // of the lines between
};

/// Says what takes columns by the rules of an encoding. It keeps a copy of the rules.
class column_rules {
 public:
  explicit column_rules(const text_rules& rules);

  /// Adds a text of single bytes or UTF-8 to `lines`. Bytes of a cut character, or of none, take no column.
  void measure(std::string_view text, line_widths& lines) const;
  /// Returns what no line exceeds.
  [[nodiscard]] const kernel::column_bounds& bounds() const { return bounds_; }

 private:
  static constexpr std::uint8_t other = 2;

  std::array<std::uint8_t, 256> columns_{};  // of each byte; `other` if it is a control or starts a character
  kernel::column_bounds bounds_;
  text_rules rules_;
};

/// Measures the lines of a text of single bytes or UTF-8, piece by piece.
class line_measure {
 public:
  explicit line_measure(const column_rules& rules) : rules_(rules) {}

  /// Adds a piece, which starts between two characters.
  void take(std::string_view piece);

  [[nodiscard]] const line_widths& lines() const { return lines_; }

 private:
  const column_rules& rules_;
  line_widths lines_;
};

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
  /// By these rules, or by those that `what` asks for.
  explicit part_counter(const text_options& what, const std::optional<text_rules>& rules = {});

  /// As `detail::needs_only_size`.
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
  bool by_encoding_;  // more is counted than lines
  text_rules rules_;
  std::optional<column_rules> columns_;
};

}  // namespace riffle::inline v0
