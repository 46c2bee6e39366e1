/// The byte order mark (BOM) of UTF-8, which may stand before a text and is no part of it.
#ifndef RIFFLE_CLI_COUNT_BYTE_ORDER_MARK_HPP
#define RIFFLE_CLI_COUNT_BYTE_ORDER_MARK_HPP

#include <riffle/source.hpp>

#include <cstddef>
#include <string_view>

namespace riffle::cli {

inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// Returns the first block of an input without the mark: the second block, if there is nothing else in it.
/// Throws what `source::next` throws.
inline block behind_byte_order_mark(source& from) {
  block first = from.next();
  std::size_t had = 0;
  while (first.size() != had && first.size() < byte_order_mark.size() &&
         byte_order_mark.starts_with(first.bytes)) {
    had = first.size();
    first = from.next(had);
  }
  if (first.offset != 0 || !first.bytes.starts_with(byte_order_mark)) return first;
  if (first.size() == byte_order_mark.size()) return from.next();
  return {first.bytes.substr(byte_order_mark.size()), byte_order_mark.size()};
}

}  // namespace riffle::cli

#endif
