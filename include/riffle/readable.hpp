/// Offers the concepts of objects that riffle reads by their own functions.
#pragma once

#include <riffle/version.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace riffle::inline v0 {

namespace detail {

template <class T>
concept count_of_bytes = std::unsigned_integral<T> && !std::same_as<T, bool>;

}  // namespace detail

/// Is a class that hands out its bytes in order, as a pipe does: `std::size_t read(std::span<char> into)`
/// writes up to `into.size()` bytes, at least one, and returns how many; 0: the end.
///
/// It may throw. riffle then passes the exception on, and calls it again if the loop goes on. With several
/// threads, one at a time calls it. If the class has `name()`, messages use that.
template <class T>
concept reads_in_order = requires(T& object, std::span<char> into) {
  { object.read(into) } -> detail::count_of_bytes;
};

/// Is a class whose bytes can be read at any offset, as those of a file: `std::uint64_t size()`, and
/// `std::size_t read_at(std::uint64_t offset, std::span<char> into)`, which writes up to `into.size()` of the
/// bytes from `offset` on and returns how many. riffle asks again for the rest, and never for bytes at or
/// after `size()`. A 0 is the error `errc::truncated`.
///
/// riffle reads such an object as it reads a file on high-latency storage: by several requests at once
/// (`read_options::queue_depth`), in parallel parts, decoded by several threads.
///
/// Thread safety: several threads call `read_at` at once, some of them riffle's own. With a `queue_depth` of
/// 1 and one thread, one at a time calls it. `size()` and `name()` are called when riffle opens the input;
/// `line_index` also calls `size()` later. An exception of `read_at` reaches you when the loop gets to its
/// bytes. If the loop goes on, riffle asks for them again.
template <class T>
concept reads_at_offsets = requires(T& object, std::uint64_t offset, std::span<char> into) {
  { object.read_at(offset, into) } -> detail::count_of_bytes;
  { object.size() } -> detail::count_of_bytes;
};

namespace detail {

/// Points to an object of the user's, and holds functions that call its own.
struct user_object {
  void* object;
  std::size_t (*read)(void* object, std::span<char> into) = nullptr;  // null: `read_at` and `size` are set
  std::size_t (*read_at)(void* object, std::uint64_t offset, std::span<char> into) = nullptr;
  std::uint64_t (*size)(void* object) = nullptr;
  std::string (*name)(void* object);
};

template <class T>
concept borrowable = std::is_lvalue_reference_v<T> && (reads_at_offsets<std::remove_reference_t<T>> ||
                                                       reads_in_order<std::remove_reference_t<T>>);

template <class T>
concept almost_readable = requires { &T::read; } || requires { &T::read_at; };

template <class T>
user_object user_object_of(T& object) noexcept {
  user_object made{.object = const_cast<void*>(
                       static_cast<const volatile void*>(&reinterpret_cast<const volatile char&>(object))),
                   .name = [](void* of) -> std::string {
                     if constexpr (requires(T& named) {
                                     { named.name() } -> std::convertible_to<std::string_view>;
                                   }) {
                       return std::string(std::string_view(static_cast<T*>(of)->name()));
                     } else {
                       return "object";
                     }
                   }};
  if constexpr (reads_at_offsets<T>) {
    made.read_at = [](void* of, std::uint64_t offset, std::span<char> into) -> std::size_t {
      return static_cast<T*>(of)->read_at(offset, into);
    };
    made.size = [](void* of) -> std::uint64_t { return static_cast<T*>(of)->size(); };
  } else {
    made.read = [](void* of, std::span<char> into) -> std::size_t { return static_cast<T*>(of)->read(into); };
  }
  return made;
}

}  // namespace detail

}  // namespace riffle::inline v0
