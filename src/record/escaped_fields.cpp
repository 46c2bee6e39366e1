/// Implements one step from byte to byte for the ends of fields, and the same for their texts.
#include "record/escaped_fields.hpp"

#include <algorithm>

namespace riffle::inline v0::detail {

namespace {

// What a byte is for its field.
enum class role : std::uint8_t { text, escape, opens, closes, second, skipped, ends, bad };

// Returns what the next byte of a field is, and goes past it.
role step(char byte, const dialect& rules, field_state& at) noexcept {
  const bool fresh = at.may_open != 0;
  const bool closed = at.closed != 0;
  const bool behind_cr = at.cr != 0;
  at.may_open = at.cr = 0;
  if (at.escapes) {
    at.escapes = false;
    return role::text;
  }
  if (rules.escape && byte == *rules.escape && !(closed && rules.double_quote)) {
    at.escapes = true;
    return role::escape;
  }
  const bool is_quote = rules.quote && byte == *rules.quote;
  if (at.inside != 0) {
    if (!is_quote) return role::text;
    at.inside = 0;
    at.closed = 1;
    return role::closes;
  }
  at.closed = 0;
  if (is_quote && (fresh || (closed && rules.double_quote))) {
    at.inside = 1;
    return fresh ? role::opens : role::second;
  }
  if (byte == rules.separator || byte == rules.delimiter) {
    at = {};
    return role::ends;
  }
  if (fresh && rules.skip_initial_space && byte == ' ') {
    at.may_open = 1;
    return role::skipped;
  }
  // After a closing quote one CR may end the row.
  at.cr = closed && byte == '\r' ? 1 : 0;
  const bool is_bad = is_quote || behind_cr || (closed && at.cr == 0);
  return rules.quoting == quoting::strict && is_bad ? role::bad : role::text;
}

}  // namespace

kernel::row_matches match_escaped_rows(std::string_view batch, const dialect& rules, field_state& state,
                                       std::uint64_t base, std::uint64_t* ends, std::uint32_t* rows) {
  kernel::row_matches found{};
  for (; found.size != batch.size(); ++found.size) {
    const char byte = batch[found.size];
    const role what = step(byte, rules, state);
    if (what == role::bad) break;
    if (what != role::ends) continue;
    ends[found.ends++] = base + found.size;
    if (byte == rules.delimiter) rows[found.rows++] = static_cast<std::uint32_t>(found.ends);
  }
  return found;
}

std::size_t spaces_before(std::string_view field, const dialect& rules) noexcept {
  if (!rules.skip_initial_space) return 0;
  return std::min(field.find_first_not_of(' '), field.size());
}

bool has_escaped_bytes(std::string_view field, const dialect& rules) noexcept {
  if (rules.quote && field.starts_with(*rules.quote)) return true;
  return rules.escape && field.find(*rules.escape) != std::string_view::npos;
}

std::string_view unescaped_field(std::string_view field, const dialect& rules, char* to) noexcept {
  field_state at;
  std::size_t size = 0;
  for (const char byte : field) {
    const role what = step(byte, rules, at);
    if (what == role::text || what == role::second) to[size++] = byte;
  }
  return {to, size};
}

}  // namespace riffle::inline v0::detail
