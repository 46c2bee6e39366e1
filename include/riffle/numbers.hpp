/// Offers the numbers of a text: what a loop of `in >> number` reads.
#pragma once

#include <riffle/detail/record_iterator.hpp>
#include <riffle/detail/text_number.hpp>
#include <riffle/options.hpp>
#include <riffle/reader.hpp>
#include <riffle/source.hpp>

#include <iterator>
#include <optional>

namespace riffle::inline v0 {

/// Iterates over the numbers of a text, once. `riffle::numbers` makes this range; it owns its source.
///
/// Each step gives a number, or the end, or throws as `reader::number` does, after the numbers before the
/// failure. After a `break`, the next loop continues after the last number. Thread safety: one thread at a
/// time.
template <text_number T>
class number_range : public detail::single_pass<number_range<T>, T> {
 public:
  /// Opens an input as `riffle::numbers` does.
  explicit number_range(const input& from, const read_options& reading = {}) : reader_(from, reading) {}

  /// Returns the source, valid as long as this range: ask it for the method in use, or call its `check`
  /// before you trust the numbers since the last step that read a block.
  const source& from() const noexcept { return reader_.from(); }

 private:
  friend detail::steps;
  struct cursor {
    T record{};
  };

  cursor resume() noexcept { return {}; }
  [[gnu::always_inline]] bool advance(cursor& at) {
    const std::optional<T> next = reader_.template number<T>();
    if (next) at.record = *next;
    return next.has_value();
  }

  reader reader_;
};

/// Returns the numbers of a text, between white space: `for (double x :
/// riffle::numbers<double>("data.txt"))`. `T` is an integer, `float` or `double`; `reader::number` says what
/// a number is.
///
/// Throws `riffle::error` if the input cannot be opened, or if the method named in `reading` cannot read it.
template <text_number T>
[[nodiscard]] number_range<T> numbers(const input& from, const read_options& reading = {}) {
  return number_range<T>(from, reading);
}

}  // namespace riffle::inline v0
