/// Implements the steps from batch to batch and from block to block.
#include "record/row_scan.hpp"

#include <riffle/detail/match_scan.hpp>

#include <algorithm>
#include <limits>
#include <new>
#include <string>

#include "source/source_state.hpp"

namespace riffle::inline v0::detail {

namespace {

kernel::row_bytes checked(const row_options& rows, const std::string& name) {
  const auto refuse = [&](std::string_view what) {
    throw error(errc::invalid_argument, "read", name, std::nullopt, what);
  };
  if (rows.field == rows.delimiter) refuse("the delimiters of fields and of rows are the same byte");
  if (rows.quote == rows.field) refuse("the quote and the delimiter of fields are the same byte");
  if (rows.quote == rows.delimiter) refuse("the quote and the delimiter of rows are the same byte");
  return {rows.field, rows.delimiter, rows.quote.value_or('\0')};
}

// Nothing is opened by wrong options.
source opened_for(const input& from, const row_options& rows, const read_options& reading) {
  static_cast<void>(checked(rows, from.name()));
  return source(from, reading);
}

[[noreturn]] void fail_no_memory(std::string_view name, std::uint64_t offset) {
  throw error(std::make_error_code(std::errc::not_enough_memory), "read", name, offset,
              "no memory for the fields of the row");
}

// With strip_cr the last byte may be a '\r' that does not count.
std::size_t longest_unfinished(const row_options& rows) {
  const bool more = rows.strip_cr && rows.max_length < std::numeric_limits<std::size_t>::max();
  return rows.max_length + (more ? 1 : 0);
}

}  // namespace

row_scan::row_scan(const input& from, const row_options& rows, const read_options& reading)
    : row_scan(opened_for(from, rows, reading), rows) {}

row_scan::row_scan(riffle::source from, const row_options& rows)
    : bytes_(checked(rows, from.name())), source_(std::move(from)), longest_(longest_unfinished(rows)) {
  detail::source_state::of(source_).require_delimiter(rows.delimiter);
  plain = !rows.strip_cr && rows.max_length == std::numeric_limits<std::size_t>::max();
  quoted = rows.quote.has_value();
  quote = bytes_.quote;
  strip_cr = rows.strip_cr;
  max_length = rows.max_length;
  name = source_.name();
  opened = &source_state::of(source_);
}

bool row_scan::next_batch() {
  do {
    keep_unfinished();
    if (failure_) fail();
    if (!rest_.empty() || next_block()) {
      match_batch();
    } else if (bytes != rest_.data()) {
      end_last_row();
    } else {
      return false;
    }
  } while (found_.rows == 0);
  ends = memory_.get() + 1;
  count = 0;
  cut = nullptr;
  batch_ends = ends + kept_;
  next_row = rows_.data();
  last_row = rows_.data() + found_.rows;
  return true;
}

std::uint64_t row_scan::offset_behind() const noexcept {
  const std::uint64_t end = ends[count - 1] + (cut != nullptr ? 1U : 0U);
  const auto read = static_cast<std::uint64_t>(rest_.data() + rest_.size() - bytes);
  return bytes_offset + std::min(end + 1, read);  // the end of the input may end the row
}

// Moves the ends of the unfinished row to the front, and lets them count from its first byte.
void row_scan::keep_unfinished() {
  if (found_.rows == 0) {
    kept_ += found_.ends;
  } else {
    const std::size_t done = rows_[found_.rows - 1];
    const auto moved = static_cast<std::uint64_t>(unfinished_ - bytes);
    std::uint64_t* const to = memory_.get() + 1;
    const std::uint64_t* const from = to + kept_ + done;
    kept_ = found_.ends - done;
    std::transform(from, from + kept_, to, [moved](std::uint64_t end) { return end - moved; });
    bytes = unfinished_;
    bytes_offset += moved;
  }
  found_ = {};
}

// Returns false at the end of the input.
bool row_scan::next_block() {
  const auto size = static_cast<std::size_t>(rest_.data() - bytes);
  if (size > longest_) fail_too_long(name, bytes_offset, opened);
  const block region = opened->next(size, shorter_records);
  bytes = region.data();
  bytes_offset = region.offset;
  rest_ = region.bytes.substr(size);
  return !rest_.empty();
}

void row_scan::match_batch() {
  const std::string_view batch = rest_.substr(0, batch_size);
  reserve(kept_ + batch.size());
  std::uint64_t* const to = memory_.get() + 1 + kept_;
  const auto base = static_cast<std::uint64_t>(batch.data() - bytes);
  const kernel::table& kernels = kernel::active();
  found_ =
      quoted ? kernels.match_quoted_rows(batch.data(), batch.size(), bytes_, quoting_, base, to, rows_.data())
             : kernels.match_rows(batch.data(), batch.size(), bytes_, base, to, rows_.data());
  matched = batch.data();
  doubled = found_.doubled;
  if (found_.rows != 0) unfinished_ = bytes + to[rows_[found_.rows - 1] - 1] + 1;
  if (found_.size != batch.size()) failure_ = failure_at(batch.data() + found_.size);
  rest_.remove_prefix(batch.size());
}

// Lets the end of the input end a row.
void row_scan::end_last_row() {
  if (quoting_.inside != 0) {
    failure_ = bad_quoting(bytes + (memory_[kept_] + 1), "a quote is not closed");
    fail();
  }
  reserve(kept_ + 1);
  memory_[1 + kept_] = static_cast<std::uint64_t>(rest_.data() - bytes);
  rows_[0] = 1;
  found_ = {.size = 0, .ends = 1, .rows = 1};
  matched = nullptr;  // the row may have moved since
  unfinished_ = rest_.data();
}

// Throws the failure, unless it comes of bytes that were lost.
void row_scan::fail() {
  source_.check();
  throw error(*failure_);
}

// Makes room for `wanted` ends.
void row_scan::reserve(std::size_t wanted) {
  if (wanted <= capacity_) return;
  wanted += wanted / 2;
  std::unique_ptr<std::uint64_t[]> larger;
  try {
    larger = std::make_unique_for_overwrite<std::uint64_t[]>(1 + wanted + kernel::row_slack);
  } catch (const std::bad_alloc&) {
    fail_no_memory(name, bytes_offset);
  }
  larger[0] = std::numeric_limits<std::uint64_t>::max();
  if (kept_ != 0) std::copy_n(memory_.get() + 1, kept_, larger.get() + 1);
  memory_ = std::move(larger);
  capacity_ = wanted;
}

// Returns why no row goes on behind `bad`.
error row_scan::failure_at(const char* bad) const {
  const char* const row = found_.rows == 0 ? bytes : unfinished_;
  const std::uint64_t offset = bytes_offset + static_cast<std::uint64_t>(row - bytes);
  // A row that is too long fails for that, as it does if its block ends before the bad quote.
  if (static_cast<std::size_t>(bad - row) > longest_) return {errc::record_too_long, "read", name, offset};
  if (offset == 0 && std::string_view(row, static_cast<std::size_t>(bad - row)) == "\xEF\xBB\xBF") {
    return bad_quoting(bad, "a byte order mark (BOM) stands before the quote");
  }
  // A CR behind the closing quote may end the row, so the byte behind it is the bad one.
  const bool behind_cr = bad - row >= 2 && bad[-1] == '\r' && bad[-2] == bytes_.quote;
  return bad_quoting(bad, *bad == bytes_.quote && !behind_cr ? "a quote stands inside an unquoted field"
                                                             : "a closing quote does not end its field");
}

error row_scan::bad_quoting(const char* bad, std::string_view what) const {
  return {errc::bad_quoting, "read", name, bytes_offset + static_cast<std::uint64_t>(bad - bytes),
          std::string(what) + " in row " + std::to_string(number + found_.rows + 1)};
}

}  // namespace riffle::inline v0::detail
