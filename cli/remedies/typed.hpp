/// The library's errors end in a remedy, in the words of its interface. The tool prints what can be typed.
#ifndef RIFFLE_CLI_REMEDIES_TYPED_HPP
#define RIFFLE_CLI_REMEDIES_TYPED_HPP

#include <string>
#include <string_view>

#include "cli/command.hpp"

namespace riffle::cli {

/// Sets the command that runs, before there are threads. Until then every option counts as one of its own.
void set_running(const command& self);
/// Whether the command that runs has an option.
bool running_has(std::string_view option);

/// Returns the message of an error with its remedy as it is typed: "set max_length" becomes "set
/// --max-length". A remedy that needs an option that the command lacks is left out.
std::string as_typed(std::string message);

}  // namespace riffle::cli

#endif
