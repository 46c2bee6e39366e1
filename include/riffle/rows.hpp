/// Offers the rows of an input, cut into fields: CSV, TSV and the like.
#pragma once

#include <riffle/detail/field_value.hpp>
#include <riffle/detail/record_iterator.hpp>
#include <riffle/detail/row_state.hpp>
#include <riffle/dialect.hpp>
#include <riffle/export.hpp>
#include <riffle/input.hpp>
#include <riffle/options.hpp>
#include <riffle/source.hpp>
#include <riffle/splits.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace riffle::inline v0 {

namespace detail {

class row_scan;
struct row_access;

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
    using pointer = detail::arrow<std::string_view>;

    iterator() = default;
    std::string_view operator*() const noexcept { return state_->field(index_); }
    pointer operator->() const noexcept { return {**this}; }
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

  /// Returns the number of fields, at least 1. It counts those that `ragged::pad` adds.
  [[nodiscard]] std::size_t size() const noexcept { return state_->count; }

  /// Returns a field, the first for 0, as it stands in the input: with its quotes. `index` must be below
  /// `size()`: nothing checks it but an assertion, in debug builds and with _GLIBCXX_ASSERTIONS.
  [[nodiscard]] std::string_view operator[](std::size_t index) const noexcept {
    RIFFLE_ASSERT(index < size());
    return state_->field(index);
  }
  /// Returns a field, the first for 0, as it stands in the input. Throws `riffle::error`
  /// (`errc::missing_field`) with the offset of the row if `index` is not below `size()`.
  [[nodiscard]] std::string_view at(std::size_t index) const {
    if (index >= size()) state_->fail_missing(index);
    return (*this)[index];
  }
  /// Returns a field without its quotes, and with one quote for two. A '\r' between its closing quote and the
  /// end of the row is dropped. A field that does not start with a quote, and each field of a range without
  /// `dialect::quote`, is as `operator[]` gives it, or without its blanks if `dialect::trim` is set. riffle
  /// copies a field only if it holds a doubled
  /// quote, or text after its closing quote. Throws `riffle::error`: as `at` does if
  /// `index` is not below `size()`; another code if there is no memory for the copy.
  [[nodiscard]] std::string_view unescaped(std::size_t index) const {
    const std::string_view raw = at(index);
    if (state_->texts < detail::field_texts::quoted) return raw;
    if (state_->texts > detail::field_texts::quoted) return state_->trimmed(raw);
    if (raw.empty() || raw.front() != state_->quote) return raw;
    const std::string_view inside = raw.substr(1, raw.size() - 2);
    const bool ends = raw.back() == state_->quote;  // text may stand after the closing quote
    return ends && !state_->may_be_changed(raw) ? inside : state_->without_quotes(raw);
  }

  /// Returns the value of a field, which is unescaped first: `row.get<double>(2)`. `T` is one of:
  /// - an integer; `float` or `double`: the nearest, also to a number that is too small. A `+` may lead.
  /// - `bool`: true, false, 1, 0; `True`, `TRUE` and the like.
  /// - `std::string_view`: as `unescaped`.
  /// - `std::chrono::sys_time`, of `YYYY-MM-DD[(T| )hh:mm[:ss[.f]]][Z|+hh[[:]mm]|-hh[[:]mm]]`: in UTC without
  ///   a zone. `t`, `z` and a comma before the fraction are read too; `:60` is the next second, and `24:00`
  ///   the next day. Integers are rounded down, floating-point numbers keep the fraction.
  /// - `std::optional` of one of these: none for an empty field, and for the texts in
  ///   `dialect::null`. Without `dialect::quoted_null`, a field in quotes is never none: it is
  ///   a value.
  ///
  /// Throws `riffle::error` with the row, the column and the offset of the field: `errc::bad_value` if the
  /// text is no such value; `errc::value_out_of_range` if it does not fit `T`; another code as `unescaped`
  /// does.
  template <field_value T>
  [[nodiscard]] T get(std::size_t index) const {
    const std::string_view text = unescaped(index);
    if constexpr (detail::is_optional<T>) {
      if (state_->is_value(index)) return get<typename T::value_type>(index);
      if (state_->is_null(text)) return std::nullopt;
    }
    const detail::conversion<T> found = detail::field_traits<T>::convert(text);
    if (found.result != detail::outcome::done) {
      state_->fail_value(index, text, detail::field_traits<T>::name,
                         found.result == detail::outcome::out_of_range);
    }
    return found.value;
  }

  /// Returns whether the value of a field is one of `dialect::null`; without `dialect::quoted_null`, one in
  /// quotes is not. Throws as `unescaped` does.
  [[nodiscard]] bool is_null(std::size_t index) const {
    return state_->is_null(unescaped(index)) && !state_->is_value(index);
  }

  iterator begin() const noexcept { return {state_, 0}; }
  iterator end() const noexcept { return {state_, size()}; }

  /// Returns the number of the row: 1 for the first row handed out. Skipped rows and the header do not count.
  [[nodiscard]] std::uint64_t number() const noexcept { return state_->number(); }
  /// Returns the number of the line that the row ends in, as csv.reader's `line_num` of Python: 1 for the
  /// first line of the input, or of its split. A `dialect::delimiter` ends a line, also inside quotes, in the
  /// header and in skipped rows. 0 without `dialect::count_lines`.
  [[nodiscard]] std::uint64_t line() const noexcept { return state_->line(); }
  /// Returns the row as it stands in the input, without its delimiter, and without a '\r' that
  /// `dialect::strip_cr` drops.
  [[nodiscard]] std::string_view text() const noexcept {
    const std::uint64_t start = state_->start();
    return {state_->bytes + start, static_cast<std::size_t>(state_->row_end() - start)};
  }
  /// Returns the offset of its first byte, in bytes from the start of the input.
  [[nodiscard]] std::uint64_t offset() const noexcept { return state_->bytes_offset + state_->start(); }
  /// Returns the offset after its delimiter, where the next row starts.
  [[nodiscard]] std::uint64_t offset_behind() const noexcept { return state_->offset_behind(); }

