/// Offers one type for everything that riffle can read.
#pragma once

#include <riffle/export.hpp>
#include <riffle/file_split.hpp>
#include <riffle/memory.hpp>
#include <riffle/path.hpp>
#include <riffle/readable.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <iosfwd>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

namespace riffle::inline v0 {

namespace detail {

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
  /// An open descriptor, a `FILE*`, a stream or bytes. Lifetime: it borrows them.
  input(std::same_as<int> auto descriptor) : place_(descriptor) {}
  input(std::FILE* stream) : place_(stream) {}
  input(std::istream& stream RIFFLE_LIFETIMEBOUND) : place_(&stream) {}
  input(memory bytes RIFFLE_LIFETIMEBOUND) : place_(bytes) {}
  /// Gives one of these a name for messages, such as that of the file that you opened.
  input(std::same_as<int> auto descriptor, std::string name) : place_(descriptor), name_(std::move(name)) {}
  input(std::FILE* stream, std::string name) : place_(stream), name_(std::move(name)) {}
  input(std::istream& stream RIFFLE_LIFETIMEBOUND, std::string name)
      : place_(&stream), name_(std::move(name)) {}
  input(memory bytes RIFFLE_LIFETIMEBOUND, std::string name) : place_(bytes), name_(std::move(name)) {}
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
