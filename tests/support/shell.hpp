/// Tests of the tool and of the examples run them as a user does, in a shell.
#ifndef RIFFLE_TESTS_SUPPORT_SHELL_HPP
#define RIFFLE_TESTS_SUPPORT_SHELL_HPP

#include <string>

namespace riffle::test {

/// How a command ended and what it said.
struct outcome {
  int status;  // 128 + the signal if a signal killed it
  std::string out;
  std::string err;
};

/// Runs `command` in bash, in the C locale. "$riffle" is the tool, "$examples" the folder of the examples,
/// "$programs" that of the programs in tests/cost.
outcome shell(const std::string& command);

}  // namespace riffle::test

#endif