 private:
  friend class row_range;
  friend detail::row_access;
  row() = default;
  explicit row(detail::row_state* state) noexcept : state_(state) {}
  detail::row_state* state_ = nullptr;  // of the range: a copy of a row costs nothing
};

namespace detail {

/// Lets a binding refuse a field that is no value of a type of its own, and a table read short values at
/// once.
struct row_access {
  static const row_state& state(const row& of) noexcept { return *of.state_; }
};

}  // namespace detail

/// Names a part of some lines: from the start of a row to the end of one, after its delimiter.
struct row_run {
  std::size_t begin = 0;
  std::size_t end = 0;
};
/// Appends the runs of rows that may be wanted among some lines, in order and apart. The lines are whole rows
/// without quotes, perhaps with comments among them.
using row_choice = std::function<void(std::string_view, std::vector<row_run>&)>;

/// Iterates over the rows of an input, once. `riffle::rows` makes this range; it owns its source.
///
/// Each step gives a row, or the end, or throws `riffle::error`: `errc::record_too_long` for a row over
/// `max_length`; `errc::bad_quoting` for a quote that is not closed, and with `quoting::strict` for one in
/// the wrong place, with its offset; `errc::wrong_field_count` with `ragged::fail`, after which the next step
/// goes on; another code if reading fails. Bytes after the last delimiter are a row too. After a `break`, the
/// next loop continues after the last row.
///
/// Lifetime: a row stays valid until you advance to the next one or destroy the range. Moving the range keeps
/// it valid. Thread safety: one thread at a time. Memory, besides what `lines` takes: 12 bytes for each field
/// of the longest row, and 20 while it grows; with fields that were unescaped, also the longest such row.
class RIFFLE_API row_range : public detail::single_pass<row_range, row> {
 public:
  /// Opens an input as `riffle::rows` does.
  row_range(const input& from, const dialect& rows, const read_options& reading);
  /// The rows of a source from which no block was taken.
  explicit row_range(source from, const dialect& rows = csv);

  /// Returns an iterator to the first row that is left. Throws as a step does.
  // Not always inlined, as that of the base is: g++ 12 then makes a loop of 2 % more instructions.
  iterator begin() { return iterator(*this); }

  /// Returns the source of the rows, valid as long as this range. Throws `riffle::error`
  /// (`errc::invalid_argument`) if the range was moved from; as a step does if it has to read the header.
  const source& from() const;

  /// Returns the index of a column: `row.at(rows.column("price"))`. Reads the header if no row was read.
  /// Throws `riffle::error`: `errc::no_such_column` if no column has that name, if several have it, and
  /// without `dialect::header`; and as `from` does.
  [[nodiscard]] std::size_t column(std::string_view name) const;
  /// Returns the names of the columns, unescaped and without a '\r' at the end of the header: none without
  /// `dialect::header`, and if the input has no rows. Reads the header if no row was read. Throws as
  /// `from` does. Lifetime: that of the range.
  [[nodiscard]] const std::vector<std::string>& names() const RIFFLE_LIFETIMEBOUND;

  /// Lets the range pass rows before it cuts them: a search for a text finds the rows to cut, which is faster
  /// if there are few. Rows that `wanted` was not asked about are handed out too: those with quotes, and some
  /// at the ends of blocks. So ask again of each row. What the range passes is not checked, and does not
  /// count for `row::number`. With an escape, without `double_quote` and with `skip_initial_space`, nothing
  /// is passed. Reads the header if no row was read.
  ///
  /// Throws as `from` does, and a step throws what `wanted` throws. Thread safety: functions such as
  /// `parallel_rows` call copies of `wanted` in several threads at once.
  void choose(row_choice wanted);

 private:
  friend detail::steps;
  friend class detail::row_scan;
  struct cursor {
    row record = {};  // here, as only this class may make a row without a place
  };

  // Its record is the header, number 0, if there is one and no row was taken.
  cursor resume() const {
    if (state_ == nullptr) fail_moved_from();
    if (state_->header_due) read_header();
    return {row(state_.get())};
  }
  [[gnu::always_inline]] static bool advance(cursor& at) { return at.record.state_->next(); }
  [[gnu::always_inline]] static bool advance_in_block(cursor& at) { return at.record.state_->next(false); }
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
template <std::same_as<read_options> Options = read_options>
[[nodiscard]] row_range rows(const input& from, const Options& reading) {
  return {from, csv, reading};
}

/// Returns splits as `riffle::splits` does, but each holds whole rows, which `rows(read_split(split),
/// options)` reads in another process. It reads the file once to find them. It decodes a compressed file
/// twice; a split of it may be longer, as it ends where no row goes on inside quotes. A split in which no row
/// starts is empty. Only the first split has what `skip_bom` and `skip_rows` skip, and the header, which the
/// others take from the file. They also take from it how many fields a row has, if `ragged` asks.
///
/// Throws `riffle::error` as `riffle::splits` and `riffle::rows` do.
[[nodiscard]] RIFFLE_API std::vector<file_split> splits(const input& from, const split_options& splitting,
                                                        const dialect& options);

}  // namespace riffle::inline v0
