/// Words the library's errors for the command line: a remedy names what can be typed for the command.
#ifndef RIFFLE_CLI_REMEDIES_WORDS_HPP
#define RIFFLE_CLI_REMEDIES_WORDS_HPP

#include <riffle/error.hpp>

#include <string>

#include "cli/command.hpp"

namespace riffle::cli {

/// Returns the message of a failure, with the remedy as it is typed. A remedy that needs an option which the
/// command lacks is left out.
std::string as_typed(const error& failure, const command& running);

}  // namespace riffle::cli

#endif
