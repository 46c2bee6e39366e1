/// The version of these headers, and that of the library that runs, which may be a newer one.
#ifndef RIFFLE_VERSION_HPP
#define RIFFLE_VERSION_HPP

#include <riffle/export.hpp>

#include <string_view>

/// The version of the headers, for `#if`: 0.1.0 is 0, 1 and 0, and 100 as one number.
#define RIFFLE_VERSION_MAJOR 0
#define RIFFLE_VERSION_MINOR 1
#define RIFFLE_VERSION_PATCH 0
#define RIFFLE_VERSION (RIFFLE_VERSION_MAJOR * 10000 + RIFFLE_VERSION_MINOR * 100 + RIFFLE_VERSION_PATCH)

/// All names of riffle are in the inline namespace `v0`, so that two versions of a different binary interface
/// do not link into one program by mistake. Until version 1.0 every minor version may change the interface,
/// source and binary; a patch version changes neither.
namespace riffle::inline v0 {

/// The version of the library, "0.1.0".
RIFFLE_API std::string_view version() noexcept;

}  // namespace riffle::inline v0

#endif
