/// The version of the library that runs, which may differ from the headers a program was compiled with.
#ifndef RIFFLE_VERSION_HPP
#define RIFFLE_VERSION_HPP

#include <riffle/export.hpp>

#include <string_view>

namespace riffle {

/// The version of the library, "0.1.0".
RIFFLE_API std::string_view version() noexcept;

}  // namespace riffle

#endif
