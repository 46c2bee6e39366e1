/// Offers how often each value occurs: each line, each word, or what stands in columns.
#pragma once

#include <riffle/byte_set.hpp>
#include <riffle/detail/record_iterator.hpp>
#include <riffle/dialect.hpp>
#include <riffle/export.hpp>
#include <riffle/input.hpp>
#include <riffle/options.hpp>
#include <riffle/parallel.hpp>
#include <riffle/rows.hpp>
#include <riffle/source.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace riffle::inline v0 {

/// Holds a value, and how often it occurs.
struct value_count {
  std::string_view value;   ///< valid until the next `value_counter::add`
  std::uint64_t count = 0;  ///< at least 1
  friend constexpr bool operator==(const value_count&, const value_count&) = default;
};

namespace detail {

class value_table;

/// Iterates over what a table holds, from its `Place`. Copies are independent.
template <class Place>
class table_iterator {
 public:
  using iterator_concept = std::forward_iterator_tag;
  using iterator_category = std::input_iterator_tag;
  using value_type = decltype(std::declval<const Place&>().entry());
  using difference_type = std::ptrdiff_t;
  using reference = value_type;
  using pointer = arrow<value_type>;

  table_iterator() = default;
  explicit table_iterator(const Place& at) noexcept : at_(at) {}

  value_type operator*() const noexcept { return at_.entry(); }
  pointer operator->() const noexcept { return {**this}; }
  table_iterator& operator++() noexcept {
    at_.next();
    return *this;
  }
  table_iterator operator++(int) noexcept {
    const table_iterator before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const table_iterator&, const table_iterator&) = default;

 private:
  Place at_{};
};

/// Appends a field to a row of `riffle::dialect{.separator = '\t'}`, after a tab if it is not the `first`. A
/// field that has a tab, a newline, a '\r' or a quote gets quotes, and its own are doubled. So different
/// fields give different rows.
RIFFLE_API void append_field(std::string& value, std::string_view field, bool first);

}  // namespace detail

/// Counts how often each value occurs, and hands the values out in the order of their first appearance:
/// `for (auto [value, count] : counter)`.
///
/// Values are compared byte by byte. Lifetime: values that it hands out stay valid until the next `add`, and
/// as long as the counter; moving the counter keeps them valid. A counter that was moved from is empty.
/// Thread safety: one thread at a time; `add` those of other threads. Memory: 16 bytes for each distinct
/// value, its bytes, rounded up to 8, and 11 to 22 for the hash table; half as much again while the table
/// grows. The hash has a random seed in each process.
class value_counter {
  // Stands on a value.
  struct place {
    const std::uint64_t* at = nullptr;  // the count; the length and the hash; the bytes

    value_count entry() const noexcept {
      return {{reinterpret_cast<const char*>(at + 2), static_cast<std::size_t>(at[1] >> 32U)}, at[0]};
    }
    void next() noexcept { at += 2 + ((at[1] >> 32U) + 7) / 8; }
    friend bool operator==(const place&, const place&) = default;
  };

 public:
  /// Iterates over the values. Lifetime: that of the values.
  using iterator = detail::table_iterator<place>;
  using const_iterator = iterator;

  /// Starts without values. `max_memory`: as `value_counts_options::max_memory`, without the threads.
  RIFFLE_API explicit value_counter(std::uint64_t max_memory = 0) noexcept;
  RIFFLE_API value_counter(value_counter&& other) noexcept;
  RIFFLE_API value_counter& operator=(value_counter&& other) noexcept;
  RIFFLE_API ~value_counter();

  /// Adds `count` occurrences of a value; none if `count` is 0.
  ///
  /// Throws `riffle::error` (`errc::too_large`), with the number of values so far, if a new value needs more
  /// than `max_memory`, or if the values take over 32 GiB; `std::bad_alloc`. The counts then stay as they
  /// were.
  RIFFLE_API void add(std::string_view value, std::uint64_t count = 1);
  /// Adds the values of another counter, in their order: as if they had been added here. Throws as the
  /// overload above; values before the failure were added.
  RIFFLE_API void add(const value_counter& other);
  /// Adds what stands in some columns of a row. `columns` are indices. One column is added as
  /// `row::unescaped` gives it. Several are added as a row of `riffle::dialect{.separator = '\t'}`,
  /// where a field with a tab, a newline, a '\r' or a quote stands in quotes.
  ///
  /// Throws as the overloads above, and as `row::unescaped` does.
  RIFFLE_API void add(const row& from, std::span<const std::size_t> columns);

