/// Words remedies for the command line: those of the library's errors, and those that the text of a row
/// shows.
#pragma once

#include <riffle/error.hpp>
#include <riffle/options.hpp>
#include <riffle/rows.hpp>

#include <cstddef>
#include <string>
#include <string_view>

#include "cli/command.hpp"

namespace riffle::cli {

/// Returns the message of a failure, with the remedy as it is typed. A remedy that needs an option which the
/// command lacks, or which needs an option that was not given, is left out.
std::string as_typed(const error& failure, const arguments& given);

/// The option that sets the byte between fields, as it is typed.
std::string separator_as_typed(char delimiter);
/// The remedy for a row or a header that is one field, or an empty text.
std::string remedy_for_one_field(std::string_view field, const dialect& rows);
/// The remedy for a field that is missing or no number, or an empty text.
std::string remedy_for_field(const row& from, std::size_t index, const dialect& rows);

/// Throws a `riffle::error` like `failure`, whose message ends in the remedy, if there is one.
[[noreturn]] void throw_with_remedy(const error& failure, const std::string& remedy);

}  // namespace riffle::cli
