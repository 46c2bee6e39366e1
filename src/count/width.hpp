/// The display width of lines, in parts that can be joined wherever a text was cut.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "count/rules.hpp"
#include "kernel/kernels.hpp"

namespace riffle::inline v0 {

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

/// What takes columns by the rules of an encoding. It keeps a copy of them.
class column_rules {
 public:
  explicit column_rules(const text_rules& rules);

  /// Adds a text of single bytes or UTF-8 to `lines`. What is cut, or no character, takes no column.
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

}  // namespace riffle::inline v0
