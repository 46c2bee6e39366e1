/// What messages say of a byte order mark (BOM) that stands before the text that was expected.
#ifndef RIFFLE_CLI_REMEDIES_BYTE_ORDER_MARK_HPP
#define RIFFLE_CLI_REMEDIES_BYTE_ORDER_MARK_HPP

#include <string_view>

namespace riffle::cli {

inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
inline constexpr std::string_view starts_with_byte_order_mark =
    "starts with a byte order mark (BOM); remove it with tail -c +4";

}  // namespace riffle::cli

#endif
