/// Offers the fields of a line, as a range or in an array.
#pragma once

#include <riffle/detail/mask_scan.hpp>
#include <riffle/detail/record_iterator.hpp>
#include <riffle/dialect.hpp>
#include <riffle/export.hpp>

#include <concepts>
#include <cstddef>
#include <iterator>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace riffle::inline v0 {

namespace detail {

/// Holds the current field of a line, one mask and what finds the next field.
class field_cursor {
 public:
  using how = char;  // the separator
  /// After the last field.
  field_cursor() = default;
  [[gnu::always_inline]] field_cursor(std::string_view line, char separator) noexcept
      : scan_(line, mask_of_delimiter{separator}), field_(line.data()), separator_(separator), ended_(false) {
    find_stop();
  }

  bool ended() const noexcept { return ended_; }
  std::string_view record() const noexcept { return {field_, static_cast<std::size_t>(stop_ - field_)}; }

  /// Moves to the next field, or past the last one.
  [[gnu::always_inline]] void next() noexcept {
    ended_ = stop_ == scan_.end();
    if (ended_) return;
    field_ = stop_ + 1;
    find_stop();
  }

 private:
  [[gnu::always_inline]] void find_stop() noexcept {
    if (!scan_.next(mask_of_delimiter{separator_}, stop_)) stop_ = scan_.end();
  }

  mask_scan scan_;
  const char* field_ = nullptr;
  const char* stop_ = nullptr;  // after the field
  char separator_ = ',';
  bool ended_ = true;
};

/// Holds the same of a line whose fields stand between blanks.
class blank_cursor {
 public:
  struct how {};
  /// After the last field.
  blank_cursor() = default;
  [[gnu::always_inline]] blank_cursor(std::string_view line, how /*of whitespace*/) noexcept
      : match_{line.data()}, scan_(line, match_) {
    next();
  }

  bool ended() const noexcept { return field_ == nullptr; }
  std::string_view record() const noexcept { return {field_, static_cast<std::size_t>(stop_ - field_)}; }

  /// Moves to the next field, or past the last one.
  [[gnu::always_inline]] void next() noexcept {
    if (!scan_.next(match_, field_)) {
      field_ = nullptr;
    } else if (!scan_.next(match_, stop_)) {
      stop_ = scan_.end();
    }
  }

 private:
  mask_of_edges<blanks> match_{nullptr};
  mask_scan scan_;
  const char* field_ = nullptr;  // null after the last field
  const char* stop_ = nullptr;
};

/// Iterates over the fields of a line, which a cursor finds.
template <class Cursor>
class basic_field_view : public std::ranges::view_base {
 public:
  using iterator = view_iterator<Cursor>;

  /// The fields of an empty line.
  basic_field_view() = default;
  /// The fields of a line, as `riffle::fields` returns them.
  basic_field_view(std::string_view line RIFFLE_LIFETIMEBOUND, typename Cursor::how how) noexcept
      : line_(line), how_(how) {}

  [[gnu::always_inline]] iterator begin() const noexcept { return iterator(Cursor(line_, how_)); }
  std::default_sentinel_t end() const noexcept { return {}; }
  /// Returns the first field. Call it only if there is one.
  std::string_view front() const noexcept { return *begin(); }
  /// Returns whether the line has no field: only a line of blanks between which the fields stand.
  bool empty() const noexcept { return begin() == end(); }

 private:
  std::string_view line_;
  typename Cursor::how how_{};
};

}  // namespace detail

/// Iterates over the fields of a line: a forward range, each loop over which starts at the front.
/// `riffle::fields` makes it.
///
/// There is one field more than there are separators. So an empty line has one empty field, and a separator
/// at the end has an empty field after it. No step throws or allocates. Lifetime: it borrows the line, and a
/// field stays valid as long as the line. Thread safety: any number of threads may use one object.
using field_view = detail::basic_field_view<detail::field_cursor>;

/// Iterates over the fields of a line that stand between runs of spaces and tabs, otherwise as `field_view`.
/// No field is empty, and a line of blanks has none.
using whitespace_field_view = detail::basic_field_view<detail::blank_cursor>;

/// Returns the fields of a line: `for (std::string_view field : riffle::fields(line, ','))`. Quotes have no
/// meaning. Lifetime: the line must outlive the result and its fields.
[[nodiscard]] inline field_view fields(std::string_view line RIFFLE_LIFETIMEBOUND, char separator) noexcept {
  return {line, separator};
}
/// Returns the fields of a line as awk sees them: `riffle::fields(line, riffle::whitespace)`. Lifetime: the
/// line must outlive the result and its fields.
[[nodiscard]] inline whitespace_field_view fields(std::string_view line RIFFLE_LIFETIMEBOUND,
                                                  const whitespace_dialect& /*whitespace*/) noexcept {
  return {line, {}};
}
/// A string that ends with the expression is refused.
template <class Line, class How>
  requires std::same_as<std::remove_cv_t<Line>, std::string>
void fields(Line&& line, const How& how) = delete;

/// Calls `f(std::string_view)` with every field; `f` may return false to stop. Throws what `f` throws.
template <class Cursor, class F>
[[gnu::always_inline]] inline void for_each(const detail::basic_field_view<Cursor>& fields, F f) {
  for (const std::string_view field : fields) {
    if (!detail::wants_more(f, field)) return;
  }
}

/// Stores the fields of a line in `into`, from its front, until it is full. Returns the number of fields of
/// the line, which may exceed `into.size()`. Elements after the last field keep their values. Quotes have no
/// meaning. Lifetime: the fields stay valid as long as the line.
inline std::size_t fields(std::string_view line, char separator, std::span<std::string_view> into) noexcept {
  const detail::mask_of_delimiter match{separator};
  detail::mask_scan scan(line, match);
  std::size_t count = 0;
  const char* field = line.data();
  const auto store = [&](const char* stop) {
    if (count < into.size()) into[count] = {field, static_cast<std::size_t>(stop - field)};
    ++count;
  };
  const char* stop = nullptr;
  while (scan.next(match, stop)) {
    store(stop);
    field = stop + 1;
  }
  store(scan.end());
  return count;
}
/// Stores the fields of a line as awk sees them, in the same way.
inline std::size_t fields(std::string_view line, const whitespace_dialect& how,
                          std::span<std::string_view> into) noexcept {
  std::size_t count = 0;
  for (const std::string_view field : fields(line, how)) {
    if (count < into.size()) into[count] = field;
    ++count;
  }
  return count;
}
/// A string that ends with the expression is refused.
template <class Line, class How>
  requires std::same_as<std::remove_cv_t<Line>, std::string>
std::size_t fields(Line&& line, const How& how, std::span<std::string_view> into) = delete;

}  // namespace riffle::inline v0

template <class Cursor>
inline constexpr bool std::ranges::enable_borrowed_range<riffle::detail::basic_field_view<Cursor>> = true;
