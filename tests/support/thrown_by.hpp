/// The error that must be thrown, for tests that look at its parts.
#ifndef RIFFLE_TESTS_SUPPORT_THROWN_BY_HPP
#define RIFFLE_TESTS_SUPPORT_THROWN_BY_HPP

#include <riffle/error.hpp>

#include <gtest/gtest.h>

#include "tests/support/support.hpp"

namespace riffle::test {

/// The error that `act` throws; fails the test if it throws none.
template <class Act>
error thrown_by(Act act) {
  if (const auto thrown = error_of(act)) return *thrown;
  ADD_FAILURE() << "no error was thrown";
  return {std::error_code(), "", ""};
}

}  // namespace riffle::test

#endif
