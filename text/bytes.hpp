/// The syntax for bytes on the command line.
#pragma once

#include <string>
#include <string_view>

#include "text/usage_error.hpp"

namespace riffle::text {

// How the help says it. Macros, so that the texts of a table of options are joined by the compiler.
#define RIFFLE_BYTE_SYNTAX "a character, or \\n \\r \\t \\\\ \\NNN (octal) \\xHH"
#define RIFFLE_TEXT_SYNTAX "characters, \\n \\r \\t \\\\ \\NNN (octal) \\xHH"
#define RIFFLE_SET_SYNTAX \
  "as for tr: characters, ranges such as a-z, [:digit:], \\n \\t \\- \\\\ \\NNN (octal) \\xHH"

/// The bytes of a set in the syntax of GNU tr: "a-z0-9_\n", "[:alpha:][=-=]\\001-\\037". Each byte comes as
/// often as it is named. A byte after a backslash is itself if it is no letter or digit, and "\x1F" is
/// riffle's own escape. Throws usage_error for what describes no set of bytes: an empty text, a reversed
/// range, an unknown or unclosed class, an unknown escape, and the repeats of tr's second SET.
std::string parse_bytes(std::string_view text);
/// A text that is searched for, in which escapes stand for bytes. Throws usage_error for an empty text and an
/// unknown escape.
std::string parse_text(std::string_view text);
/// The one byte of such a set. Throws usage_error if there are more.
char parse_byte(std::string_view text);

}  // namespace riffle::text
