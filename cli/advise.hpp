/// What `riffle advise` says of an input, with and without the benchmark.
#ifndef RIFFLE_CLI_ADVISE_HPP
#define RIFFLE_CLI_ADVISE_HPP

#include <riffle/methods.hpp>
#include <riffle/options.hpp>

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

void set_no_guard(arguments& given, std::string_view value);
void add_advised_file(arguments& given, std::string_view value);

inline constexpr std::array guard_options{
    option{.name = "no-guard", .help = "As if the fault guard were off", .set = set_no_guard}};

/// A line of a list of facts; empty without a value.
std::string fact_line(std::string_view what, std::string_view value);
/// The name of the input, and what riffle knows of it: "-" is standard input.
std::string input_lines(const std::string& name, const facts& known);
/// The method, its block size and the reason.
std::string choice_lines(const choice& chosen);
/// The methods that cannot be used on this machine, with the reasons; empty if there is none.
std::string unavailable_lines();

}  // namespace riffle::cli

#endif
