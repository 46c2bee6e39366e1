/// Finds the rows of an input in batches, and keeps the row that a batch or a block cuts; rare dialects go a
/// byte at a time.
#pragma once

#include <riffle/dialect.hpp>
#include <riffle/error.hpp>
#include <riffle/rows.hpp>
#include <riffle/source.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

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

/// Returns the place of the first CR of a row that is not in quotes, escaped, the last byte or before a CR;
/// `npos` if there is none.
std::size_t find_lone_cr(std::string_view row, const dialect& rules) noexcept;

/// Returns how many spaces are skipped before the text of a field.
std::size_t spaces_before(std::string_view field, const dialect& rules) noexcept;
/// Returns whether the text of a field, after those spaces, is not its bytes.
bool has_escaped_bytes(std::string_view field, const dialect& rules) noexcept;
/// Writes the text of a field, after those spaces, to `to`, which has room for as many bytes. Returns it.
std::string_view unescaped_field(std::string_view field, const dialect& rules, char* to) noexcept;

/// Reads an input, and finds the ends of its fields by one pass of a SIMD kernel over each batch.
///
/// The ends count from the first byte of the oldest row in the batch. So the ends of a row that goes on in
/// the next batch or block are moved once, and stay right when a carry moves its bytes.
///
/// It can also read one split of an input after another: the rows that start in it.
class row_scan final : public row_state {
 public:
  /// As `riffle::rows`.
  row_scan(const input& from, const dialect& rows, const read_options& reading);
  row_scan(riffle::source from, const dialect& rows);

  /// Returns what a range reads by. Throws `riffle::error` if the range was moved from.
  static row_scan& of(const row_range& rows);
  /// Returns rows of another source that are read as those of `other`, whose header was read.
  static row_range like(const row_scan& other, riffle::source from);

  bool next_batch(bool may_read) override;
  bool refuse_long() override;
  std::uint64_t offset_behind() const noexcept override;

  /// Returns where the rows after the header start, and learns how many fields rows have. No row was taken.
  static std::uint64_t behind_header(const row_range& rows);

  /// Goes to the row at `start`. The rows that start before `limit` follow, and then the end.
  void start_split(std::uint64_t start, std::uint64_t limit);
  /// The same for the first row that starts in [`from`, `limit`), as far as the bytes there tell. Returns its
  /// offset; nothing if no row seems to start there.
  std::optional<std::uint64_t> guess_split(std::uint64_t from, std::uint64_t limit);
  /// Goes on after the last row of a split, or at the first row: the rows that start before `limit` follow,
  /// and then the end.
  void read_on(std::uint64_t limit);
  /// Ends the split that was guessed, before its limit, once `is_wrong` says so of the offset up to which it
  /// was read. Is asked before each block.
  void give_up_if(std::function<bool(std::uint64_t reached)> is_wrong) { at_.is_wrong = std::move(is_wrong); }
  /// Returns whether the split ended so.
  bool gave_up() const noexcept { return at_.gave_up; }
  /// From now on a failure of a step ends the split: `failure` has it.
  void end_at_failures() noexcept { ends_at_failures_ = true; }
  /// Ends the split at the failure of a row.
  void end_at(std::exception_ptr failure) noexcept { at_.failure = std::move(failure); }
  /// Returns the failure that ended the split; null if none did.
  const std::exception_ptr& failure() const noexcept { return at_.failure; }
  /// Returns whether the input ended, after the end of a split.
  bool ended() const noexcept { return bytes_offset < at_.limit; }
  /// Returns whether there is a row. Throws as a step does.
  bool has_next() { return next_row != last_row || next_batch(true); }
  /// Goes to the end.
  void pass_rest();
  /// Does what `row_range::choose` says. The header was read.
  void choose(row_choice wanted);
  /// Returns the offset after the last row, once the end was met.
  std::uint64_t end() const noexcept { return bytes_offset; }

  const riffle::source& source() const noexcept { return source_; }

 private:
  static constexpr std::size_t batch_size = 4096;
  static constexpr std::size_t shortest_batch = 128;

  bool end_at_failure();
  bool find_batch(bool may_read);
  bool gives_up();
  void take_header_of_file(const dialect& rows);
  void learn_width();
  bool skip_rows();
  bool skips_next() const;
  bool passes_unwanted();
  std::size_t lines_ahead() const;
  void keep_unfinished();
  void leave_row();
  void move_to(const char* place);
  bool next_block();
  bool passes_mark();
  kernel::row_matches match(std::string_view batch, kernel::row_bytes by, field_state& state);
  void match_batch();
  void cut_batch(const std::uint64_t* batch_ends);
  void end_batch_after(std::size_t rows, const char* next);
  void refuse_rows_that_end_in_cr() const;
  void end_last_row();
  void reserve(std::size_t wanted);
  bool is_well_quoted(std::string_view bytes, field_state state);
  [[noreturn]] void fail(const error& why) const;
  error why_bad() const;
  error bad_quoting(const char* bad, std::string_view what) const;

  // Where the reading stands in its split, beside what `row_place` says.
  struct progress {
    std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();  // no row starts there or after
    bool at_front = true;                                             // of the input: no byte was read
    std::uint64_t first_row_at = 0;                                   // after a byte order mark
    std::uint64_t left_to_skip = 0;                                   // of `skip_rows`
    bool skipping = false;                                            // a row whose end was not found

    std::string_view rest = {};      // of the block, after the batch
    std::size_t batch = batch_size;  // of the next; shorter after one that a comment cut
    std::size_t kept = 0;            // ends of a row that started before the batch
    kernel::row_matches found = {};  // in the batch, after those that were kept
    field_state quoting = {};
    const char* unfinished = nullptr;  // the first byte of the row whose end was not found
    const char* bad = nullptr;         // the byte that breaks the rules of quoting: no row goes on after it
    std::string_view lines = {};       // that `wanted_` was asked about
    std::size_t next_run = 0;          // of `runs_`
    const char* wanted_end = nullptr;  // of the run before

    std::function<bool(std::uint64_t)> is_wrong = {};
    bool gave_up = false;
    std::exception_ptr failure = {};
  };

  kernel::row_bytes bytes_;
  riffle::source source_;
  std::size_t longest_;  // that a row can get before its end is known
  unusual_rows unusual_;
  progress at_;
  bool ends_at_failures_ = false;
  row_choice wanted_ = {};
  std::vector<row_run> runs_ = {};

  std::unique_ptr<std::uint64_t[]> memory_ = {};  // -1, which ends the row before the first; then the ends
  std::size_t capacity_ = 0;                      // of the ends
  std::array<std::uint32_t, batch_size + kernel::row_slack> rows_;
};

}  // namespace riffle::inline v0::detail
