/// Bytes in memory, under a name that no path can be taken for.
#ifndef RIFFLE_MEMORY_HPP
#define RIFFLE_MEMORY_HPP

#include <riffle/export.hpp>

#include <concepts>
#include <cstddef>
#include <ranges>
#include <string_view>
#include <type_traits>

namespace riffle::inline v0 {

namespace detail {

template <class T>
concept byte_like = std::same_as<T, char> || std::same_as<T, signed char> || std::same_as<T, unsigned char> ||
                    std::same_as<T, char8_t> || std::same_as<T, std::byte>;

template <class Range>
concept bytes_in_memory = std::ranges::contiguous_range<Range> && std::ranges::sized_range<Range> &&
                          byte_like<std::remove_cv_t<std::ranges::range_value_t<Range>>>;

}  // namespace detail

/// Bytes in memory, borrowed: `riffle::lines(riffle::memory(text))`.
///
/// Made of any contiguous range of characters or bytes: a string, a view, a vector, a span, a block, a mapped
/// file. A string literal counts without the zero byte that ends it. Lifetime: the bytes must outlive this
/// object and whatever reads it.
class memory {
 public:
  memory() = default;
  template <detail::bytes_in_memory Range>
    requires(!std::same_as<std::remove_cvref_t<Range>, memory>)
  explicit memory(Range&& bytes RIFFLE_LIFETIMEBOUND)
      : bytes_(reinterpret_cast<const char*>(std::ranges::data(bytes)), std::ranges::size(bytes)) {}
  template <std::size_t Size>
  explicit memory(const char (&literal)[Size] RIFFLE_LIFETIMEBOUND)
      : bytes_(literal, literal[Size - 1] == '\0' ? Size - 1 : Size) {}

  /// The bytes; valid as long as what they were made of.
  std::string_view bytes() const noexcept { return bytes_; }

 private:
  std::string_view bytes_;
};

}  // namespace riffle::inline v0

#endif
