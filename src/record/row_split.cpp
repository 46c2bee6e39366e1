/// Finds where the rows of a split start, and cuts rows of rare dialects from byte to byte.
#include "record/row_scan.hpp"

#include <riffle/methods.hpp>

#include <algorithm>

#include "source/source_state.hpp"

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

std::size_t find_lone_cr(std::string_view row, const dialect& rules) noexcept {
  field_state at;
  for (std::size_t i = 0; i + 1 < row.size(); ++i) {
    const bool outside = at.inside == 0 && !at.escapes;
    step(row[i], rules, at);
    if (outside && row[i] == '\r' && row[i + 1] != '\r') return i;
  }
  return std::string_view::npos;
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

std::uint64_t row_scan::behind_header(const row_range& rows) {
  static_cast<void>(rows.names());
  row_scan& scan = of(rows);
  const std::uint64_t first_row = scan.count == 0 ? scan.end() : scan.offset_behind();
  scan.learn_width();
  return first_row;
}

row_range row_scan::like(const row_scan& other, riffle::source from) {
  dialect options = other.rules;
  options.header = false;
  row_range rows(std::move(from), options);
  of(rows).has_header = other.has_header;
  of(rows).names = other.names;
  of(rows).width = other.width;
  of(rows).wanted_ = other.wanted_;
  return rows;
}

void row_scan::start_split(std::uint64_t start, std::uint64_t limit) {
  opened->seek(start);
  const bool at_front = start == source_.start();
  static_cast<row_place&>(*this) = {.bytes_offset = start};
  at_ = {.limit = limit, .at_front = at_front, .left_to_skip = at_front ? rules.skip_rows : 0};
}

void row_scan::read_on(std::uint64_t limit) {
  rows_before += number();
  restart_numbers();
  if (next_row == last_row) count = 0;
  at_.limit = limit;
}

// A row starts after the delimiter of the one before, which may be the byte before the split. Bytes that are
// well quoted only if they start inside quotes do that, most likely. A wrong guess is found out: see
// parallel/rows.cpp.
std::optional<std::uint64_t> row_scan::guess_split(std::uint64_t from, std::uint64_t limit) {
  start_split(from - 1, limit);
  at_.at_front = false;
  at_.left_to_skip = 0;
  if (!next_block()) return std::nullopt;
  constexpr std::size_t evidence = 16 * 1024;  // enough to meet a quote in most files, little beside a split
  const std::string_view first = at_.rest.substr(0, evidence);
  constexpr field_state inside{kernel::quote_state{.inside = 1}};
  field_state state = {};
  if (rules.quote && !is_well_quoted(first, state) && is_well_quoted(first, inside)) state = inside;
  while (bytes_offset < limit) {
    const std::string_view batch = at_.rest.substr(0, batch_size);
    const kernel::row_matches found = match(batch, bytes_, state);
    at_.rest.remove_prefix(found.rows == 0 ? batch.size() : static_cast<std::size_t>(memory_[rows_[0]]) + 1);
    move_to(at_.rest.data());
    if (found.rows != 0) break;
    if (found.size != batch.size() || (at_.rest.empty() && !next_block())) return std::nullopt;
  }
  return bytes_offset < limit ? std::optional(bytes_offset) : std::nullopt;
}

bool row_scan::is_well_quoted(std::string_view bytes_there, field_state state) {
  const kernel::row_bytes strict{bytes_.field, bytes_.row, bytes_.quote};
  for (; !bytes_there.empty(); bytes_there.remove_prefix(std::min(batch_size, bytes_there.size()))) {
    const std::string_view batch = bytes_there.substr(0, batch_size);
    if (match(batch, strict, state).size != batch.size()) return false;
  }
  return true;
}

}  // namespace riffle::inline v0::detail

namespace riffle::inline v0 {

namespace {

// Joins members of a compressed file to splits of at least `length` bytes. Each but the first begins where
// the first record of its first member starts a row: a member may begin inside quotes. `rows` are those of
// the file.
std::vector<file_split> joined(const std::vector<file_split>& members, std::uint64_t length,
                               const row_range& rows, char delimiter) {
  detail::row_scan& scan = detail::row_scan::of(rows);
  std::vector<file_split> all;
  file_split counted;       // members whose records are counted at once
  std::uint64_t start = 0;  // of the first record after them, in decoded bytes
  bool starts_row = true;
  for (const file_split& each : members) {
    if (std::exchange(starts_row, false)) all.push_back(each);
    if (counted.begin == counted.end) counted = each;
    all.back().end = counted.end = each.end;
    const bool last = &each == &members.back();
    if (!last && each.end - all.back().begin < length) continue;
    if (last) {
      start = std::numeric_limits<std::uint64_t>::max();
    } else {
      source records(read_split(counted, {.delimiter = delimiter}));
      for (block next = records.next(); !next.empty(); next = records.next()) start += next.size();
    }
    counted.begin = counted.end;
    scan.read_on(start);
    scan.pass_rest();
    starts_row = scan.end() == start;
  }
  return all;
}

}  // namespace

std::vector<file_split> splits(const input& from, const split_options& splitting, const dialect& options) {
  const bool decoded = splitting.decode == decoding::automatic ? decoding_of(from) != decoding::none
                                                               : splitting.decode != decoding::none;
  const std::uint64_t length = splitting.size == 0 ? split_options().size : splitting.size;
  std::vector<file_split> all = splits(from, {.size = decoded ? 1 : length, .decode = splitting.decode});
  const row_range rows(from, options, {.decode = splitting.decode});
  detail::row_scan& scan = detail::row_scan::of(rows);
  const std::uint64_t first_row = detail::row_scan::behind_header(rows);
  if (decoded) return joined(all, length, rows, options.delimiter);
  constexpr std::uint64_t behind_mark = 4;  // no delimiter stands between a byte order mark and the first row
  std::uint64_t begin = 0;
  for (file_split& split : all) {
    const bool last = &split == &all.back();
    const std::uint64_t end = std::max(split.end, behind_mark);
    split.begin = begin;
    if (begin < end) {
      scan.start_split(begin == 0 ? first_row : begin,
                       last ? std::numeric_limits<std::uint64_t>::max() : end);
      scan.pass_rest();
      begin = scan.end();
    }
    split.end = begin;
  }
  return all;
}

}  // namespace riffle::inline v0
