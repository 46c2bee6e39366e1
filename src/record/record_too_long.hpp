/// Makes the error of a record over its limit, which has one text for every kind of record.
#pragma once

#include <riffle/error.hpp>

#include <cstdint>
#include <string_view>

namespace riffle::inline v0::detail {

/// Returns the error of a record over `max_length`.
inline error too_long(std::string_view name, std::uint64_t offset) {
  return {errc::record_too_long, "read", name, offset, {}, {advice::larger_max_length}};
}

}  // namespace riffle::inline v0::detail
