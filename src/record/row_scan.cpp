/// Implements the steps from batch to batch and from block to block.
#include "record/row_scan.hpp"

#include <riffle/detail/byte_order_mark.hpp>
#include <riffle/detail/scanned.hpp>
#include <riffle/scan.hpp>

#include <algorithm>
#include <new>
#include <string>

#include "record/record_too_long.hpp"
#include "source/source_state.hpp"

namespace riffle::inline v0::detail {

namespace {

kernel::row_bytes bytes_of(const dialect& rows) {
  // Between white space, SIMD finds the rows only.
  return {rows.whitespace ? rows.delimiter : rows.separator, rows.delimiter, rows.quote.value_or('\0'),
          rows.quoting == quoting::lax};
}

// Whether the rows are those of a split that is not the first.
bool starts_behind(const source& from) {
  const auto& part = source_state::of(from).input()->part;
  return part && part->split.begin != 0;
}

// Throws as `riffle::rows` does for wrong options.
void require_sense(const dialect& rows, const std::string& name) {
  const std::string_view same = detail::same_bytes_in(rows);
  if (!same.empty()) throw error(errc::invalid_argument, "read", name, std::nullopt, same);
}

// Nothing is opened by wrong options.
source opened_for(const input& from, const dialect& rows, const read_options& reading) {
  require_sense(rows, from.name());
  return source(from, reading);
}

// With strip_cr the last byte may be a '\r' that does not count.
std::size_t longest_unfinished(const dialect& rows) {
  const bool more = rows.strip_cr && rows.max_length < std::numeric_limits<std::size_t>::max();
  return rows.max_length + (more ? 1 : 0);
}

unusual_rows unusual_in(const dialect& rows) {
  if (rows.max_length != std::numeric_limits<std::size_t>::max()) return unusual_rows::all;
  if (rows.ragged != ragged::keep || rows.whitespace) return unusual_rows::all;
  if (!rows.strip_cr && !rows.skip_blank) return unusual_rows::none;
  return rows.delimiter == '\n' ? unusual_rows::end_in_lf_or_cr : unusual_rows::all;
}

}  // namespace

row_scan::row_scan(const input& from, const dialect& rows, const read_options& reading)
    : row_scan(opened_for(from, rows, reading), rows) {}

row_scan::row_scan(riffle::source from, const dialect& rows)
    : bytes_(bytes_of(rows)),
      source_(std::move(from)),
      longest_(longest_unfinished(rows)),
      unusual_(unusual_in(rows)) {
  rules = rows;
  if (starts_behind(source_)) rules.skip_rows = 0;
  at_.left_to_skip = rules.skip_rows;
  require_sense(rows, source_.name());
  opened = &source_state::of(source_);
  opened->require_delimiter(rows.delimiter);
  const bool seldom = rows.trim || needs_escaped_fields(rows);
  texts = seldom ? field_texts::trimmed : rows.quote ? field_texts::quoted : field_texts::raw;
  quote = bytes_.quote;
  name = source_.name();
  bytes_offset = at_.first_row_at = source_.start();
  has_header = header_due = rows.header;
  if (starts_behind(source_) && (has_header || rows.ragged != ragged::keep)) take_header_of_file(rows);
}

// A split that is not the first has the header of its file, and the number of fields.
void row_scan::take_header_of_file(const dialect& rows) {
  read_options reading = opened->given();
  reading.watch.progress = nullptr;
  reading.watch.compressed_progress = nullptr;
  reading.decode = opened->how().decoder;
  const row_range all(opened->input()->part->split.path, rows, reading);
  static_cast<void>(behind_header(all));
  names = all.names();
  width = of(all).width;
  header_due = false;
}

// Looks at the first row, which the next step meets again.
void row_scan::learn_width() {
  if (rules.ragged == ragged::keep || width != 0 || !next()) return;
  step_back();
  restart_numbers();
}

void row_scan::pass_rest() {
  while (true) try {
      while (next()) {
      }
      return;
    } catch (const error& failure) {
      if (failure.code() != errc::wrong_field_count) throw;
    }
}

bool row_scan::next_batch(bool may_read) try {
  return !at_.failure && find_batch(may_read);
} catch (const error&) {
  return end_at_failure();
}

bool row_scan::refuse_long() try {
  if (!at_.failure) fail_too_long(name, bytes_offset + start(), opened);
  return false;
} catch (const error&) {
  return end_at_failure();
}

// Lets the failure that was caught end the split, if the split is to end so; else throws it again.
bool row_scan::end_at_failure() {
  if (!ends_at_failures_) throw;
  at_.failure = std::current_exception();
  return false;
}

bool row_scan::gives_up() {
  // What was left once is not read on, though the guess may turn out right meanwhile.
  at_.gave_up =
      at_.gave_up ||
      (at_.is_wrong && at_.is_wrong(bytes_offset + static_cast<std::uint64_t>(at_.rest.data() - bytes)));
  return at_.gave_up;
}

bool row_scan::find_batch(bool may_read) {
  do {
    keep_unfinished();
    if (at_.bad != nullptr) fail(why_bad());
    if (bytes == at_.rest.data() && !skip_rows()) return false;
    if (!at_.rest.empty()) {
      match_batch();
    } else if (!may_read || gives_up()) {
      return false;
    } else if (!next_block()) {
      if (bytes == at_.rest.data()) return false;
      end_last_row();
    }
  } while (at_.found.rows == 0);
  leave_row();
  cut = nullptr;
  behind_padded = nullptr;
  before_field = -1;
  batch_ends = ends + at_.kept;
  rows_of_batches_before = number();
  first_row = next_row = rows_.data();
  last_row = rows_.data() + at_.found.rows;
  // Before a blank row at the start of the input stands no byte.
  unusual = *ends == 0 && unusual_ != unusual_rows::none ? unusual_rows::all : unusual_;
  return true;
}

// Skips what the options say at the start of a row. Returns false at the end of the split.
bool row_scan::skip_rows() {
  do {
    while (!at_.rest.empty() && (at_.skipping || skips_next())) {
      const std::size_t end = scan::find_byte(at_.rest, bytes_.row);
      const bool goes_on = std::exchange(at_.skipping, end == std::string_view::npos);
      // Its line counts from its first byte on, as the end of the input may end it.
      if (rules.count_lines) lines_before += std::uint64_t{at_.skipping} - std::uint64_t{goes_on};
      if (!at_.skipping && at_.left_to_skip != 0) --at_.left_to_skip;
      at_.rest.remove_prefix(at_.skipping ? at_.rest.size() : end + 1);
      move_to(at_.rest.data());
    }
  } while (wanted_ && passes_unwanted());
  return at_.skipping || at_.left_to_skip != 0 || bytes_offset < at_.limit;
}

bool row_scan::skips_next() const {
  return at_.left_to_skip != 0 ||
         (rules.comment && at_.rest.front() == *rules.comment && bytes_offset < at_.limit);
}

void row_scan::choose(row_choice wanted) {
  learn_width();
  if (!needs_escaped_fields(rules)) wanted_ = std::move(wanted);
}

// Passes lines before the next wanted row. Returns false if there is nothing to ask.
bool row_scan::passes_unwanted() {
  if (at_.rest.empty() || at_.rest.data() < at_.wanted_end || bytes_offset >= at_.limit) return false;
  if (at_.rest.data() >= at_.lines.data() + at_.lines.size()) {
    at_.lines = at_.rest.substr(0, lines_ahead());
    at_.next_run = 0;
    runs_.clear();
    if (at_.lines.empty()) return false;
    wanted_(at_.lines, runs_);
  }
  const auto passed = static_cast<std::size_t>(at_.rest.data() - at_.lines.data());
  while (at_.next_run != runs_.size() && runs_[at_.next_run].end <= passed) ++at_.next_run;
  const bool found = at_.next_run != runs_.size();
  const std::size_t begin = found ? std::max(runs_[at_.next_run].begin, passed) : at_.lines.size();
  at_.rest.remove_prefix(begin - passed);
  move_to(at_.rest.data());
  if (found) at_.wanted_end = at_.lines.data() + runs_[at_.next_run].end;
  return true;
}

// Returns how many bytes hold the next rows up to one with a quote, to one that starts at the limit, or to
// the end of a window that stays in the cache.
std::size_t row_scan::lines_ahead() const {
  constexpr std::size_t window = 64 * 1024;  // tuning
  std::string_view lines = at_.rest.substr(0, window);
  if (const std::uint64_t left = at_.limit - bytes_offset; left < lines.size()) {
    const std::size_t end = scan::find_byte(lines, bytes_.row, static_cast<std::size_t>(left - 1));
    lines = lines.substr(0, std::min(end, lines.size() - 1) + 1);
  }
  if (rules.quote) lines = lines.substr(0, scan::find_byte(lines, bytes_.quote));
  return lines.rfind(bytes_.row) + 1;  // of npos: 0
}

std::uint64_t row_scan::offset_behind() const noexcept {
  const std::uint64_t end = row_end() + (cut != nullptr ? 1U : 0U);
  const auto read = static_cast<std::uint64_t>(at_.rest.data() + at_.rest.size() - bytes);
  return bytes_offset + std::min(end + 1, read);  // the end of the input may end the row
}

// Moves the ends of the unfinished row to the front, and lets them count from its first byte.
void row_scan::keep_unfinished() {
  if (at_.found.rows == 0) {
    at_.kept += at_.found.ends;
  } else {
    const std::size_t done = rows_[at_.found.rows - 1];
    const auto moved = static_cast<std::uint64_t>(at_.unfinished - bytes);
    std::uint64_t* const to = memory_.get() + 1;
    const std::uint64_t* const from = to + at_.kept + done;
    at_.kept = at_.found.ends - done;
    std::transform(from, from + at_.kept, to, [moved](std::uint64_t end) { return end - moved; });
    move_to(at_.unfinished);
    const bool by_end = matched == nullptr && bytes[-1] != bytes_.row;  // the end of the input ended the line
    if (rules.count_lines && by_end) ++lines_before;
    leave_row();
  }
  at_.found = {};
}

// Stands before the oldest row.
void row_scan::leave_row() {
  ends = memory_.get() + 1;
  count = 0;
}

// Lets the oldest row start at `place`.
void row_scan::move_to(const char* place) {
  if (rules.count_lines) lines_before += scan::count_byte({bytes, place}, bytes_.row);
  bytes_offset += static_cast<std::uint64_t>(place - bytes);
  bytes = place;
}

// Returns false at the end of the input.
bool row_scan::next_block() {
  do {
    const auto size = static_cast<std::size_t>(at_.rest.data() - bytes);
    if (size > longest_ && !at_.at_front) fail_too_long(name, bytes_offset, opened);
    const block region = opened->next(size, {advice::set_max_length});
    bytes = region.data();
    bytes_offset = region.offset;
    at_.rest = region.bytes.substr(size);
    block_end = region.data() + region.bytes.size();
    at_.lines = {};
    at_.wanted_end = nullptr;
  } while (at_.at_front && passes_mark());
  return !at_.rest.empty();
}

// Passes a byte order mark, of which the first block may hold a split. Returns whether it needs more bytes;
// those at hand then count as the start of a row, which the next block continues.
bool row_scan::passes_mark() {
  at_.at_front = rules.skip_bom && bytes_offset == 0;
  if (!at_.at_front) return false;
  const bool ended = at_.rest.empty();
  const std::string_view front(bytes, static_cast<std::size_t>(at_.rest.data() - bytes) + at_.rest.size());
  if (!ended && front.size() < byte_order_mark.size() && byte_order_mark.starts_with(front)) {
    at_.rest = front.substr(front.size());
    return true;
  }
  at_.at_front = false;
  at_.rest = front;
  if (!front.starts_with(byte_order_mark)) return false;
  at_.rest.remove_prefix(byte_order_mark.size());
  move_to(at_.rest.data());
  at_.first_row_at = bytes_offset;
  return at_.rest.empty();
}

kernel::row_matches row_scan::match(std::string_view batch, kernel::row_bytes by, field_state& state) {
  reserve(at_.kept + batch.size());
  std::uint64_t* const to = memory_.get() + 1 + at_.kept;
  const auto base = static_cast<std::uint64_t>(batch.data() - bytes);
  if (needs_escaped_fields(rules)) [[unlikely]]
    return match_escaped_rows(batch, rules, state, base, to, rows_.data());
  const kernel::table& kernels = kernel::active();
  return rules.quote
             ? kernels.match_quoted_rows(batch.data(), batch.size(), by, state, base, to, rows_.data())
             : kernels.match_rows(batch.data(), batch.size(), by, base, to, rows_.data());
}

void row_scan::match_batch() {
  const bool in_run = at_.rest.data() < at_.wanted_end;
  const auto left = in_run ? static_cast<std::size_t>(at_.wanted_end - at_.rest.data()) : at_.batch;
  const std::string_view batch = at_.rest.substr(0, std::min(at_.batch, left));
  at_.batch = std::min(2 * at_.batch, batch_size);
  at_.found = match(batch, bytes_, at_.quoting);
  matched = batch.data();
  doubled = at_.found.doubled;
  if (at_.found.size != batch.size()) at_.bad = batch.data() + at_.found.size;
  at_.rest.remove_prefix(batch.size());
  if (at_.found.rows == 0) return;
  const std::uint64_t* const to = memory_.get() + 1 + at_.kept;
  at_.unfinished = bytes + to[rows_[at_.found.rows - 1] - 1] + 1;
  const std::uint64_t reached = bytes_offset + static_cast<std::uint64_t>(at_.unfinished - bytes);
  if (rules.comment || reached >= at_.limit) cut_batch(to);
  // Rows that may be passed start where a batch does.
  if (wanted_ && !in_run) end_batch_after(at_.found.rows, at_.unfinished);
}

// Ends the batch before the first row that is a comment, or that starts after the split.
void row_scan::cut_batch(const std::uint64_t* to) {
  for (std::size_t row = 0; row != at_.found.rows; ++row) {
    const char* const next = bytes + to[rows_[row] - 1] + 1;
    const bool is_comment = rules.comment && next != at_.rest.data() && *next == *rules.comment;
    if (!is_comment && bytes_offset + static_cast<std::uint64_t>(next - bytes) < at_.limit) continue;
    end_batch_after(row + 1, next);
    at_.batch = shortest_batch;
    return;
  }
}

// Ends the batch after some of its rows, where the next one starts.
void row_scan::end_batch_after(std::size_t rows, const char* next) {
  at_.rest = {next, static_cast<std::size_t>(at_.rest.data() + at_.rest.size() - next)};
  at_.unfinished = next;
  at_.found.rows = rows;
  at_.found.ends = rows_[rows - 1];
  at_.quoting = {};
  at_.bad = nullptr;
}

// Refuses the rows of old Macs, which would be one row: no LF ends the first, but a CR stands outside quotes.
// A CR that ends the input, or stands before such a CR, may be cut off.
void row_scan::refuse_rows_that_end_in_cr() const {
  const bool may_be = rules.strip_cr && bytes_.row == '\n' && bytes_.field != '\r';
  if (!may_be || bytes_offset != at_.first_row_at || starts_behind(source_)) return;
  if (const std::size_t cr = find_lone_cr({bytes, at_.rest.data()}, rules); cr != std::string_view::npos) {
    fail({errc::invalid_argument, "read", name, bytes_offset + cr,
          "no LF ends the first row, and it has a CR; its delimiter may be '\\r'"});
  }
}

// Lets the end of the input end a row.
void row_scan::end_last_row() {
  if (at_.quoting.inside != 0) {
    const char* const field = bytes + (memory_[at_.kept] + 1);
    fail(bad_quoting(field + spaces_before({field, at_.rest.data()}, rules), "a quote is not closed"));
  }
  if (at_.quoting.escapes) fail(bad_quoting(at_.rest.data() - 1, "no byte follows an escape"));
  refuse_rows_that_end_in_cr();
  reserve(at_.kept + 1);
  memory_[1 + at_.kept] = static_cast<std::uint64_t>(at_.rest.data() - bytes);
  rows_[0] = 1;
  at_.found = {.size = 0, .ends = 1, .rows = 1};
  matched = nullptr;  // the row may have moved since
  at_.unfinished = at_.rest.data();
}

// Throws the failure, unless it comes of bytes that were lost.
void row_scan::fail(const error& why) const {
  source_.check();
  throw error(why);
}

// Makes room for `wanted` ends.
void row_scan::reserve(std::size_t wanted) {
  if (wanted <= capacity_) return;
  wanted += wanted / 2;
  std::unique_ptr<std::uint64_t[]> larger;
  try {
    larger = std::make_unique_for_overwrite<std::uint64_t[]>(1 + wanted + kernel::row_slack);
  } catch (const std::bad_alloc&) {
    fail_no_memory(bytes_offset);
  }
  larger[0] = std::numeric_limits<std::uint64_t>::max();
  if (at_.kept != 0) std::copy_n(memory_.get() + 1, at_.kept, larger.get() + 1);
  memory_ = std::move(larger);
  capacity_ = wanted;
  leave_row();
}

// Returns why the oldest row does not go on after `at_.bad`.
error row_scan::why_bad() const {
  // A row that is too long fails for that, as it does if its block ends before the bad quote.
  if (static_cast<std::size_t>(at_.bad - bytes) > longest_) {
    return too_long(name, bytes_offset);
  }
  // A CR after the closing quote may end the row, so the byte after it is the bad one.
  const bool behind_cr = at_.bad - bytes >= 2 && at_.bad[-1] == '\r' && at_.bad[-2] == bytes_.quote;
  return bad_quoting(at_.bad, *at_.bad == bytes_.quote && !behind_cr
                                  ? "a quote stands inside an unquoted field"
                                  : "a closing quote does not end its field");
}

error row_scan::bad_quoting(const char* bad, std::string_view what) const {
  return {errc::bad_quoting, "read", name, bytes_offset + static_cast<std::uint64_t>(bad - bytes),
          std::string(what) +
              (header_due ? " in the header" : " in row " + std::to_string(number_in_input() + 1))};
}

}  // namespace riffle::inline v0::detail
