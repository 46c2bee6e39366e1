/// The syntax for bytes on the command line.
#ifndef RIFFLE_TEXT_BYTES_HPP
#define RIFFLE_TEXT_BYTES_HPP

#include <string>
#include <string_view>

#include "text/usage_error.hpp"

namespace riffle::text {

// How the help says it. Macros, so that the texts of a table of options are joined by the compiler.
#define RIFFLE_BYTE_SYNTAX "a character, or \\n \\r \\t \\0 \\\\ \\xHH"
#define RIFFLE_BYTES_SYNTAX "characters, ranges such as a-z, and \\n \\r \\t \\0 \\- \\\\ \\xHH"

/// The bytes of a list such as "a-z0-9_\n": characters, escapes and ranges, each as often as it is named. A
/// '-' at either end is itself. Throws usage_error for an unknown escape, a reversed range or an empty list.
std::string parse_bytes(std::string_view text);
/// The one byte of such a list. Throws usage_error if there are more.
char parse_byte(std::string_view text);

}  // namespace riffle::text

#endif
