/// Anything that can be read, under one name.
#ifndef RIFFLE_INPUT_HPP
#define RIFFLE_INPUT_HPP

#include <riffle/export.hpp>
#include <riffle/memory.hpp>

#include <concepts>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

namespace riffle::inline v0 {

namespace detail {

/// Bytes of a mapped file, with what `mapped_file` offers to read them safely.
struct mapped_bytes {
  std::string_view bytes;
  const void* file;
  void (*populate)(const void* file, std::size_t position, std::size_t length);
  void (*check)(const void* file);
};

}  // namespace detail

/// Named in a compiler's first lines where a `std::string_view` is given as an input: it says neither whether
/// it is a path nor whether it is bytes. Write `std::filesystem::path(view)` or `riffle::memory(view)`.
struct write_std_filesystem_path_or_riffle_memory_around_this_view {};

/// An input: a path, an open descriptor, a `FILE*`, a `std::istream`, a mapped file, or `riffle::memory`.
/// Converts implicitly from each.
///
/// A string literal, a `std::string` and a `std::filesystem::path` are paths, never bytes. A bare
/// `std::string_view` does not compile. Only an `int` is a descriptor.
///
/// Lifetime: all but a path are borrowed. They stay open, and must outlive the reading. Reading starts where
/// a descriptor, a `FILE*` or a stream stands; after the end is reached, a descriptor stands there too.
class RIFFLE_API input {
 public:
  using place =
      std::variant<std::filesystem::path, int, std::FILE*, std::istream*, memory, detail::mapped_bytes>;

  template <class Path>
    requires(std::convertible_to<Path, std::filesystem::path> &&
             !std::same_as<std::remove_cvref_t<Path>, input> &&
             !std::same_as<std::remove_cvref_t<Path>, std::string_view>)
  input(Path&& path) : place_(std::filesystem::path(std::forward<Path>(path))) {}
  input(std::same_as<int> auto descriptor) : place_(descriptor) {}
  input(std::FILE* stream) : place_(stream) {}
  input(std::istream& stream RIFFLE_LIFETIMEBOUND) : place_(&stream) {}
  input(memory bytes RIFFLE_LIFETIMEBOUND) : place_(bytes) {}
  explicit input(const detail::mapped_bytes& mapped) : place_(mapped) {}

  input(std::same_as<std::string_view> auto view,
        write_std_filesystem_path_or_riffle_memory_around_this_view = {}) = delete;
  input(std::nullptr_t) = delete;

  /// What it is called in messages: the path as given, "standard input", "descriptor 5", "memory".
  std::string name() const;
  const place& where() const noexcept RIFFLE_LIFETIMEBOUND { return place_; }

 private:
  place place_;
};

}  // namespace riffle::inline v0

#endif
