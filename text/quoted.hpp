/// Quotes file names as GNU's tools do, so that a shell reads the quoted name as the name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace riffle::text {

/// Whether a name without special characters is quoted too.
enum class quotes : std::uint8_t { where_needed, always };

/// The name as a word of a shell: a, 'a b', "it's", 'a'$'\n''b'. The locale of the environment tells which
/// characters can be printed; it is loaded only for a name with a byte that is not ASCII.
std::string shell_quoted(std::string_view name, quotes when = quotes::where_needed);

/// The name as the last column of a row: quoted like this if it has a newline, which would end the row.
std::string quoted_for_row(std::string_view name);

/// The word between the quotation marks of the locale, with C's escapes: 'a\n' in the C locale.
std::string locale_quoted(std::string_view word);

}  // namespace riffle::text
