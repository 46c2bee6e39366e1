/// Steps from row to row in a batch whose ends of fields are known.
#pragma once

#include <riffle/dialect.hpp>
#include <riffle/error.hpp>
#include <riffle/export.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace riffle::inline v0::detail {

class source_state;

/// Says which rows of a batch the options may have something to do with: a blank row ends after the LF of the
/// row before, a CR is cut off.
enum class unusual_rows : std::uint8_t { none, end_in_lf_or_cr, all };

/// Says what the text of a field is: its bytes, those without quotes, or what `trimmed` makes of them.
enum class field_texts : std::uint8_t { raw, quoted, trimmed };

/// Says where a reading of rows stands: in the input, in a batch, at a row. To go elsewhere is an assignment.
struct row_place {
  std::uint64_t bytes_offset = 0;  // of `bytes` in the input
  const char* bytes = nullptr;     // the ends of fields count from here
  const char* block_end = nullptr;

  const std::uint32_t* first_row = nullptr;  // of the batch: the number of ends up to the end of the row
  const std::uint32_t* next_row = nullptr;   // the same for each row that is left
  const std::uint32_t* last_row = nullptr;
  std::uint64_t* batch_ends = nullptr;  // from which `next_row` counts
  unusual_rows unusual = unusual_rows::none;
  const char* matched = nullptr;  // the batch, of 4096 bytes at most, in which the rows end
  std::uint64_t doubled = 0;  // of which 64 bytes of the batch a field may have to be changed to unescape it
  std::uint64_t rows_of_batches_before = 0;
  std::uint64_t lines_before = 0;  // `bytes`, if `rules.count_lines`

  std::uint64_t* ends =
      nullptr;                   // of the row's fields; the one before the first is the end of the row before
  std::size_t count = 0;         // of the row's fields
  std::uint64_t* cut = nullptr;  // the end from which a CR was cut off
  std::uint64_t* behind_padded = nullptr;  // the ends after those of the row, if `ends` are in `padded`
  // From the end of a field to what stands before its first byte: the end of the field before. Otherwise
  // only between white space, where several bytes lie between two fields.
  std::ptrdiff_t before_field = -1;
};

/// Holds the rows of a batch, and which of them is the current one.
struct RIFFLE_API row_state : row_place {
  row_state() = default;
  row_state(const row_state&) = delete;
  row_state& operator=(const row_state&) = delete;
  virtual ~row_state() = default;

  /// Finds the rows of the next batch that ends a row. Returns false at the end of the input, and if it has
  /// to read but must not.
  virtual bool next_batch(bool may_read) = 0;
  /// Returns the offset after the current row and its delimiter.
  virtual std::uint64_t offset_behind() const noexcept = 0;
  /// Refuses the current row, which is too long. Throws, or returns false as `next_batch` does at the end.
  virtual bool refuse_long() = 0;

