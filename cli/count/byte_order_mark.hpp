/// The byte order mark (BOM) of UTF-8, which may stand before a text and is no part of it.
#ifndef RIFFLE_CLI_COUNT_BYTE_ORDER_MARK_HPP
#define RIFFLE_CLI_COUNT_BYTE_ORDER_MARK_HPP

#include <string_view>

namespace riffle::cli {

inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

}  // namespace riffle::cli

#endif
