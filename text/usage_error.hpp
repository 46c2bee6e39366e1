/// The exception for what a user typed and riffle cannot use.
#pragma once

#include <stdexcept>

namespace riffle::text {

/// `what()` says what is wrong and the remedy, in one line, without "riffle: " before it.
struct usage_error : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

}  // namespace riffle::text
