/// Offers sums of columns by key: of the numbers beside each value of other columns.
#pragma once

#include <riffle/detail/record_iterator.hpp>
#include <riffle/dialect.hpp>
#include <riffle/export.hpp>
#include <riffle/input.hpp>
#include <riffle/options.hpp>
#include <riffle/parallel.hpp>
#include <riffle/rows.hpp>
#include <riffle/sum.hpp>
#include <riffle/value_counts.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace riffle::inline v0 {

namespace detail {

class sums_table;

/// Holds what `key_sum` does. The numbers are the bits of a double, a std::int64_t or a std::uint64_t.
struct sum_bits {
  std::uint64_t count, nulls, min, max, sum;
};

/// Implements `key_sums` for all types: the type of the numbers is a value here. A place is null in a table
/// without keys.
class RIFFLE_API key_sums_state {
 public:
  using place = const std::uint64_t*;

  key_sums_state(element kind, std::uint64_t max_memory) noexcept;
  key_sums_state(key_sums_state&& other) noexcept;
  key_sums_state& operator=(key_sums_state&& other) noexcept;
  ~key_sums_state();

  void add(std::string_view key, const void* numbers, std::size_t count);
  void add(const row& from, std::span<const std::size_t> by, std::span<const std::size_t> columns);
  void add(row_range& rows, std::span<const std::size_t> by, std::span<const std::size_t> columns);
  void add(const key_sums_state& other);
  void add_rows(row_range rows, std::span<const std::size_t> by, std::span<const std::size_t> columns,
                const thread_options& splitting);
  [[nodiscard]] std::size_t size() const noexcept;
  [[nodiscard]] place begin() const noexcept;
  [[nodiscard]] place end() const noexcept;
  [[nodiscard]] place after(place at) const noexcept;
  [[nodiscard]] std::string_view key_of(place at) const noexcept;
  [[nodiscard]] sum_bits sum_of(place at, std::size_t column) const;
  [[nodiscard]] std::vector<place> top(std::size_t number) const;

 private:
  sums_table& table(std::size_t columns);

  std::unique_ptr<sums_table> table_;  // null: no key
  element kind_;
  std::size_t columns_ = 0;  // of the table
  std::uint64_t max_memory_;
};

/// Returns the quotient, rounded once to the nearest double; NaN if `divisor` is 0. `divisor` is below 2^63.
RIFFLE_API double quotient(std::uint64_t dividend, std::uint64_t divisor) noexcept;

}  // namespace detail

/// Holds what is known of the numbers of one column beside one key.
template <summable T>
struct key_sum {
  std::uint64_t count = 0;  ///< of the numbers
  std::uint64_t nulls = 0;  ///< of the fields that are null (`row::is_null`), which are no numbers
  T min{};                  ///< of the numbers that are not NaN; NaN if all are, 0 if there is no number
  T max{};                  ///< as `min`
  sum_t<T> sum{};           ///< exact; of floats, the exact sum rounded once to the nearest double

  /// Returns the sum divided by the count, rounded once; NaN if there is no number.
  [[nodiscard]] double mean() const noexcept {
    if constexpr (std::floating_point<T>) {
      return count == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(count);
    } else {
      const auto bits = static_cast<std::uint64_t>(sum);
      return sum < 0 ? -detail::quotient(0 - bits, count) : detail::quotient(bits, count);
    }
  }
  friend bool operator==(const key_sum&, const key_sum&) = default;
};

/// Sums columns by key, and hands the keys out in the order of their first appearance:
/// `for (const auto sums : totals) std::cout << sums.key() << ' ' << sums[0].sum << '\n'`.
///
/// Keys are compared byte by byte. The answer is the same to the last bit for every order of the rows and
/// every number of threads, but for the order of the keys. If you need more than sums, keep a map of your
/// own.
///
/// Lifetime: keys and entries stay valid until the next `add`, and as long as the object; moving it keeps
/// keys valid. An object that was moved from is empty. Thread safety: one thread at a time; `add` those of
/// other threads. Memory: 8 bytes for each key and 48 for each column beside it, its bytes, rounded up to 8,
/// and 11 to 22 for the hash table; half as much again while the table grows. The sum of floats takes 560
/// bytes more if it needs more than 128 bits: if its numbers are below 2^-22 or above 2^52, or of very
/// different sizes.
template <summable T = double>
class key_sums {
 public:
  /// Holds one key and what is known of its columns.
  class entry {
   public:
    /// Returns the key, valid as long as the entry: what stands in its column, as `row::unescaped` gives it.
    /// Of several columns it is a row of `riffle::dialect{.separator = '\t'}`, as `value_counter::add` makes
    /// it.
    [[nodiscard]] std::string_view key() const noexcept { return state_->key_of(at_); }
    /// Returns what is known of a column, by its place among those that are summed. `column` must be below
    /// their number.
    ///
    /// Throws `riffle::error` (`errc::sum_overflow`) if the sum of integers does not fit `sum_t<T>`.
    [[nodiscard]] key_sum<T> operator[](std::size_t column) const {
      const detail::sum_bits bits = state_->sum_of(at_, column);
      return {bits.count, bits.nulls, static_cast<T>(number(bits.min)), static_cast<T>(number(bits.max)),
              number(bits.sum)};
    }

   private:
    friend key_sums;
    entry(const detail::key_sums_state* state, detail::key_sums_state::place at) noexcept
        : state_(state), at_(at) {}
    static sum_t<T> number(std::uint64_t bits) noexcept {
      sum_t<T> value;
      std::memcpy(&value, &bits, sizeof value);
      return value;
    }
    const detail::key_sums_state* state_;
    detail::key_sums_state::place at_;
  };

 private:
  // Stands on a key.
  struct place {
    const detail::key_sums_state* state = nullptr;
    detail::key_sums_state::place at = nullptr;