  /// Returns the number of distinct values.
  [[nodiscard]] RIFFLE_API std::size_t size() const noexcept;
  /// Returns whether there is no value.
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }
  /// Returns an iterator to the value that appeared first.
  [[nodiscard]] RIFFLE_API iterator begin() const noexcept;
  /// Returns the end of the values.
  [[nodiscard]] RIFFLE_API iterator end() const noexcept;
  /// Returns the `number` most frequent values, or all if there are fewer: the most frequent one first. Of
  /// values with the same count, the one that appeared first comes first. Throws `std::bad_alloc`.
  [[nodiscard]] RIFFLE_API std::vector<value_count> top(std::size_t number) const&;
  /// The values of a counter that ends with the expression are refused.
  std::vector<value_count> top(std::size_t number) const&& = delete;

 private:
  std::unique_ptr<detail::value_table> table_;  // null: no value
  std::uint64_t max_memory_;
};

/// Names what is counted of a text.
enum class text_values : std::uint8_t {
  lines,  ///< each line, without its newline, as `riffle::lines` gives it
  words   ///< each word, as `riffle::words` gives it with the same separators
};

/// Says how values are counted. Use designated initialisers: `{.threads = 0}`.
struct value_counts_options {
  /// Threads that count; 0: as many as the process runs at once.
  unsigned threads = 1;
  /// What is counted. With columns it must be `lines` (`errc::invalid_argument`).
  text_values values = text_values::lines;
  /// The bytes that stand between words.
  byte_set separators = word_separators;
  /// The most bytes that the values and the hash table may take; 0: riffle's own limit, three quarters of the
  /// memory that is free when they exceed 64 MiB. Each of several threads takes memory for its split in
  /// addition: 4 MiB, and for its values at most ten times that, if all are short and different. As much
  /// waits for the splits before.
  std::uint64_t max_memory = 0;
};

namespace detail {

template <class Names>
concept column_names =
    std::same_as<Names, std::initializer_list<std::string>> || std::same_as<Names, std::vector<std::string>>;

RIFFLE_API value_counter value_counts_of(std::span<const std::string> columns, const input& from,
                                         const dialect& rows, const value_counts_options& options,
                                         const read_options& reading);

}  // namespace detail

/// Returns how often each line occurs, or each word: `const value_counter counts =
/// value_counts("access.log")`, of which `counts.top(10)` are the most frequent. The order is that of the
/// first appearance, for any number of threads.
///
/// Throws `riffle::error`: `errc::too_large` as `value_counter::add` does; another code if the input cannot
/// be opened or read.
[[nodiscard]] RIFFLE_API value_counter value_counts(const input& from,
                                                    const value_counts_options& options = {},
                                                    const read_options& reading = {});
template <std::same_as<read_options> Options = read_options>
[[nodiscard]] value_counter value_counts(const input& from, const Options& reading) {
  return value_counts(from, {}, reading);
}
/// Returns how often each value of a column occurs, which is called by its name in the header:
/// `value_counts("access.csv", {"status"})`. Of several columns it counts each combination, as
/// `value_counter::add` adds it. The order is that of the overload above.
///
/// Throws as the overload above, and as `riffle::columns` does.
template <
    detail::column_names Names = std::initializer_list<std::string>>  // so that `{.threads = 2}` is none
[[nodiscard]] value_counter value_counts(const input& from, const Names& columns, const dialect& rows = csv,
                                         const value_counts_options& options = {},
                                         const read_options& reading = {}) {
  return detail::value_counts_of({columns.begin(), columns.size()}, from, rows, options, reading);
}
template <detail::column_names Names = std::initializer_list<std::string>,
          std::same_as<read_options> Options = read_options>
[[nodiscard]] value_counter value_counts(const input& from, const Names& columns, const Options& reading) {
  return value_counts(from, columns, csv, {}, reading);
}

/// Adds the values of a source from which no block was taken. A part of them may have been added if it
/// throws. `separators` are those between words.
///
/// Throws as `value_counts` does.
RIFFLE_API void value_counts_into(value_counter& total, source from, text_values values,
                                  const thread_options& splitting = {},
                                  const byte_set& separators = word_separators);
/// Adds the values of some columns, by their indices, of rows from which none was taken. A part of them may
/// have been added if it throws.
///
/// Throws as `value_counter::add` and `parallel_rows_into` do.
RIFFLE_API void value_counts_into(value_counter& total, row_range rows, std::span<const std::size_t> columns,
                                  const thread_options& splitting = {});

}  // namespace riffle::inline v0
