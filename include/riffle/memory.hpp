/// Offers the type that marks bytes in memory as an input.
#pragma once

#include <riffle/export.hpp>

#include <concepts>
#include <cstddef>
#include <iterator>
#include <span>
#include <string_view>
#include <type_traits>

namespace riffle::inline v0 {

namespace detail {

template <class T>
concept byte_like = std::same_as<T, char> || std::same_as<T, signed char> || std::same_as<T, unsigned char> ||
                    std::same_as<T, char8_t> || std::same_as<T, std::byte>;

template <class Range>
concept bytes_in_memory = requires(Range& bytes) {
  std::ranges::size(bytes);
  requires byte_like<std::remove_cvref_t<decltype(*std::ranges::data(bytes))>>;
};

/// A view, whose bytes live elsewhere.
template <class Range>
concept borrows = std::ranges::enable_borrowed_range<std::remove_cvref_t<Range>>;

}  // namespace detail

/// Appears in the compiler's message if you pass a temporary that owns its bytes, such as
/// `riffle::memory(make_text())`: they would be gone before they are read.
struct keep_what_owns_the_bytes_in_a_variable {};

/// Refers to bytes in memory: `riffle::lines(riffle::memory(text))`.
///
/// It takes any contiguous range of characters or bytes: a string, a view, a vector, a span, a block, a
/// mapped file. It drops the zero byte that ends a string literal, or any other `const char` array.
///
/// Lifetime: it borrows the bytes, which must outlive this object and everything that reads them. A temporary
/// that owns its bytes does not compile.
class memory {
 public:
  /// No bytes.
  memory() = default;
  /// The bytes of a range, which is borrowed; of a view, those it refers to.
  template <detail::bytes_in_memory Range>
    requires(!detail::borrows<Range>)
  explicit memory(Range& bytes RIFFLE_LIFETIMEBOUND)
      : bytes_(reinterpret_cast<const char*>(std::ranges::data(bytes)), std::ranges::size(bytes)) {}
  template <detail::bytes_in_memory Range>
    requires(detail::borrows<Range>)
  explicit memory(Range&& bytes)
      : bytes_(reinterpret_cast<const char*>(std::ranges::data(bytes)), std::ranges::size(bytes)) {}
  template <detail::bytes_in_memory Range>
    requires(!detail::borrows<Range> && !std::is_lvalue_reference_v<Range>)
  explicit memory(Range&& bytes, keep_what_owns_the_bytes_in_a_variable = {}) = delete;
  /// The bytes of an array, without the zero byte at its end.
  template <std::size_t size>
  explicit memory(RIFFLE_LIFETIMEBOUND const char (&literal)[size])
      : bytes_(literal, literal[size - 1] == '\0' ? size - 1 : size) {}

  /// Returns the bytes. Valid as long as the range that they came from.
  std::string_view bytes() const noexcept { return bytes_; }

 private:
  std::string_view bytes_;
};

}  // namespace riffle::inline v0
