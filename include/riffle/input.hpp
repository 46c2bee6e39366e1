/// Anything that can be read, under one name.
#ifndef RIFFLE_INPUT_HPP
#define RIFFLE_INPUT_HPP

#include <riffle/export.hpp>

#include <concepts>
#include <cstdio>
#include <filesystem>
#include <istream>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace riffle {

/// An input: a path, an open descriptor, a `FILE*`, a
/// `std::istream`, or memory. Converts implicitly from each.
///
/// A string literal and a `std::string` are paths, as for `std::ifstream`; a `std::string_view` is memory.
/// All but a path are borrowed: they stay open, and must outlive the reading. Reading starts where a
/// descriptor, a `FILE*` or a stream stands; when the end is reached, a descriptor stands there too.
class RIFFLE_API input {
 public:
  using place = std::variant<std::filesystem::path, int, std::FILE*, std::istream*, std::string_view>;

  template <class Path>
    requires(std::convertible_to<Path, std::filesystem::path> &&
             !std::same_as<std::remove_cvref_t<Path>, input> &&
             !std::same_as<std::remove_cvref_t<Path>, std::string_view>)
  input(Path&& path) : place_(std::filesystem::path(std::forward<Path>(path))) {}
  input(int descriptor) : place_(descriptor) {}
  input(std::FILE* stream) : place_(stream) {}
  input(std::istream& stream) : place_(&stream) {}
  input(std::string_view memory) : place_(memory) {}

  /// What it is called in messages: the path as given, "standard input", "descriptor 5", "memory".
  std::string name() const;
  const place& where() const noexcept { return place_; }

 private:
  place place_;
};

}  // namespace riffle

#endif
