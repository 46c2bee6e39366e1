/// Offers the rows of an input, cut into fields: CSV, TSV and the like.
#ifndef RIFFLE_ROWS_HPP
#define RIFFLE_ROWS_HPP

#include <riffle/detail/field_value.hpp>
#include <riffle/detail/record_iterator.hpp>
#include <riffle/dialect.hpp>
#include <riffle/export.hpp>
#include <riffle/input.hpp>
#include <riffle/options.hpp>
#include <riffle/source.hpp>
#include <riffle/splits.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace riffle::inline v0 {

namespace detail {

class row_scan;

/// Holds the rows of a batch, and which of them is the current one.
struct RIFFLE_API row_state {
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
    return plain || is_usual() || adjust(may_read);
  }
  /// Returns whether the options have nothing to do with the current row: it is short, not blank and does not
  /// end in a '\r'.
  [[gnu::always_inline]] bool is_usual() const noexcept {
    const std::uint64_t end = ends[count - 1];
    return end - start() - 1 < max_length && bytes[end - 1] != '\r';
  }
  /// The same, without the options.
  [[gnu::always_inline]] bool step(bool may_read) {
    if (next_row == last_row && !next_batch(may_read)) return false;
    if (cut != nullptr) ++*std::exchange(cut, nullptr);
    std::uint64_t* const stop = batch_ends + *next_row++;
    ends += count;
    count = static_cast<std::size_t>(stop - ends);
    ++number;
    return true;
  }
  /// Applies the options to the current row. If they skip it, moves to the next. Returns false as
  /// `next` does.
  bool adjust(bool may_read);
  /// Returns the number of the row in messages: that in the input, if the rows are a part of one.
  std::uint64_t number_in_input() const noexcept { return rows_before + number; }

  std::uint64_t start() const noexcept { return ends[-1] + 1; }
  std::string_view field(std::size_t index) const noexcept {
    const std::uint64_t* const end = ends + index;
    const std::uint64_t from = end[-1] + 1;
    return {bytes + from, static_cast<std::size_t>(*end - from)};
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
  [[noreturn]] void fail_missing(std::size_t index) const;
  [[noreturn]] void fail_value(std::size_t index, std::string_view text, std::string_view type,
                               bool out_of_range) const;
  /// Returns what messages call a field: "column 'price'", or "field 3".
  std::string place(std::size_t index) const;
  std::string_view without_quotes(std::string_view field);

  const char* bytes = nullptr;  // the ends of fields count from here
  std::uint64_t* ends =
      nullptr;               // of the row's fields; the one before the first is the end of the row before
  std::size_t count = 0;     // of the row's fields
  std::uint64_t number = 0;  // of the row
  std::uint64_t rows_before = 0;  // in the input, if these are the rows of a part
  std::uint64_t* cut = nullptr;   // the end from which a CR was cut off

  const std::uint32_t* next_row = nullptr;  // the number of ends up to the end of each row that is left
  const std::uint32_t* last_row = nullptr;
  std::uint64_t* batch_ends = nullptr;  // from which `next_row` counts

  bool plain = true;  // no option asks for more than the bytes between delimiters
  bool quoted = false;
  char quote = '\0';
  const char* matched = nullptr;  // the batch, of 4096 bytes at most, in which the rows end
  std::uint64_t doubled = 0;  // of which 64 bytes of the batch a field may have to be changed to unescape it
  bool strip_cr = false;
  bool skip_blank = false;
  std::size_t max_length = 0;
  std::string_view name;           // of the input, in messages
  source_state* opened = nullptr;  // that the rows are of
  std::uint64_t bytes_offset = 0;  // of `bytes` in the input
  std::unique_ptr<char[]> copy;    // of a row, for its unescaped fields: each has the place it has in the row
  std::size_t copy_size = 0;

  bool has_header = false;
  bool header_due = false;         // the header was not read yet
  std::vector<std::string> names;  // of the columns, from the header
};

}  // namespace detail

/// Holds one row: its fields, its number and its offset. It has one field at least, which is empty if the row
/// is an empty line.
///
/// Lifetime: a row and its fields stay valid until you advance to the next row or destroy the range.
class row {
 public:
  using value_type = std::string_view;

  /// Iterates over the fields. Lifetime: that of the row.
  class iterator {
   public:
    using iterator_concept = std::forward_iterator_tag;
    using iterator_category = std::input_iterator_tag;
    using value_type = std::string_view;
    using difference_type = std::ptrdiff_t;
    using reference = std::string_view;
    using pointer = void;

