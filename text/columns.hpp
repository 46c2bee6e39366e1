/// Lays text out by the columns of a terminal. A file name may hold any bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace riffle::text {

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

}  // namespace riffle::text