    key_sums::entry entry() const noexcept { return {state, at}; }
    void next() noexcept { at = state->after(at); }
    friend bool operator==(const place&, const place&) = default;
  };

 public:
  /// Iterates over the entries. Lifetime: that of the entries.
  using iterator = detail::table_iterator<place>;
  using const_iterator = iterator;

  /// Starts without keys. `max_memory`: as `value_counts_options::max_memory`, without the threads.
  explicit key_sums(std::uint64_t max_memory = 0) noexcept : state_(detail::element_of<T>, max_memory) {}

  /// Adds a number of each column beside a key.
  ///
  /// Throws `riffle::error`: `errc::too_large`, with the number of keys so far, if a new key or a larger sum
  /// needs more than `max_memory`, or if the keys take over 32 GiB; `errc::invalid_argument` if a call before
  /// had another number of columns. Throws `std::bad_alloc`. The numbers may then have been added in part.
  void add(std::string_view key, std::span<const T> numbers) {
    state_.add(key, numbers.data(), numbers.size());
  }
  /// Adds the numbers in some `columns` of a row beside what stands in the columns `by`; both are indices.
  /// Without `by`, the key is empty.
  ///
  /// Throws as the overload above, and as `row::get` and `row::unescaped` do. A row with a field that is
  /// missing or no number adds nothing.
  void add(const row& from, std::span<const std::size_t> by, std::span<const std::size_t> columns) {
    state_.add(from, by, columns);
  }
  /// Adds each row that is left of a range, in less time than one by one. If a row cannot be added, it throws
  /// as the overload above does, and the next call goes on after that row.
  void add(row_range& rows, std::span<const std::size_t> by, std::span<const std::size_t> columns) {
    state_.add(rows, by, columns);
  }
  /// Adds what is known of other rows, key by key, in their order: as if the rows had been added here. Throws
  /// as the first overload; keys before the failure were added.
  void add(const key_sums& other) { state_.add(other.state_); }

  /// Returns the number of keys.
  [[nodiscard]] std::size_t size() const noexcept { return state_.size(); }
  /// Returns whether there is no key.
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }
  /// Returns an iterator to the key that appeared first.
  [[nodiscard]] iterator begin() const noexcept { return iterator({&state_, state_.begin()}); }
  /// Returns the end of the keys.
  [[nodiscard]] iterator end() const noexcept { return iterator({&state_, state_.end()}); }
  /// Returns the `number` entries with the largest sums of the first column, or all if there are fewer: the
  /// largest first, NaN last. Of equal sums, the key that appeared first comes first. Throws
  /// `std::bad_alloc`.
  [[nodiscard]] std::vector<entry> top(std::size_t number) const& {
    std::vector<entry> found;
    for (const auto at : state_.top(number)) found.push_back({&state_, at});
    return found;
  }
  /// The entries of an object that ends with the expression are refused.
  std::vector<entry> top(std::size_t number) const&& = delete;

 private:
  template <summable U>
  friend void sums_by_into(key_sums<U>&, row_range, std::span<const std::size_t>,
                           std::span<const std::size_t>, const thread_options&);

  detail::key_sums_state state_;
};

/// Says how columns are summed by key. Use designated initialisers: `{.threads = 0}`.
struct sums_by_options {
  /// Threads that sum; 0: as many as the process runs at once.
  unsigned threads = 1;
  /// The most bytes that the keys, their sums and the hash table may take, as
  /// `value_counts_options::max_memory`.
  std::uint64_t max_memory = 0;
};

/// Adds the numbers in some `columns` beside what stands in the columns `by`, both by their indices, of rows
/// from which none was taken. A part of them may have been added if it throws.
///
/// Throws as `key_sums::add` and `parallel_rows_into` do.
template <summable T>
void sums_by_into(key_sums<T>& total, row_range rows, std::span<const std::size_t> by,
                  std::span<const std::size_t> columns, const thread_options& splitting = {}) {
  total.state_.add_rows(std::move(rows), by, columns, splitting);
}

/// Returns the sums of columns by key, both called by their names in the header:
/// `sums_by("prices.csv", {"item"}, {"price"})`, of which `sums.top(10)` are the largest. Each combination of
/// several columns is a key. The order is that of the first appearance, for any number of threads.
///
/// Throws `riffle::error`: as `key_sums::add` does, as `riffle::columns` does, and if the input cannot be
/// opened or read.
template <summable T = double, detail::column_names By = std::initializer_list<std::string>,
          detail::column_names Columns = std::initializer_list<std::string>>
[[nodiscard]] key_sums<T> sums_by(const input& from, const By& by, const Columns& columns,
                                  const dialect& rows = csv, const sums_by_options& options = {},
                                  const read_options& reading = {}) {
  dialect with_header = rows;
  with_header.header = true;
  row_range all(from, with_header, reading);
  const auto indices_of = [&all](const auto& names) {
    std::vector<std::size_t> indices;
    for (const std::string& name : names) indices.push_back(all.column(name));
    return indices;
  };
  const std::vector<std::size_t> keys = indices_of(by);
  const std::vector<std::size_t> numbers = indices_of(columns);
  key_sums<T> total(options.max_memory);
  sums_by_into(total, std::move(all), keys, numbers, {.threads = options.threads});
  return total;
}
template <summable T = double, detail::column_names By = std::initializer_list<std::string>,
          detail::column_names Columns = std::initializer_list<std::string>,
          std::same_as<read_options> Options = read_options>
[[nodiscard]] key_sums<T> sums_by(const input& from, const By& by, const Columns& columns,
                                  const Options& reading) {
  return sums_by<T>(from, by, columns, csv, {}, reading);
}

}  // namespace riffle::inline v0