  /// Moves to the next row. Returns false at the end, and if it has to read but must not.
  [[gnu::always_inline]] bool next(bool may_read = true) {
    if (!step(may_read)) return false;
    return is_usual() || adjust(may_read);
  }
  /// Returns whether the options have nothing to do with the current row.
  [[gnu::always_inline]] bool is_usual() const noexcept {
    if (unusual != unusual_rows::end_in_lf_or_cr) return unusual == unusual_rows::none;
    return static_cast<unsigned char>(bytes[ends[count - 1] - 1] - '\n') > '\r' - '\n';
  }
  /// The same, without the options.
  [[gnu::always_inline]] bool step(bool may_read) {
    if (next_row == last_row && !next_batch(may_read)) return false;
    if (cut != nullptr) ++*std::exchange(cut, nullptr);
    std::uint64_t* const stop = batch_ends + *next_row++;
    ends += count;
    // As numbers: after a padded row, `ends` is of another array than `stop`, and `adjust` corrects both.
    count = static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(stop) -
                                     reinterpret_cast<std::uintptr_t>(ends)) /
            sizeof *stop;
    return true;
  }
  /// Applies the options to the current row. If they skip it, moves to the next. Returns false as
  /// `next` does.
  bool adjust(bool may_read);
  /// Lets the next step meet the current row again. No field was added to it, but blanks may have cut it.
  void step_back() noexcept {
    --next_row;
    count = 0;
    if (behind_padded != nullptr) ends = std::exchange(behind_padded, nullptr) - 1;
    before_field = -1;
  }
  /// Returns the number of the row: 1 for the first that was handed out.
  std::uint64_t number() const noexcept {
    return rows_of_batches_before + static_cast<std::uint64_t>(next_row - first_row);
  }
  /// Lets the next row be number 1.
  void restart_numbers() noexcept { rows_of_batches_before -= number(); }
  /// Returns the same in messages: that in the input, if the rows are those of a split.
  std::uint64_t number_in_input() const noexcept { return rows_before + number(); }

  std::uint64_t start() const noexcept { return ends[-1] + 1; }
  std::string_view field(std::size_t index) const noexcept {
    const std::uint64_t* const end = ends + index;
    const std::uint64_t from = end[before_field] + 1;
    return {bytes + from, static_cast<std::size_t>(*end - from)};
  }
  /// Returns whether the text of a field is its bytes: it has no quotes, and the dialect nothing that few
  /// have.
  bool is_plain(std::string_view field) const noexcept {
    if (texts == field_texts::raw) return true;
    return texts == field_texts::quoted && (field.empty() || field.front() != quote);
  }
  /// Returns whether a field may hold a doubled quote, or text after its closing quote: whether the 64 bytes
  /// of the batch that the field lies in do. A field that starts before the batch may.
  bool may_be_changed(std::string_view field) const noexcept {
    const auto at =
        reinterpret_cast<std::uintptr_t>(field.data()) - reinterpret_cast<std::uintptr_t>(matched);
    const std::size_t first = at / 64;
    const std::size_t last = (at + field.size() - 1) / 64;
    if ((first | last) >= 64) return true;
    return doubled >> first << (63 - (last - first)) != 0;
  }
  /// Returns where the row ends, without a CR that was cut off.
  std::uint64_t row_end() const noexcept {
    return behind_padded != nullptr ? behind_padded[-1] : ends[count - 1];
  }
  /// Returns the number of the line that the current row ends in, or the one before the next row, if a step
  /// left the current one; 0 without `rules.count_lines`.
  std::uint64_t line() const noexcept;
  /// Returns the text of a field, by `dialect::trim` and by the rules of quotes that few dialects have.
  std::string_view trimmed(std::string_view raw);
  bool is_null(std::string_view text) const noexcept {
    return !rules.null.empty() && std::ranges::find(rules.null, text) != rules.null.end();
  }
  /// Returns whether a field is a value whatever its text is, as it stands in quotes.
  bool is_value(std::size_t index) const noexcept {
    if (rules.quoted_null || !rules.quote) return false;
    std::string_view raw = field(index);
    if (rules.skip_initial_space) raw.remove_prefix(std::min(raw.find_first_not_of(' '), raw.size()));
    return raw.starts_with(quote);
  }
  /// Does what `rules.ragged` says if the current row has not `width` fields.
  void check_width();
  /// Puts the fields of the current row, whose separators are runs of blanks, into `padded`: at least
  /// `least`, of which the last ones are empty.
  void cut_at_blanks(std::size_t least);
  [[noreturn]] void fail_no_memory(std::uint64_t offset) const;
  [[noreturn]] void fail_missing(std::size_t index) const;
  [[noreturn]] void fail_count(errc code, std::string_view but) const;
  [[noreturn]] void fail_value(std::size_t index, std::string_view text, std::string_view type,
                               bool out_of_range) const;
  /// Returns what messages call a field: "column 'price'", or "field 3".
  std::string place(std::size_t index) const;
  std::string_view without_quotes(std::string_view field);
  /// Returns where the copy of a field of the current row has room for as many bytes.
  char* room_for(std::string_view field);

  std::uint64_t rows_before = 0;  // in the input, if these are the rows of a split
  field_texts texts = field_texts::raw;
  char quote = '\0';
  dialect rules = {};
  std::size_t width = 0;  // the number of fields that `rules.ragged` goes by; 0: unknown
  // The end of the row before, and the ends of a row with fields added. Between white space, where the fields
  // start stands before that.
  std::vector<std::uint64_t> padded = {};
  std::string_view name;           // of the input, in messages
  source_state* opened = nullptr;  // that the rows are of
  std::unique_ptr<char[]> copy;    // of a row, for its unescaped fields: each has the place it has in the row
  std::size_t copy_size = 0;

  bool has_header = false;
  bool header_due = false;         // the header was not read yet
  std::vector<std::string> names;  // of the columns, from the header
};

}  // namespace riffle::inline v0::detail
