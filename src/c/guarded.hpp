/// Lets no exception leave a function of riffle.h: it becomes a code and a `riffle_error`.
#pragma once

#include <riffle.h>
#include <riffle/version.hpp>

#include <cxxabi.h>
#include <cstdint>
#include <optional>

namespace riffle::inline v0::c {

#if defined(__GLIBCXX__) && !defined(_WIN32)
/// Ends a thread that pthread_cancel ends, by unwinding its stack.
using end_of_thread = abi::__forced_unwind;
#else
struct end_of_thread {};
#endif

/// Is thrown for an argument that makes no sense. The texts must live as long as the program.
struct refusal {
  const char* text;                        // what is wrong; if there is a number, the name of what has it
  std::optional<std::int32_t> given = {};  // the number
  const char* allowed = "";                // the numbers that are
};

/// Is thrown after a function of the user's returned another number than 0.
struct stopped {
  int returned;
};

/// Throws what another number than 0 means.
inline void require_zero(int returned) {
  if (returned != 0) throw stopped{returned};
}

/// Throws `refusal` if a condition does not hold.
inline void require(bool condition, const char* otherwise) {
  if (!condition) throw refusal{otherwise};
}

/// Fills `to`, unless it is null, by the exception that is being handled. Returns its code.
riffle_code report(riffle_error* to);

/// Calls `f`. Returns what becomes of it.
template <class F>
riffle_code guarded(riffle_error* error, F f) {
  try {
    f();
    return RIFFLE_OK;
  } catch (const end_of_thread&) {
    throw;
  } catch (...) {
    return report(error);
  }
}

/// Returns `f()`, a pointer; null if it throws.
template <class F>
auto made(F f) -> decltype(f()) {
  try {
    return f();
  } catch (const end_of_thread&) {
    throw;
  } catch (...) {
    return nullptr;
  }
}

/// Destroys `*handle` and clears it.
template <class Handle>
void close(Handle** handle) {
  if (handle == nullptr) return;
  delete *handle;
  *handle = nullptr;
}

/// Calls `make`, which returns a handle, and writes it to `*opened`: null if it throws.
template <class Handle, class F>
riffle_code open(Handle** opened, riffle_error* error, F make) {
  if (opened != nullptr) *opened = nullptr;
  return guarded(error, [&] {
    require(opened != nullptr, "the pointer for the handle is NULL");
    *opened = make();
  });
}

}  // namespace riffle::inline v0::c