    iterator() = default;
    std::string_view operator*() const noexcept { return state_->field(index_); }
    iterator& operator++() noexcept {
      ++index_;
      return *this;
    }
    iterator operator++(int) noexcept {
      const iterator before = *this;
      ++index_;
      return before;
    }
    friend bool operator==(const iterator&, const iterator&) = default;

   private:
    friend class row;
    iterator(const detail::row_state* state, std::size_t index) noexcept : state_(state), index_(index) {}
    const detail::row_state* state_ = nullptr;
    std::size_t index_ = 0;
  };
  using const_iterator = iterator;

  /// Returns the number of fields, at least 1.
  [[nodiscard]] std::size_t size() const noexcept { return state_->count; }

  /// Returns a field, the first for 0, as it stands in the input: with its quotes. `index` must be below
  /// `size()`: nothing checks it but an assertion, in debug builds and with _GLIBCXX_ASSERTIONS.
  [[nodiscard]] std::string_view operator[](std::size_t index) const noexcept {
    RIFFLE_ASSERT(index < size());
    return state_->field(index);
  }
  /// The same. Throws `riffle::error` (`errc::missing_field`) with the offset of the row if `index` is not
  /// below `size()`.
  [[nodiscard]] std::string_view at(std::size_t index) const {
    if (index >= size()) state_->fail_missing(index);
    return (*this)[index];
  }
  /// Returns a field without its quotes, and with one quote for two. A '\r' between its closing quote and the
  /// end of the row is dropped. A field that does not start with a quote, and each field of a range without
  /// `dialect::quote`, is as `operator[]` gives it. riffle copies a field only if it holds a doubled
  /// quote, or text after its closing quote. Throws `riffle::error`: as `at` does if
  /// `index` is not below `size()`; another code if there is no memory for the copy.
  [[nodiscard]] std::string_view unescaped(std::size_t index) const {
    const std::string_view raw = at(index);
    if (!state_->quoted || raw.empty() || raw.front() != state_->quote) return raw;
    const std::string_view inside = raw.substr(1, raw.size() - 2);
    const bool ends = raw.back() == state_->quote;  // text may stand after the closing quote
    return ends && !state_->may_be_changed(raw) ? inside : state_->without_quotes(raw);
  }

  /// Returns the value of a field, which is unescaped first: `row.get<double>(2)`. `T` is one of:
  /// - an integer; `float` or `double`: the nearest, also to a number that is too small. A `+` may lead.
  /// - `bool`: true, false, 1, 0.
  /// - `std::string_view`: as `unescaped`.
  /// - `std::chrono::sys_time`, of `YYYY-MM-DD[(T| )hh:mm:ss[.f]][Z|+hh:mm|-hh:mm]`: in UTC if there is no
  ///   zone. Integers are rounded down, floating-point numbers keep the fraction.
  /// - `std::optional` of one of these: `std::nullopt` for an empty field.
  /// Throws `riffle::error` with the row, the column and the offset of the field: `errc::bad_value` if the
  /// text is no such value; `errc::value_out_of_range` if it does not fit `T`; and as `unescaped` does.
  template <field_value T>
  [[nodiscard]] T get(std::size_t index) const {
    const std::string_view text = unescaped(index);
    const detail::conversion<T> found = detail::field_traits<T>::convert(text);
    if (found.result != detail::outcome::done) {
      state_->fail_value(index, text, detail::field_traits<T>::name,
                         found.result == detail::outcome::out_of_range);
    }
    return found.value;
  }

  iterator begin() const noexcept { return {state_, 0}; }
  iterator end() const noexcept { return {state_, size()}; }

  /// Returns the number of the row: 1 for the first row handed out. Skipped rows and the header do not count.
  [[nodiscard]] std::uint64_t number() const noexcept { return state_->number; }
  /// Returns the offset of its first byte, in bytes from the start of the input.
  [[nodiscard]] std::uint64_t offset() const noexcept { return state_->bytes_offset + state_->start(); }
  /// Returns the offset after its delimiter, where the next row starts.
  [[nodiscard]] std::uint64_t offset_behind() const noexcept { return state_->offset_behind(); }

 private:
  friend class row_range;
  row() = default;
  explicit row(detail::row_state* state) noexcept : state_(state) {}
  detail::row_state* state_ = nullptr;  // of the range: a copy of a row costs nothing
};

