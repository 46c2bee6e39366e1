/// Declares the error of a record over its limit, for every kind of record.
#pragma once

#include <riffle/export.hpp>

#include <cstdint>
#include <string_view>

namespace riffle::inline v0::detail {

class source_state;

/// Throws `riffle::error` (`errc::record_too_long`) for the record at `offset`; what `check` of its source
/// throws, if there is one: bytes that were lost are zeros.
[[noreturn]] RIFFLE_API void fail_too_long(std::string_view name, std::uint64_t offset,
                                           source_state* from = nullptr);

}  // namespace riffle::inline v0::detail
