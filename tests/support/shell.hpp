/// Tests of the tool and of the examples run them as a user does, in a shell.
#ifndef RIFFLE_TESTS_SUPPORT_SHELL_HPP
#define RIFFLE_TESTS_SUPPORT_SHELL_HPP

#include <string>

namespace riffle::test {

/// How a command ended and what it said.
struct shell_result {
  int status;  // 128 + the signal if a signal killed it
  std::string out;
  std::string err;
};

/// Runs `command` in bash, in the C locale. "$riffle" is the tool, "$examples" the folder of the examples,
/// "$programs" that of the programs in tests/cost.
shell_result shell(const std::string& command);

/// Returns the most memory that `riffle ARGUMENTS` has, in KiB, if it reads what the command `from` writes.
/// An emulator has memory of its own: compare it with that for a small input.
long peak_memory(const std::string& arguments, const std::string& from = "true");

}  // namespace riffle::test

#endif
