/// The texts of `riffle advise` that do not need the benchmark.
#pragma once

#include <riffle/methods.hpp>
#include <riffle/options.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.hpp"

namespace riffle::cli {

/// What `--no-guard FILE...` were given.
struct advise_arguments : arguments {
  read_options reading;
  std::vector<std::string> files;
};

inline constexpr std::array guard_options{option{
    .name = "no-guard",
    .help = "Choose as if the fault guard were off",
    .set = set_to<false, &advise_arguments::reading, &read_options::mapping, &read_mapping::fault_guard>}};

/// Runs `advise` on each file. Reports a failure in one line on standard error and continues with the next
/// file. Returns the exit status.
int advise_each(const advise_arguments& given, const std::function<void(const std::string&)>& advise);
/// Returns a line of a list of facts, or an empty text without a value.
std::string fact_line(std::string_view what, std::string_view value);
/// Returns the name of the input, its facts and those of its `place`, and riffle's choice with the reason, as
/// options of the tool and as `code`, if there is any. "-" is standard input.
std::string advice_lines(const std::string& name, const facts& known, const std::string& place = {},
                         const std::function<std::string(const read_options&)>& code = {});
/// Returns the methods that do not work on this machine, with the reasons.
std::string unavailable_lines();

}  // namespace riffle::cli
