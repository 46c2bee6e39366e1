/// Offers a file, or a range of it, as contiguous memory.
#pragma once

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

/// Says what you may do to the bytes of a mapped file, and who sees it.
enum class mapping_mode : std::uint8_t {
  read_only,      ///< memory that cannot be written
  copy_on_write,  ///< writable memory; the file does not change
  shared          ///< writable memory of the file itself: other mappings of it see a change at once
};

/// Says how a file is mapped. Use designated initialisers: `{.offset = 4096, .length = 100}`.
struct mapping_options {
  /// Whether the bytes can be written, and who sees it.
  mapping_mode mode = mapping_mode::read_only;
  /// Where the mapping starts in the file, in bytes. It need not be a multiple of the page size.
  std::uint64_t offset = 0;
  /// Bytes to map; `std::nullopt`: from `offset` to the end of the file.
  std::optional<std::uint64_t> length = std::nullopt;
  /// `shared` only: create the file if it is missing.
  bool create = false;
  /// `shared` only: extend a shorter file with zeros to this size, in bytes.
  std::uint64_t minimum_size = 0;
  /// Tell the OS kernel that you use the bytes from front to back (MADV_SEQUENTIAL).
  bool sequential = false;
  /// Tell the OS kernel that you use the bytes in no order, so that it reads no pages ahead (MADV_RANDOM).
  /// `errc::invalid_argument` beside `sequential`.
  bool random = false;
  /// Ask the OS kernel to start reading the whole mapping now (MADV_WILLNEED).
  bool will_need = false;
  /// Fault the whole mapping in now (MADV_POPULATE_READ, Linux 5.14): a page that cannot be read then throws
  /// at once. It is not needed if you read the mapped file as an input.
  bool populate = false;
  /// Replace a page that cannot be read by zeros, and let `check()` throw. false: riffle installs no SIGBUS
  /// handler for this mapping, and such a page raises SIGBUS.
  bool fault_guard = true;
};

/// Maps a file, or a range of it, into memory: a contiguous, sized range of `const char`.
///
/// If the file shrinks or its disk fails while it is mapped, a lost page reads as zeros and `check()` throws,
/// instead of SIGBUS being raised, if `mapping_options::fault_guard` is on. Call `check()` after you used the
/// bytes and before you trust the result. A function that takes the object as an input, such as
/// `riffle::count_lines(file)`, calls it for you. With `riffle::memory(file)` you call it.
///
/// Throws: a function that fails throws `riffle::error`. Lifetime: moving keeps views and pointers valid.
/// Destroying or resizing the final owner, or assigning to it, invalidates them. Thread safety: any number of
/// threads may call const functions at once. Moving and `resize` need the object for one thread alone. Writes
/// to the bytes need the same care as writes to other memory.
class RIFFLE_API mapped_file {
 public:
  using value_type = char;
  using const_iterator = const char*;
  using iterator = const_iterator;

  /// Makes an empty range that has no file.
  mapped_file() noexcept;
  /// Maps `path`. An empty file gives an empty range.
  ///
  /// Throws `riffle::error`: `errc::unexpected_end` if the file does not have the range of
  /// `options`; `errc::invalid_argument` if `options` make no sense; a code of the system if the
  /// file cannot be opened or mapped. Directories, pipes and files of /proc cannot be mapped: read a
  /// pipe or /proc with `riffle::blocks`.
  explicit mapped_file(const std::filesystem::path& path, const mapping_options& options = {});
  /// Maps the file that is open at `descriptor`, which you may close afterwards. `shared` needs a descriptor
  /// that is open for reading and writing. Throws as above; `create` is `errc::invalid_argument`.
  explicit mapped_file(int descriptor, const mapping_options& options = {});
  /// Moves the mapping, and leaves `other` empty. Views stay valid.
  mapped_file(mapped_file&& other) noexcept;
  /// Unmaps what this object has, moves the mapping, and leaves `other` empty.
  mapped_file& operator=(mapped_file&& other) noexcept;
  ~mapped_file();

  /// Maps the same open file once more, without opening its path again. Returns a mapping with `options` and
  /// a lifetime of its own.
  ///
  /// Throws as the constructors do, and `errc::invalid_argument` if this object has no file or `create` is
  /// set. `shared` needs a file that this object mapped as `shared`, or from a descriptor open for writing.
  [[nodiscard]] mapped_file share(const mapping_options& options = {}) const;

  /// Returns the first byte; null only if there are no bytes.
  [[nodiscard]] const char* data() const noexcept RIFFLE_LIFETIMEBOUND { return data_; }
  /// Returns the size of the mapping in bytes.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] const char* begin() const noexcept { return data_; }
  [[nodiscard]] const char* end() const noexcept { return data_ + size_; }
  /// Returns the byte at `position`, which must be less than `size()`: it is not checked.
  const char& operator[](std::size_t position) const noexcept { return data_[position]; }
  /// Converts it to an input, which is read in windows of 8 MiB. riffle faults each window in before it hands
  /// the bytes out, and calls `check()` before the next window, so a lost page throws. Lifetime: this object
  /// must outlive the reading.
  operator input() const& RIFFLE_LIFETIMEBOUND;
  /// The bytes of a mapping that ends with the expression are refused.
  operator input() const&& = delete;

