/// Limits and filters that a process cannot take back are tried in a child of it.
#ifndef RIFFLE_TESTS_SUPPORT_IN_CHILD_HPP
#define RIFFLE_TESTS_SUPPORT_IN_CHILD_HPP

#include <functional>
#include <string>

namespace riffle::test {

/// Runs `f` in a process of its own, whose limits no one else feels; returns what it returns, or how it died.
std::string in_child(const std::function<std::string()>& f);

/// Gives `code` for every io_uring_setup(2) of this process from now on. Returns whether it can.
bool refuse_rings(int code);

}  // namespace riffle::test

#endif
