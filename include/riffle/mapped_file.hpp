/// A file as a contiguous range of memory that never takes the program down.
#ifndef RIFFLE_MAPPED_FILE_HPP
#define RIFFLE_MAPPED_FILE_HPP

#include <riffle/export.hpp>
#include <riffle/input.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <string_view>
#include <type_traits>

namespace riffle::inline v0 {

/// What may be done to the bytes of a mapped file, and who sees it.
enum class mapping_mode : std::uint8_t {
  read_only,
  copy_on_write,  ///< writable memory; the file never changes
  shared          ///< writable memory that is the file: others who map it see the change at once
};

/// How a file is mapped; fill in with designated initialisers: `{.offset = 4096, .length = 100}`.
struct mapping_options {
  mapping_mode mode = mapping_mode::read_only;
  /// Where the mapping starts, in bytes; any number.
  std::uint64_t offset = 0;
  /// Bytes to map; nothing: from `offset` to the end of the file.
  std::optional<std::uint64_t> length = std::nullopt;
  /// `shared` only: make the file if it is missing.
  bool create = false;
  /// `shared` only: make the file at least this long, with zeros.
  std::uint64_t minimum_size = 0;
  /// Tell the kernel that the bytes are used front to back.
  bool sequential = false;
  /// Ask the kernel to start reading the whole mapping now.
  bool will_need = false;
  /// Fault the whole mapping in now, which finds bad pages at once. Reading the file as an input does so by
  /// itself.
  bool populate = false;
  /// Turn a page that cannot be read into zeros and an error from `check()`. false: no SIGBUS handler is
  /// installed, and such a page ends the program.
  bool fault_guard = true;
};

/// A file, or a range of it, as memory: a contiguous, sized range of `const char`.
///
/// The bytes are good as long as the file is: when it shrinks or its disk fails while it is mapped, the pages
/// lost read as zeros, and `check()` throws. So use the bytes, call `check()`, and only then trust the
/// result. `riffle::count_lines(file)` and all that read it as an input do that by themselves.
///
/// Views into it stay valid until the object that lives longest of those it was moved to dies, or is resized.
/// Everything that fails throws `riffle::error`. Reading from several threads is fine; `writable()` is as
/// safe as any memory; moving and resizing need the object to oneself.
class RIFFLE_API mapped_file {
 public:
  using value_type = char;
  using const_iterator = const char*;
  using iterator = const_iterator;

  /// No bytes, of no file.
  mapped_file() noexcept;
  /// Maps `path`. An empty file gives an empty range. Fails for what has no mapping (directories, pipes,
  /// /proc): read those with `riffle::blocks`. A range that the file does not have is `errc::unexpected_end`.
  explicit mapped_file(const std::filesystem::path& path, const mapping_options& options = {});
  /// Maps the file open at `descriptor`, which may be closed afterwards. `shared` needs one open for reading
  /// and writing; `create` is refused.
  explicit mapped_file(int descriptor, const mapping_options& options = {});
  mapped_file(mapped_file&& other) noexcept;
  mapped_file& operator=(mapped_file&& other) noexcept;
  ~mapped_file();

  /// Another mapping of the same open file: cheap, without
  /// looking the path up again, and independent in lifetime.
  [[nodiscard]] mapped_file share(const mapping_options& options = {}) const;

  [[nodiscard]] const char* data() const noexcept RIFFLE_LIFETIMEBOUND {
    return data_;
  }                                                                  ///< null only when there are no bytes
  [[nodiscard]] std::size_t size() const noexcept { return size_; }  ///< in bytes
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] const char* begin() const noexcept { return data_; }
  [[nodiscard]] const char* end() const noexcept { return data_ + size_; }
  /// The byte at `position` of the mapping, which it must have.
  const char& operator[](std::size_t position) const noexcept { return data_[position]; }
  /// As an input it is read by windows, each faulted in ahead and checked before the next: memory stays
  /// bounded by what the page cache can give back, and a page that was lost is an error. It must outlive the
  /// reading.
  operator input() const RIFFLE_LIFETIMEBOUND;

  /// `length` bytes at `position` of the mapping, or what there is
  /// of them. A position behind the end is `errc::unexpected_end`.
  [[nodiscard]] std::string_view view(std::size_t position = 0,
                                      std::size_t length = std::string_view::npos) const RIFFLE_LIFETIMEBOUND;
  /// The bytes as values of `T` in the order of this machine. Fails when they are not whole values
  /// (`errc::partial_value`) or do not lie at an address fit for `T` (`errc::invalid_argument`).
  template <class T>
  [[nodiscard]] std::span<const T> as() const {
    static_assert(std::is_trivially_copyable_v<T>, "bytes of a file can only be trivially copyable values");
    check_values(sizeof(T), alignof(T));
    return {static_cast<const T*>(static_cast<const void*>(data_)), size_ / sizeof(T)};
  }

  /// The bytes for writing: `copy_on_write` and `shared` only, else `errc::invalid_argument`.
  [[nodiscard]] std::span<char> writable();
  /// The writable bytes as values of `T`; fails as `as` and `writable` do.
  template <class T>
  [[nodiscard]] std::span<T> writable_as() {
    static_assert(std::is_trivially_copyable_v<T> || std::is_standard_layout_v<T>);
    check_values(sizeof(T), alignof(T));
    return {static_cast<T*>(static_cast<void*>(writable().data())), size_ / sizeof(T)};
  }
  /// Writes what was changed to the disk and waits for that. Without it the kernel does so in its own time.
  void flush();
  /// `shared` only, mapped to the end of the file: makes the mapping `size` bytes long, and the file with it.
  /// All pointers and views into it become invalid. When it fails, nothing has changed.
  void resize(std::size_t size);

  /// Throws if a page could not be read when it was touched, or if the file now ends before the mapping does
  /// (`errc::truncated`). It asks the kernel once; cheap, but not per record.
  void check() const;
  /// Faults `length` bytes at `position` in by one call, ahead
  /// of their use. Throws at a page that cannot be read.
  void populate(std::size_t position, std::size_t length) const;

 private:
  struct state;
  explicit mapped_file(std::unique_ptr<state> mapped);
  const state& mapped() const;
  void check_values(std::size_t size, std::size_t alignment) const;

  std::unique_ptr<state> state_;
  const char* data_ = nullptr;  // of the mapping in state_
  std::size_t size_ = 0;
};

static_assert(std::ranges::contiguous_range<mapped_file> && std::ranges::sized_range<mapped_file>);

}  // namespace riffle::inline v0

#endif
