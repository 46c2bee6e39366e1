/// Offers the macros of the public headers, and the check that the compiler reads C++20 with exceptions.
#pragma once

#if __cplusplus <= 201703L
#error "riffle needs C++20: compile with -std=c++20, or include <riffle/riffle17.hpp> in C++17"
#include <see_the_error_above>  // no such file, so that no other error follows
#endif

#if defined(__GNUC__) && !defined(__EXCEPTIONS)
#error "riffle reports every failure by an exception: compile without -fno-exceptions"
#endif

/// Marks the functions and classes that the shared library exports; it hides all others.
#if defined(__GNUC__)
#define RIFFLE_API __attribute__((visibility("default")))
#else
#define RIFFLE_API
#endif

/// Marks a parameter, or the object itself, that the result refers to. clang can warn if
/// the result outlives it.
#if defined(__clang__)
#define RIFFLE_LIFETIMEBOUND [[clang::lifetimebound]]
#else
#define RIFFLE_LIFETIMEBOUND
#endif

/// Ends the program if a condition that the caller must keep does not hold: in debug builds, and with
/// _GLIBCXX_ASSERTIONS.
#if defined(__GNUC__) && (defined(_GLIBCXX_ASSERTIONS) || (!defined(__OPTIMIZE__) && !defined(NDEBUG)))
#define RIFFLE_ASSERT(condition) ((condition) ? void() : __builtin_trap())
#else
#define RIFFLE_ASSERT(condition) void()
#endif
