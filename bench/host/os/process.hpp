/// Runs installed programs, such as perl and wc, as processes.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace riffle::os {

/// The full path of `program` if PATH leads to it.
std::optional<std::string> find_program(std::string_view program);

/// Runs `arguments` (the first is the full path of the program) with LC_ALL=C and POSIXLY_CORRECT=1 and an
/// empty standard input. `use` gets what it writes to standard output, in pieces. Throws std::runtime_error,
/// naming the program, if it cannot be started or does not exit with 0.
void read_output(const std::vector<std::string>& arguments, const std::function<void(std::string_view)>& use);
/// Returns all that it writes.
inline std::string output_of(const std::vector<std::string>& arguments) {
  std::string text;
  read_output(arguments, [&](std::string_view part) { text += part; });
  return text;
}

}  // namespace riffle::os
