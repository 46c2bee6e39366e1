/// What the SIGBUS handler asks of macOS, where a write to memory for reading raises SIGBUS, as a lost page
/// does.
#include <dlfcn.h>
#include <sys/ucontext.h>

#include <type_traits>

#include "os/posix/calls.hpp"

namespace riffle::os {

namespace {

using registers = std::remove_pointer_t<decltype(ucontext_t::uc_mcontext)>;

#if defined(__x86_64__)
bool wrote(const registers& at) noexcept {
  constexpr unsigned write = 1U << 1U;  // W/R of the page-fault error code
  return (at.__es.__err & write) != 0;
}
#else
bool wrote(const registers& at) noexcept {
  constexpr unsigned write = 1U << 6U;  // WnR of ESR_EL1
  return (at.__es.__esr & write) != 0;
}
#endif

}  // namespace

// The linker of macOS has no -z nodelete.
void stay_loaded() noexcept {
  Dl_info found{};
  if (dladdr(reinterpret_cast<const void*>(&stay_loaded), &found) != 0)
    dlopen(found.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

bool is_write(const void* context) noexcept {
  return wrote(*static_cast<const ucontext_t*>(context)->uc_mcontext);
}

}  // namespace riffle::os