/// Iterates over the rows of an input, once. `riffle::rows` makes this range; it owns its source.
///
/// Each step gives a row, or the end, or throws `riffle::error`: `errc::record_too_long` for a row over
/// `max_length`; `errc::bad_quoting` for a quote that is not closed, and with `quoting::strict` for one in
/// the wrong place, with its offset; another code if reading fails. Bytes after the last delimiter are a row
/// too. After a `break`, the next loop continues after the last row.
///
/// Lifetime: a row stays valid until you advance to the next one or destroy the range. Moving the range keeps
/// it valid. Thread safety: one thread at a time. Memory, besides what `lines` takes: 12 bytes for each field
/// of the longest row, and 20 while it grows; with fields that were unescaped, also the longest such row.
class RIFFLE_API row_range {
  friend class detail::row_scan;

 public:
  using value_type = row;
  using iterator = detail::record_iterator<row_range>;
  struct cursor {
    row record = {};  // here, as only this class may make a row without a place
  };

  /// As `riffle::rows`.
  row_range(const input& from, const dialect& rows, const read_options& reading);
  /// The rows of a source from which no block was taken.
  explicit row_range(source from, const dialect& rows = csv);

  /// Returns an iterator to the first row that is left. Throws as a step does.
  iterator begin() { return iterator(*this); }
  std::default_sentinel_t end() const noexcept { return {}; }

  /// Returns the cursor before the first row that is left. Its record is the header, number 0, if there is
  /// one and no row was taken. Throws `riffle::error`: `errc::invalid_argument` if the range was moved from;
  /// as a step does if it has to read the header.
  cursor resume() const {
    if (state_ == nullptr) fail_moved_from();
    if (state_->header_due) read_header();
    return {row(state_.get())};
  }
  /// Moves `at` to the next row. Returns false at the end. Throws as a step does.
  [[gnu::always_inline]] static bool advance(cursor& at) { return at.record.state_->next(); }
  /// As `line_range::advance_in_block`.
  [[gnu::always_inline]] static bool advance_in_block(cursor& at) { return at.record.state_->next(false); }
  /// As `line_range::from`. Throws as `resume` does.
  const source& from() const;

  /// Returns the index of a column: `row.at(rows.column("price"))`. Reads the header if no row was read.
  /// Throws `riffle::error`: `errc::no_such_column` if no column has that name, if several have it, and
  /// without `dialect::header`; and as `resume` does.
  [[nodiscard]] std::size_t column(std::string_view name) const;
  /// Returns the names of the columns, unescaped and without a '\r' at the end of the header: none without
  /// `dialect::header`, and if the input has no rows. Reads the header if no row was read. Throws as
  /// `resume` does. Lifetime: that of the range.
  [[nodiscard]] const std::vector<std::string>& names() const RIFFLE_LIFETIMEBOUND;

 private:
  [[noreturn]] static void fail_moved_from();
  void read_header() const;
  std::unique_ptr<detail::row_state> state_;  // null after a move
};

/// Returns the rows of an input: `for (const riffle::row row : riffle::rows("prices.csv"))`. Other files have
/// another dialect: `riffle::tsv`, or `{.separator = ';', .header = true}`.
///
/// Throws `riffle::error`: `errc::invalid_argument` if two bytes of the dialect are the same; another
/// code if the input cannot be opened, or if the method named in `reading` cannot read it.
[[nodiscard]] inline row_range rows(const input& from, const dialect& options = csv,
                                    const read_options& reading = {}) {
  return {from, options, reading};
}
/// The same, of CSV.
template <std::same_as<read_options> Options = read_options>  // a template, so that `{}` is not ambiguous
[[nodiscard]] row_range rows(const input& from, const Options& reading) {
  return {from, csv, reading};
}

/// As `riffle::splits`, but each split holds whole rows, which `rows(read_split(split), options)` reads in
/// another process. It reads the file once to find them. It decodes a compressed file twice; a split of it
/// may be longer, as it ends where no row goes on inside quotes. A split in which no row starts is empty.
/// Only the first split has what `skip_bom` and `skip_rows` skip, and the header, which the others take from
/// the file.
///
/// Throws `riffle::error` as `riffle::splits` and `riffle::rows` do.
[[nodiscard]] RIFFLE_API std::vector<file_split> splits(const input& from, const split_options& splitting,
                                                        const dialect& options);

}  // namespace riffle::inline v0

#endif
