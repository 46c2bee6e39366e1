/// Sums columns by key: one thread adds each row to the table. Of several, each fills a table for each split,
/// and these are added in the order of the input, which is that of the first appearance.
#include <riffle/error.hpp>
#include <riffle/parallel_rows.hpp>
#include <riffle/sums_by.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernel/plans.hpp"
#include "parallel/key_table.hpp"
#include "record/decimal.hpp"

namespace riffle::inline v0::detail {

namespace {

using kernel::wide;

constexpr std::uint64_t top_bit = std::uint64_t{1} << 63U;

// What is known of a column beside a key. All words are 0 at the start.
struct cell {
  std::uint64_t count;  // of the numbers. The top bit: the sum is the `exact_sum` number `low`
  std::uint64_t nulls;
  std::uint64_t lowest;   // the complement of the least rank
  std::uint64_t highest;  // the greatest rank
  std::uint64_t low, high;

  bool is_exact() const noexcept { return count >= top_bit; }
  wide sum() const noexcept { return {low, high}; }
  void set(wide sum) noexcept {
    low = sum.low;
    high = sum.high;
  }
  void add_rank(std::uint64_t rank) noexcept {
    lowest = std::max(lowest, ~rank);
    highest = std::max(highest, rank);
  }
};
constexpr std::size_t words_of_cell = sizeof(cell) / sizeof(std::uint64_t);

cell* cells_of(std::uint64_t* payload) noexcept {
  return reinterpret_cast<cell*>(payload);
}
const cell* cells_of(const std::uint64_t* payload) noexcept {
  return reinterpret_cast<const cell*>(payload);
}

// Returns all bits if the first is set, without a branch, which would be mispredicted.
constexpr std::uint64_t sign_of(std::uint64_t bits) noexcept {
  return 0 - (bits >> 63U);
}

// A rank is above that of a smaller number. Only a NaN has the ranks 0 and ~0.
constexpr std::uint64_t rank_of(double value) noexcept {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  return bits ^ (sign_of(bits) | top_bit);
}
constexpr std::uint64_t nan_bits = std::bit_cast<std::uint64_t>(std::numeric_limits<double>::quiet_NaN());

// The sum of doubles, as an integer of 128 bits that counts 2^-74. A finite double is m * 2^(e - 1075), where
// m < 2^53 is an integer and e the exponent in its bits; in units of 2^-74 it is m * 2^(e - 1001). That is an
// integer if e >= 1001, or if the last 1001 - e bits of m are 0. A sum of integers is exact as long as it has
// room. Each sum that is kept is between -2^126 and 2^126, and no term that is added is above 2^126. So an
// addition cannot wrap, and one that leaves those bounds is seen, and made an `exact_sum` instead. Both forms
// are the exact sum, rounded once.
constexpr unsigned unit_bits = 74;
constexpr unsigned exponent_of_unit = 1075 - unit_bits;

constexpr bool has_room(wide sum) noexcept {
  return sum.high + (std::uint64_t{1} << 62U) < top_bit;
}
constexpr wide negated(wide value) noexcept {
  wide zero;
  return zero -= value;
}

double rounded(wide sum) noexcept {
  const bool negative = sum.high >= top_bit;
  if (negative) sum = negated(sum);
  int exponent = -static_cast<int>(unit_bits);
  if (sum.high != 0) {  // and below 2^63
    // The upper 64 bits, of which the last says too whether others follow: the conversion is the only
    // rounding.
    const auto zeros = static_cast<unsigned>(std::countl_zero(sum.high));
    const std::uint64_t upper = sum.high << zeros | sum.low >> (64 - zeros);
    sum.low = upper | ((sum.low << zeros) != 0 ? 1U : 0U);
    exponent += static_cast<int>(64 - zeros);
  }
  const double value = std::ldexp(static_cast<double>(sum.low), exponent);
  return negative ? -value : value;
}

// Adds a sum in units, by parts that doubles hold.
void add_units(exact_sum& to, wide sum) noexcept {
  const double sign = sum.high >= top_bit ? -1 : 1;
  if (sign < 0) sum = negated(sum);
  int exponent = -static_cast<int>(unit_bits);
  for (const std::uint64_t half : {sum.low, sum.high}) {
    for (const std::uint64_t part : {half & 0xFFFF'FFFF, half >> 32U}) {
      to.add(sign * std::ldexp(static_cast<double>(part), exponent));
      exponent += 32;
    }
  }
}

// Returns a number in units, or nothing if it is none that has room. The exponent is a rare one.
std::optional<wide> rare_term(double value) noexcept {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const auto exponent = static_cast<unsigned>(bits >> 52U & 0x7FFU);
  const std::uint64_t significand = (bits & 0xF'FFFF'FFFF'FFFF) | std::uint64_t{1} << 52U;
  wide term;
  if (value == 0) return term;
  if (exponent < exponent_of_unit) {
    const unsigned below = exponent_of_unit - exponent;
    if (exponent == 0 || static_cast<unsigned>(std::countr_zero(significand)) < below) return std::nullopt;
    term.low = significand >> below;
  } else if (const unsigned shift = exponent - exponent_of_unit - 64; shift <= 9) {
    term.high = significand << shift;
  } else {
    return std::nullopt;
  }
  return value < 0 ? negated(term) : term;
}

}  // namespace

// Knows what the keys are summed as.
class sums_table {
 public:
  sums_table(std::size_t columns, std::uint64_t max_memory)
      : keys(max_memory, "sum", "keys", columns * words_of_cell) {}
  virtual ~sums_table() = default;
  virtual void add(std::string_view key, const void* numbers) = 0;
  virtual void add(const row& from, std::span<const std::size_t> by,
                   std::span<const std::size_t> columns) = 0;
  virtual void add(row_range& rows, std::span<const std::size_t> by,
                   std::span<const std::size_t> columns) = 0;
  virtual void add(const sums_table& other) = 0;
  virtual sum_bits bits_of(const cell& from) const = 0;
  // Returns what is larger for a larger sum, and least for a NaN.
  virtual wide rank_of_sum(const cell& of) const noexcept = 0;

  key_table<0> keys;
};

namespace {

template <class T>
class sums_of final : public sums_table {
 public:
  using sum_type = sum_t<T>;

  sums_of(std::size_t columns, std::uint64_t max_memory)
      : sums_table(columns, max_memory), numbers_(columns) {}

  void add(std::string_view key, const void* numbers) override {
    cell* const cells = cells_of(keys.find(key));
    for (std::size_t i = 0; i != numbers_.size(); ++i) {
      add_number(cells[i], sum_type{static_cast<const T*>(numbers)[i]});
    }
  }

  void add(const row& from, std::span<const std::size_t> by, std::span<const std::size_t> columns) override {
    add_row(from, by, columns);
  }

  void add(row_range& rows, std::span<const std::size_t> by, std::span<const std::size_t> columns) override {
    for_each(rows, [&](const row& each) { add_row(each, by, columns); });
  }

  void add(const sums_table& from) override {
    const auto& other = static_cast<const sums_of&>(from);
    keys.add(other.keys, [&](std::uint64_t* mine, const std::uint64_t* theirs) {
      for (std::size_t i = 0; i != numbers_.size(); ++i)
        add_cell(cells_of(mine)[i], cells_of(theirs)[i], other);
    });
  }

  sum_bits bits_of(const cell& from) const override {
    const std::uint64_t count = from.count & ~top_bit;
    const auto bits = [&](std::uint64_t rank) { return count == 0 ? 0 : bits_of_rank(rank); };
    std::uint64_t sum = from.low;
    if constexpr (std::floating_point<T>) {
      sum = std::bit_cast<std::uint64_t>(double_sum(from));
    } else if (from.high !=
               (std::is_signed_v<T> ? kernel::widened(static_cast<std::int64_t>(sum)).high : 0)) {
      throw error(make_error_code(errc::sum_overflow), "sum values as", std::is_signed_v<T> ? "i64" : "u64",
                  std::nullopt, "sum them as f64 instead");
    }
    return {count, from.nulls, bits(~from.lowest), bits(from.highest), sum};
  }

  wide rank_of_sum(const cell& of) const noexcept override {
    if constexpr (std::floating_point<T>) {
      const double sum = double_sum(of);
      return {std::isnan(sum) ? 0 : rank_of(sum), 0};
    } else {
      return {of.low, of.high ^ top_bit};
    }
  }

 private:
  struct number {
    sum_type value;
    bool exists;
  };

  [[gnu::always_inline]] void add_row(const row& from, std::span<const std::size_t> by,
                                      std::span<const std::size_t> columns) {
    number* const numbers = numbers_.data();
    for (std::size_t i = 0; i != columns.size(); ++i) {
      if (!take_short(from, columns[i], numbers[i])) take_number(from, columns[i], numbers[i]);
    }
    cell* const cells = cells_of(keys.find(from, by));
    for (std::size_t i = 0; i != columns.size(); ++i) {
      if (numbers[i].exists) {
        add_number(cells[i], numbers[i].value);
      } else {
        ++cells[i].nulls;
      }
    }
  }

  // Takes a number as most are. Returns false if it did not.
  [[gnu::always_inline]] static bool take_short(const row& from, std::size_t index, number& to) {
    const row_state& state = row_access::state(from);
    if (!std::same_as<T, double> || index >= state.count || state.ends[index] < 8) return false;
    const std::string_view field = state.field(index);
    if (!state.is_plain(field) || state.is_null(field)) return false;
    double value = 0;
    to.exists = short_decimal(field, value);
    to.value = static_cast<sum_type>(value);
    return to.exists;
  }
  [[gnu::noinline]] static void take_number(const row& from, std::size_t index, number& to) {
    to.exists = !from.is_null(index);
    if (to.exists) to.value = sum_type{from.get<T>(index)};
  }

  [[gnu::always_inline]] void add_number(cell& to, sum_type value) {
    if constexpr (std::floating_point<T>) {
      const auto bits = std::bit_cast<std::uint64_t>(value);
      const unsigned shift = static_cast<unsigned>(bits >> 52U & 0x7FFU) - exponent_of_unit;
      if (shift >= 64 || to.is_exact()) [[unlikely]]
        return add_rare(to, value);
      wide term = kernel::shifted((bits & 0xF'FFFF'FFFF'FFFF) | std::uint64_t{1} << 52U, shift);
      const std::uint64_t sign = sign_of(bits);
      term = {term.low ^ sign, term.high ^ sign};
      wide sum = to.sum();
      sum += term -= {sign, sign};
      if (!has_room(sum)) [[unlikely]]
        return add_rare(to, value);
      to.set(sum);
      to.add_rank(rank_of(value));
    } else if constexpr (std::is_signed_v<T>) {
      to.set(to.sum() += kernel::widened(value));
      to.add_rank(static_cast<std::uint64_t>(value) ^ top_bit);
    } else {
      to.set(to.sum() += {value, 0});
      to.add_rank(value);
    }
    ++to.count;
  }
  [[gnu::noinline]] void add_rare(cell& to, double value) {
    const std::optional<wide> term = to.is_exact() ? std::nullopt : rare_term(value);
    wide sum = to.sum();
    if (term) sum += *term;
    if (term && has_room(sum)) {
      to.set(sum);
    } else {
      exact_of(to).add(value);
    }
    if (!std::isnan(value)) to.add_rank(rank_of(value));
    ++to.count;
  }

  void add_cell(cell& to, const cell& other, const sums_of& from) {
    wide sum = to.sum();
    sum += other.sum();
    if (std::integral<T> || (!to.is_exact() && !other.is_exact() && has_room(sum))) {
      to.set(sum);
    } else if (other.is_exact()) {
      exact_of(to).add(from.exact_[static_cast<std::size_t>(other.low)]);
    } else {
      add_units(exact_of(to), other.sum());
    }
    to.count += other.count & ~top_bit;
    to.nulls += other.nulls;
    to.lowest = std::max(to.lowest, other.lowest);
    to.highest = std::max(to.highest, other.highest);
  }

  // Returns the exact sum of a cell, which it gets if it has none.
  exact_sum& exact_of(cell& of) {
    if (!of.is_exact()) {
      keys.charge(sizeof(exact_sum));
      add_units(exact_.emplace_back(), of.sum());
      of.low = exact_.size() - 1;
      of.count |= top_bit;
    }
    return exact_[static_cast<std::size_t>(of.low)];
  }
  double double_sum(const cell& of) const noexcept {
    return of.is_exact() ? exact_[static_cast<std::size_t>(of.low)].result() : rounded(of.sum());
  }
  static std::uint64_t bits_of_rank(std::uint64_t rank) noexcept {
    if constexpr (!std::floating_point<T>) return std::is_signed_v<T> ? rank ^ top_bit : rank;
    if (rank == 0 || rank == ~std::uint64_t{0}) return nan_bits;
    return rank >= top_bit ? rank ^ top_bit : ~rank;
  }

  std::vector<exact_sum> exact_;
  std::vector<number> numbers_;  // of a row
};

template <class T>
std::unique_ptr<sums_table> make(std::size_t columns, std::uint64_t max_memory) {
  return std::make_unique<sums_of<T>>(columns, max_memory);
}
// In the order of `element`.
constexpr std::array makers{make<std::int8_t>,  make<std::uint8_t>,  make<std::int16_t>, make<std::uint16_t>,
                            make<std::int32_t>, make<std::uint32_t>, make<std::int64_t>, make<std::uint64_t>,
                            make<float>,        make<double>};

}  // namespace

key_sums_state::key_sums_state(element kind, std::uint64_t max_memory) noexcept
    : kind_(kind), max_memory_(max_memory) {}
key_sums_state::key_sums_state(key_sums_state&& other) noexcept = default;
key_sums_state& key_sums_state::operator=(key_sums_state&& other) noexcept = default;
key_sums_state::~key_sums_state() = default;

// Returns the table of so many columns.
sums_table& key_sums_state::table(std::size_t columns) {
  if (table_ == nullptr) {
    table_ = makers[static_cast<std::size_t>(kind_)](columns, max_memory_);
    columns_ = columns;
  }
  if (columns == columns_) return *table_;
  throw error(make_error_code(errc::invalid_argument), "sum", "values", std::nullopt,
              std::to_string(columns) + " columns cannot be added to " + std::to_string(columns_));
}

void key_sums_state::add(std::string_view key, const void* numbers, std::size_t count) {
  table(count).add(key, numbers);
}

void key_sums_state::add(const row& from, std::span<const std::size_t> by,
                         std::span<const std::size_t> columns) {
  if (table_ != nullptr && columns.size() == columns_) [[likely]]
    return table_->add(from, by, columns);
  table(columns.size()).add(from, by, columns);
}

void key_sums_state::add(row_range& rows, std::span<const std::size_t> by,
                         std::span<const std::size_t> columns) {
  table(columns.size()).add(rows, by, columns);
}

void key_sums_state::add(const key_sums_state& other) {
  if (other.table_ != nullptr) table(other.columns_).add(*other.table_);
}

void key_sums_state::add_rows(row_range rows, std::span<const std::size_t> by,
                              std::span<const std::size_t> columns, const thread_options& splitting) {
  detail::add_rows(
      *this, [this] { return key_sums_state(kind_, 0); }, std::move(rows), splitting,
      [&](key_sums_state& to, row_range& some) { to.add(some, by, columns); });
}

std::size_t key_sums_state::size() const noexcept {
  return table_ == nullptr ? 0 : table_->keys.size();
}
key_sums_state::place key_sums_state::begin() const noexcept {
  return table_ == nullptr ? nullptr : table_->keys.begin();
}
key_sums_state::place key_sums_state::end() const noexcept {
  return table_ == nullptr ? nullptr : table_->keys.end();
}
key_sums_state::place key_sums_state::after(place at) const noexcept {
  return table_->keys.after(at);
}
std::string_view key_sums_state::key_of(place at) const noexcept {
  return table_->keys.key_of(at);
}
sum_bits key_sums_state::sum_of(place at, std::size_t column) const {
  return table_->bits_of(cells_of(at)[column]);
}

std::vector<key_sums_state::place> key_sums_state::top(std::size_t number) const {
  struct ranked {
    std::uint64_t high, low;
    place at;
  };
  std::vector<ranked> all;
  all.reserve(size());
  for (place at = begin(); at != end(); at = after(at)) {
    const wide rank = columns_ == 0 ? wide() : table_->rank_of_sum(cells_of(at)[0]);
    all.push_back({rank.high, rank.low, at});
  }
  std::vector<ranked> most(std::min(number, all.size()));
  // Keys lie in the order of their first appearance.
  std::ranges::partial_sort_copy(all, most, [](const ranked& left, const ranked& right) {
    return std::tie(right.high, right.low, left.at) < std::tie(left.high, left.low, right.at);
  });
  std::vector<place> found;
  found.reserve(most.size());
  for (const ranked& each : most) found.push_back(each.at);
  return found;
}

double quotient(std::uint64_t dividend, std::uint64_t divisor) noexcept {
  if (divisor == 0) return std::numeric_limits<double>::quiet_NaN();
  constexpr std::uint64_t enough = std::uint64_t{1}
                                   << 62U;  // more bits than a double has, with some to round by
  std::uint64_t whole = dividend / divisor;
  std::uint64_t rest = dividend % divisor;
  int exponent = 0;
  for (; dividend != 0 && whole < enough; --exponent) {
    rest *= 2;
    whole = 2 * whole + (rest >= divisor ? 1 : 0);
    if (rest >= divisor) rest -= divisor;
  }
  if (rest != 0) whole |= 1U;  // so that what is left breaks a tie
  return std::ldexp(static_cast<double>(whole), exponent);
}

}  // namespace riffle::inline v0::detail