  /// Returns `length` bytes at `position` of the mapping, or fewer if it ends before. Throws `riffle::error`
  /// (`errc::unexpected_end`) if `position` lies past the end.
  [[nodiscard]] std::string_view view(std::size_t position = 0,
                                      std::size_t length = std::string_view::npos) const RIFFLE_LIFETIMEBOUND;
  /// Returns the bytes as values of `T` in the byte order of this machine. Valid as long as the mapping.
  ///
  /// Throws `riffle::error`: `errc::partial_value` if the bytes end inside a value; `errc::invalid_argument`
  /// if they are not aligned for `T`.
  template <class T>
  [[nodiscard]] std::span<const T> as() const {
    static_assert(std::is_trivially_copyable_v<T>, "bytes of a file can only be trivially copyable values");
    check_values(sizeof(T), alignof(T));
    return {static_cast<const T*>(static_cast<const void*>(data_)), size_ / sizeof(T)};
  }
  /// Returns `count` values of `T` at the byte `position` of the mapping: a header, or the records after it.
  /// Valid as long as the mapping.
  ///
  /// Throws `riffle::error`: `errc::unexpected_end` if the mapping ends before they do;
  /// `errc::invalid_argument` if the bytes at `position` are not aligned for `T`.
  template <class T>
  [[nodiscard]] std::span<const T> as(std::size_t position, std::size_t count) const {
    static_assert(std::is_trivially_copyable_v<T>, "bytes of a file can only be trivially copyable values");
    check_values(position, count, sizeof(T), alignof(T));
    return {static_cast<const T*>(static_cast<const void*>(data_ + position)), count};
  }

  /// Returns the bytes for writing. Valid as long as the mapping. Throws `riffle::error`
  /// (`errc::invalid_argument`) if the mode is `read_only` or there is no file.
  [[nodiscard]] std::span<char> writable();
  /// Returns the writable bytes as values of `T`. Valid as long as the mapping. Throws as
  /// `as` and `writable` do.
  template <class T>
  [[nodiscard]] std::span<T> writable_as() {
    static_assert(std::is_trivially_copyable_v<T> || std::is_standard_layout_v<T>);
    check_values(sizeof(T), alignof(T));
    return {static_cast<T*>(static_cast<void*>(writable().data())), size_ / sizeof(T)};
  }
  /// Returns `count` writable values of `T` at the byte `position`. Valid as long as the mapping. Throws as
  /// `as` with a position and `writable` do.
  template <class T>
  [[nodiscard]] std::span<T> writable_as(std::size_t position, std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T> || std::is_standard_layout_v<T>);
    check_values(position, count, sizeof(T), alignof(T));
    return {static_cast<T*>(static_cast<void*>(writable().data() + position)), count};
  }
  /// Writes the changed bytes of a `shared` mapping to the disk, and returns when they are there (msync).
  /// Without this call the OS kernel writes them later. Throws `riffle::error` if writing fails, or if
  /// there is no file.
  void flush();
  /// Does so for `length` bytes at `position`, rounded outwards to whole pages. Bytes past the end are
  /// ignored.
  void flush(std::size_t position, std::size_t length);
  /// Makes the mapping `size` bytes long, and lets the file end there. New bytes are zeros. It invalidates
  /// all pointers and views into the mapping.
  ///
  /// Throws `riffle::error`: `errc::invalid_argument` if the mode is not `shared` or if `length` was set; a
  /// code of the system if the file cannot be resized or mapped. The mapping has then not changed; on
  /// Windows it can be gone, as a mapped file cannot be cut there.
  void resize(std::size_t size);

  /// Throws `riffle::error` if a lost page was replaced by zeros, or if the file now ends before the mapping
  /// does (`errc::truncated`). It is one system call (fstat): call it for each result, not for each record.
  void check() const;
  /// Faults in `length` bytes at `position`: by a touch of each 64 KiB if they are cached and the fault guard
  /// is on, else by one system call (MADV_POPULATE_READ; nothing before Linux 5.14). Bytes past the end are
  /// ignored. Throws `riffle::error`, with the offset, at a page that cannot be read.
  void populate(std::size_t position, std::size_t length) const;

 private:
  struct state;
  explicit mapped_file(std::unique_ptr<state> mapped);
  const state& mapped() const;
  void check_values(std::size_t size, std::size_t alignment) const;
  void check_values(std::size_t position, std::size_t count, std::size_t size, std::size_t alignment) const;
  void check_aligned(const char* at, std::size_t alignment) const;

  std::unique_ptr<state> state_;
  const char* data_ = nullptr;  // of the mapping in state_
  std::size_t size_ = 0;
};

static_assert(std::ranges::contiguous_range<mapped_file> && std::ranges::sized_range<mapped_file>);

}  // namespace riffle::inline v0
