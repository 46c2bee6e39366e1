/// Limits and filters that a process cannot take back are tried in a child of it.
#pragma once

#include <riffle/methods.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <optional>
#include <source_location>
#include <string>

namespace riffle::test {

/// Runs `f` in a process of its own, whose limits no one else feels; returns what it returns, or how it died.
std::string in_child(const std::function<std::string()>& f);

/// Runs `f` in a child, which has all that this process has open, and exits without any destructor. Returns
/// how it ended, as waitpid(2) has it.
int forked(const std::function<void()>& f);

/// Expects that a child that runs `f` ends with this status, before `f` returns.
template <class F>
void expect_exit(int status, F f, std::source_location from = std::source_location::current()) {
  const testing::ScopedTrace trace(from.file_name(), static_cast<int>(from.line()), "in a child");
  constexpr int returned = 100;
  EXPECT_EXIT(
      {
        f();
        std::_Exit(returned);
      },
      testing::ExitedWithCode(status), "");
}

/// Expects that `f` returns true in a child.
template <class F>
void expect_in_child(F f, std::source_location from = std::source_location::current()) {
  expect_exit(0, [&] { std::_Exit(f() ? 0 : 1); }, from);
}

/// Gives `code` for every system call of that number in this process from now on. Returns whether it can.
bool refuse_call(long number, int code);

/// Returns why RLIMIT_AS limits no addresses here; nothing if it does.
std::optional<std::string> refusal_of_address_limits();

/// Returns why madvise(2) cannot fault pages in here; nothing if it can.
std::optional<std::string> refusal_of_populate();

/// The same, if a method needs it: a page that is lost behind a window of `mmap` is else known only when its
/// bytes have been handed out.
inline std::optional<std::string> refusal_of_populate(method used) {
  return used == method::mmap ? refusal_of_populate() : std::nullopt;
}

}  // namespace riffle::test
