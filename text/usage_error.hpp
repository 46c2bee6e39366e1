/// What a user typed cannot be used: the one exception for it, whoever finds it out.
#ifndef RIFFLE_TEXT_USAGE_ERROR_HPP
#define RIFFLE_TEXT_USAGE_ERROR_HPP

#include <stdexcept>

namespace riffle::text {

/// `what()` says what is wrong and the remedy, in one line, without "riffle: " before it.
struct usage_error : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

}  // namespace riffle::text

#endif
