/// Offers the cutting of rows by the rules that few dialects have, a byte at a time: escapes, quotes that are
/// not doubled, spaces before a field.
#pragma once

#include <riffle/dialect.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "kernel/kernels.hpp"

namespace riffle::inline v0::detail {

/// Holds what the bytes before a batch say about it. The kernels need the first part alone.
struct field_state : kernel::quote_state {
  bool escapes = false;  // the next byte is taken as it is
};

/// Returns whether a dialect has such rules.
inline bool needs_escaped_fields(const dialect& rules) noexcept {
  return rules.escape || !rules.double_quote || rules.skip_initial_space;
}

/// Finds the ends of fields and rows, as `match_quoted_rows` of the kernels does.
kernel::row_matches match_escaped_rows(std::string_view batch, const dialect& rules, field_state& state,
                                       std::uint64_t base, std::uint64_t* ends, std::uint32_t* rows);

/// Returns how many spaces are skipped before the text of a field.
std::size_t spaces_before(std::string_view field, const dialect& rules) noexcept;
/// Returns whether the text of a field, after those spaces, is not its bytes.
bool has_escaped_bytes(std::string_view field, const dialect& rules) noexcept;
/// Writes the text of a field, after those spaces, to `to`, which has room for as many bytes. Returns it.
std::string_view unescaped_field(std::string_view field, const dialect& rules, char* to) noexcept;

}  // namespace riffle::inline v0::detail
