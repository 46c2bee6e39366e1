/// Offers one type for everything that riffle can read: paths, descriptors, streams, memory, objects of
/// yours.
#pragma once

#include <riffle/export.hpp>
#include <riffle/options.hpp>
#include <riffle/version.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <iosfwd>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

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

/// Names a byte range of a file, and the state of the file when it was split. It is a plain value: send its
/// fields to another process or machine that sees the same file.
///
/// `riffle::splits` makes it, and `riffle::read_split` reads the records that start in it.
struct file_split {
  path_string path;           ///< absolute
  std::uint64_t begin = 0;    ///< the offset of its first byte; a record may cross it
  std::uint64_t end = 0;      ///< the offset after its last byte
  std::uint64_t size = 0;     ///< of the whole file, in bytes
  std::int64_t mtime_ns = 0;  ///< when the file was last modified, in nanoseconds since 1970
  /// Says which file it was. riffle does not compare 0: set it if each machine has a copy of the file, or if
  /// its file system makes up these numbers.
  std::uint64_t inode = 0;
  /// The format from which riffle decodes its records, whatever `read_options::decode` says. It is an error
  /// to name another format there.
  decoding decode = decoding::none;

  friend bool operator==(const file_split&, const file_split&) = default;
};

/// Says what the records of a split are. Use designated initialisers.
struct record_options {
  /// The byte that ends a record; `std::nullopt`: each record has `record_size` bytes.
  std::optional<char> delimiter = '\n';
  /// Bytes in a record without a delimiter, counted from the start of the file. 1: each byte is a record.
  /// Another size beside a delimiter is `errc::invalid_argument`.
  std::size_t record_size = 1;
};

namespace detail {

/// Is the input that `riffle::read_split` returns.
struct split_records {
  file_split split;
  record_options records;
};

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

/// Holds the bytes of a mapped file, and the functions of `mapped_file` that read them safely.
struct mapped_bytes {
  std::string_view bytes;
  const void* file;
  void (*populate)(const void* file, std::size_t position, std::size_t length);
  void (*check)(const void* file);
};

}  // namespace detail

class reader;

/// Appears in the compiler's message if you pass a `std::string_view` as an input. It could be a path or
/// bytes: write `std::filesystem::path(view)` or `riffle::memory(view)`.
struct write_std_filesystem_path_or_riffle_memory_around_this_view {};

/// Appears in the compiler's message if you pass an object with a `read` or `read_at` that riffle cannot
/// call, or a temporary: `riffle::reads_in_order` and `riffle::reads_at_offsets` say what riffle calls.
struct pass_a_variable_that_has_read_of_span_or_read_at_and_size {};

/// Names the kinds of inputs that riffle reads differently.
enum class input_kind : std::uint8_t {
  regular_file,  ///< a file with a size, in which riffle can seek
  block_device,  ///< a disk or a partition
  stream,        ///< a pipe, socket, terminal or character device: riffle cannot seek in it
  file_pointer,  ///< a `FILE*`
  istream,       ///< a `std::istream`
  object,        ///< an object with `read` or `read_at`
  memory         ///< bytes in memory, or a mapped file
};

/// Names what riffle reads: a path, an open descriptor, a `FILE*`, a `std::istream`, an object of a class of
/// yours, a mapped file, `riffle::memory`, or what `riffle::read_split` returns. Each converts implicitly.
///
/// A string literal, a `std::string` and a `std::filesystem::path` are paths, never bytes. A bare
/// `std::string_view` does not compile. Only an `int` is a descriptor. Making an input opens nothing. On
/// Windows a path of `char` is UTF-8.
///
/// Lifetime: riffle borrows everything but a path: it does not close what you opened, which must outlive the
/// reading. Reading starts at the position of the descriptor, `FILE*` or stream. It stands at the end of
/// the input after riffle has read to the end; before that, its position is unspecified. A record of a pipe,
/// a socket or a terminal is handed out as soon as its bytes are there.
class RIFFLE_API input {
 public:
  /// The alternatives of `where()`.
  using place = std::variant<path_string, int, std::FILE*, std::istream*, detail::user_object, memory,
                             detail::mapped_bytes, detail::split_records>;

  /// A path. Lifetime: this object keeps a copy. Throws `errc::invalid_argument` for a null pointer.
  template <detail::names_path Path>
  input(Path&& path) : place_(detail::path_of(std::forward<Path>(path))) {}
  /// An open descriptor, a `FILE*`, a stream or bytes, with a name for messages, such as that of the file
  /// that you opened. Lifetime: it borrows them.
  input(std::same_as<int> auto descriptor, std::string name = {})
      : place_(descriptor), name_(std::move(name)) {}
  input(std::FILE* stream, std::string name = {}) : place_(stream), name_(std::move(name)) {}
  input(std::istream& stream RIFFLE_LIFETIMEBOUND, std::string name = {})
      : place_(&stream), name_(std::move(name)) {}
  input(memory bytes RIFFLE_LIFETIMEBOUND, std::string name = {}) : place_(bytes), name_(std::move(name)) {}
  /// A variable of a class with the functions of `reads_at_offsets`, or else of `reads_in_order`. Lifetime:
  /// it borrows the object. Throws what the object throws, as it is, when it is read; the loop may then go
  /// on.
  template <class Object>
    requires(detail::borrowable<Object>)
  input(Object&& object RIFFLE_LIFETIMEBOUND) : place_(detail::user_object_of(object)) {}
  /// What a `mapped_file` and `riffle::read_split` convert to.
  explicit input(const detail::mapped_bytes& mapped) : place_(mapped) {}
  explicit input(detail::split_records part) : place_(std::move(part)) {}

  /// A bare view, a null pointer, a reader, and an object that riffle cannot call are refused.
  input(std::same_as<std::string_view> auto view,
        write_std_filesystem_path_or_riffle_memory_around_this_view = {}) = delete;
  input(std::nullptr_t) = delete;
  input(reader&) = delete;
  template <class Object>
    requires(!detail::borrowable<Object> && detail::almost_readable<std::remove_cvref_t<Object>> &&
             !std::convertible_to<Object, std::istream&> && !detail::names_path<Object>)
  input(Object&& object, pass_a_variable_that_has_read_of_span_or_read_at_and_size = {}) = delete;

  /// Returns its name in messages: the path or the name as you gave it, "standard input", "descriptor 5",
  /// "FILE*", "stream", "memory" or "mapped file". The name of a split is the path of its file, that of an
  /// object of yours what its `name()` returns, or "object".
  std::string name() const;
  /// Returns what it was made of. Valid as long as this object.
  const place& where() const noexcept RIFFLE_LIFETIMEBOUND { return place_; }

 private:
  place place_;
  std::string name_;  // empty: it has none of its own
};

}  // namespace riffle::inline v0
