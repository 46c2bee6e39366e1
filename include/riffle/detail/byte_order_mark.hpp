/// Names the byte order mark, which may stand before a text and is no part of it.
#pragma once

#include <riffle/version.hpp>

#include <string_view>

namespace riffle::inline v0::detail {

/// The byte order mark (BOM) of UTF-8.
inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

}  // namespace riffle::inline v0::detail
