/// What a set of bytes means, or the error that refuses it, as one text to compare.
#pragma once

#include <string>
#include <string_view>

#include "text/typed.hpp"

namespace riffle::text {

inline std::string bytes_of(std::string_view text) {
  try {
    return parse_bytes(text);
  } catch (const usage_error& wrong) {
    return std::string("error: ") + wrong.what();
  }
}

}  // namespace riffle::text
