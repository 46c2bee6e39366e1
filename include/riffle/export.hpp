/// The macros that all headers use, and what they ask of the compiler.
#ifndef RIFFLE_EXPORT_HPP
#define RIFFLE_EXPORT_HPP

#if defined(__GNUC__) && !defined(__EXCEPTIONS)
#error "riffle reports every failure by an exception: compile without -fno-exceptions"
#endif

/// Marks what the shared library exports; everything else stays hidden in it.
#if defined(__GNUC__)
#define RIFFLE_API __attribute__((visibility("default")))
#else
#define RIFFLE_API
#endif

/// Marks a parameter, or the object itself, that the result refers to. clang warns if the result outlives it.
#if defined(__clang__)
#define RIFFLE_LIFETIMEBOUND [[clang::lifetimebound]]
#else
#define RIFFLE_LIFETIMEBOUND
#endif

#endif
