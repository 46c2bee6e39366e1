/// Lays text out for a terminal: columns, quoted names, colour and a progress line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>

namespace riffle::text {

/// The texts in their order, with `separator` between each two.
template <std::ranges::input_range Texts>
std::string joined(const Texts& texts, std::string_view separator) {
  std::string all;
  bool first = true;
  for (const std::string_view each : texts) {
    if (!first) all += separator;
    all += each;
    first = false;
  }
  return all;
}

/// The columns of the widest line of a table and of a text.
inline constexpr std::size_t widest_line = 80;

/// The columns of a line on standard output: `widest_line`, or those of its terminal if that has fewer, but
/// at least 40, as what is cut is of no use.
std::size_t terminal_columns();

/// The columns in which a terminal shows UTF-8 text: two for wide characters.
std::size_t columns_of(std::string_view text);
/// The text with a '?' for each control character, change of writing direction and byte that is no UTF-8, so
/// that no file name can break a line or control the terminal.
std::string printable(std::string_view text);
/// The text with U+FFFD for each byte that is no UTF-8.
std::string as_utf8(std::string_view text);
/// The same, and "\u001b" for each character that `printable` replaces, as JSON escapes it (RFC 8259, 7).
std::string with_escapes(std::string_view text);
/// At most so many columns (2 or more) of the text; "…" stands for the middle if it is longer.
std::string shortened(std::string_view text, std::size_t columns);
/// The text with spaces after it, or before it; unchanged when it has so many columns already.
std::string left_aligned(std::string_view text, std::size_t columns);
std::string right_aligned(std::string_view text, std::size_t columns);
/// The text in lines of at most `terminal_columns()`, each with its end, broken at spaces and indented by
/// `hanging` spaces from the second line on. Only a word that is longer than a line is cut.
std::string wrapped(std::string_view text, std::size_t hanging);
/// A bar of block characters, an eighth of a column exact: `share` of `columns`; nothing below one eighth, or
/// for a NaN.
std::string bar(double share, std::size_t columns);

/// Whether a name without special characters is quoted too.
enum class quotes : std::uint8_t { where_needed, always };

/// The name as a word of a shell: a, 'a b', "it's", 'a'$'\n''b'. The locale of the environment tells which
/// characters can be printed; it is loaded only for a name with a byte that is not ASCII.
std::string shell_quoted(std::string_view name, quotes when = quotes::where_needed);

/// The name as the last column of a row: quoted like this if it has a newline, which would end the row.
std::string quoted_for_row(std::string_view name);

/// The word between the quotation marks of the locale, with C's escapes: 'a\n' in the C locale.
std::string locale_quoted(std::string_view word);

/// Whether the stream is a terminal that shows colours, and
/// NO_COLOR does not forbid them (https://no-color.org).
bool wants_colour(std::FILE* stream);

/// Whether progress is shown: only on a terminal of standard error that can go back in a line, as TERM is not
/// "dumb". Unless it was `asked` for or refused, not if standard output is a pipe: the program that reads it
/// may write to the same terminal. Nor if it is a terminal to which the command `writes_as_it_reads`.
bool shows_progress(std::optional<bool> asked, bool writes_as_it_reads = false);

/// One line on the terminal of standard error that says what runs, written over itself. Writes nothing if
/// there is no progress to show.
class progress_line {
 public:
  /// As `shows_progress`.
  explicit progress_line(std::optional<bool> asked) : shown_(shows_progress(asked)) {}

  void show(std::string_view text) const;
  void clear() const;

 private:
  bool shown_;
};

}  // namespace riffle::text
