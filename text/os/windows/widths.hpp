/// The columns of every character on a terminal, as the C library of GNU has them.
#pragma once

namespace riffle::os {

/// Returns 0 to 2, or -1 for a character that cannot be printed. The character is not ASCII.
int width_in_table(char32_t character) noexcept;

}  // namespace riffle::os
