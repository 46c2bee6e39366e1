/// What the C library of GNU says of characters in C.UTF-8, on every system.
#pragma once

#include <string_view>

#include "os/locale.hpp"

namespace riffle::os::glibc {

// As the functions of os/locale.hpp.

bool is_white_space(char32_t character) noexcept;
int columns_of(char32_t character) noexcept;
decoded_character decode_by_library(std::string_view utf8) noexcept;

}  // namespace riffle::os::glibc
