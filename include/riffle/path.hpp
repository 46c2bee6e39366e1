/// Offers the text of a path, as the system takes it, without the weight of <filesystem>.
#pragma once

#include <riffle/export.hpp>

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace riffle::inline v0 {

/// Holds a path. It is `std::filesystem::path::string_type`, to which and from which a
/// `std::filesystem::path` converts.
#ifdef _WIN32
using path_string = std::wstring;
#else
using path_string = std::string;
#endif

namespace detail {

template <class T>
inline constexpr bool is_characters = false;
template <class Character, class Traits, class Allocator>
inline constexpr bool is_characters<std::basic_string<Character, Traits, Allocator>> =
    std::same_as<Character, char> || std::same_as<Character, char8_t> ||
    std::same_as<Character, path_string::value_type>;
template <class Character>
inline constexpr bool is_characters<Character*> =
    is_characters<std::basic_string<std::remove_const_t<Character>, std::char_traits<char>, void>>;

/// Is a `std::filesystem::path`.
template <class Path>
concept path_object = requires(const Path& path) {
  { path.native() } -> std::convertible_to<const path_string&>;
};
/// Is what has a path: a `std::filesystem::directory_entry`.
template <class Entry>
concept path_entry = requires(const Entry& entry) {
  { entry.path() } -> path_object;
};
template <class Name>
concept names_path = is_characters<std::decay_t<Name>> || path_object<std::remove_cvref_t<Name>> ||
                     path_entry<std::remove_cvref_t<Name>>;

/// Throws `errc::invalid_argument` for a path that is a null pointer.
[[noreturn]] RIFFLE_API void refuse_null_path();
/// Returns the path of a name: its bytes. If the system's own paths are not of `char` (Windows), a name is
/// UTF-8, and of one that is not, each byte is a character.
RIFFLE_API path_string path_of_bytes(std::string_view name);

/// Returns what names a file as a path.
template <names_path Name>
path_string path_of(Name&& name) {
  if constexpr (std::is_pointer_v<std::remove_cvref_t<Name>>) {
    if (name == nullptr) refuse_null_path();
  }
  if constexpr (path_entry<std::remove_cvref_t<Name>>) {
    return name.path().native();
  } else if constexpr (path_object<std::remove_cvref_t<Name>>) {
    return name.native();
  } else if constexpr (std::convertible_to<Name, path_string>) {
    return std::forward<Name>(name);
  } else {
    using character = std::remove_cvref_t<decltype(name[0])>;
    const std::basic_string_view<character> characters(name);
    if constexpr (std::same_as<character, path_string::value_type>) {
      return path_string(characters);
    } else {
      return path_of_bytes({reinterpret_cast<const char*>(characters.data()), characters.size()});
    }
  }
}

}  // namespace detail

}  // namespace riffle::inline v0
