/// Offers the version of these headers, and the version of the library that runs, which may be newer.
#pragma once

#include <riffle/export.hpp>

#include <string_view>

/// Hold the version of the headers, for `#if`: version 0.1.0 is 0, 1 and 0, and 100 as one number.
#define RIFFLE_VERSION_MAJOR 0
#define RIFFLE_VERSION_MINOR 1
#define RIFFLE_VERSION_PATCH 0
#define RIFFLE_VERSION (RIFFLE_VERSION_MAJOR * 10000 + RIFFLE_VERSION_MINOR * 100 + RIFFLE_VERSION_PATCH)

/// Holds all names of riffle. The inline namespace `v0` prevents that two versions with different binary
/// interfaces link into one program by mistake. Until version 1.0 each minor version may change the source
/// and the binary interface; a patch version changes neither.
namespace riffle::inline v0 {

/// Returns the version of the library, "0.1.0". Valid until the program ends.
RIFFLE_API std::string_view version() noexcept;

}  // namespace riffle::inline v0
