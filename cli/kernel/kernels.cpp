/// Finds the tool's SIMD kernels for the instruction set that the library chose.
#include "cli/kernel/kernels.hpp"

namespace riffle::cli::kernel {

const table& beside(const riffle::kernel::table& library) noexcept {
  for (const std::string_view name : {library.name, library.instructions}) {
    for (const table* const compiled : simd_tables()) {
      if (compiled != nullptr && compiled->name == name) return *compiled;
    }
  }
  return scalar();
}

const table& active() noexcept {
  static const table& chosen = beside(riffle::kernel::active());
  return chosen;
}

utf8_prefix valid_utf8(std::string_view data) noexcept {
  return riffle::kernel::active().valid_utf8(data.data(), data.size());
}

}  // namespace riffle::cli::kernel
