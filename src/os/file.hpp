/// Wraps an open descriptor, and retries interrupted system calls.
#pragma once

#include <riffle/error.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace riffle::os {

/// Names the kinds of files that riffle reads differently.
enum class file_kind : std::uint8_t {
  regular,
  directory,
  pipe,
  socket,
  terminal,
  character_device,
  block_device,
  untold  // its file system refuses to say; read in order, as a pipe is
};

/// Holds the result of fstat. `size` is a hint: /proc files report 0, /sys files report 4096, logs grow.
struct file_status {
  file_kind kind;
  std::uint64_t size;  // bytes; for a block device, of the device; 0 if the kind has none
  std::uint64_t device;
  std::uint64_t inode;
  std::int64_t modified;      // nanoseconds since 1970
  std::uint64_t io_size;      // st_blksize: the bytes of a read that the file system prefers
  std::uint64_t storage = 0;  // the device that has the bytes: `device`, or the block device itself
  bool sparse = false;        // the file system keeps fewer bytes than `size`, for holes or by compression
};

/// Returns whether both are of one file, which can have many names.
inline bool is_same_file(const file_status& one, const file_status& other) noexcept {
  return one.device == other.device && one.inode == other.inode;
}

/// Says how a file is opened.
enum class open_mode : std::uint8_t {
  read,
  read_write,
  create,         // to read and write, made if it is missing
  create_new,     // the same, an error if it is there
  create_private  // the same, for its owner alone
};

/// Holds an open descriptor, owned or borrowed, and its name in messages. Functions throw `riffle::error`.
class file {
 public:
  file() = default;
  /// Opens `path`. Opening a FIFO waits for its writer.
  static file open(const std::filesystem::path& path, open_mode mode = open_mode::read);
  /// Uses a descriptor that someone else closes.
  static file borrow(int descriptor, std::string name) { return {descriptor, false, std::move(name)}; }
  /// Opens the same file again, whatever its path leads to now. The result has a position of its own. Throws
  /// if the system cannot.
  file reopen() const;
  /// The same, bypassing the page cache (O_DIRECT). Throws also if the file system refuses.
  file reopen_direct() const;
  /// Duplicates the descriptor; both share one position.
  file duplicate() const;

  file(file&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)),
        owned_(other.owned_),
        name_(std::move(other.name_)) {}
  file& operator=(file&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    std::swap(owned_, other.owned_);
    name_.swap(other.name_);
    return *this;
  }
  ~file();

  int descriptor() const noexcept { return descriptor_; }
  bool owned() const noexcept { return owned_; }
  const std::string& name() const noexcept { return name_; }
  /// Returns the descriptor and gives it up. The caller closes it if it was owned.
  int release() noexcept { return std::exchange(descriptor_, -1); }

  /// Returns what fstat reports now.
  file_status status() const;
  /// Returns the size that the file reports now, in bytes; 0 if it has none. If the descriptor is riffle's
  /// own, this takes a third of the time of `status`, and moves its position.
  std::uint64_t end() const;
  /// Returns the position of the descriptor in bytes; `std::nullopt` if it has none that can be set.
  std::optional<std::uint64_t> position() const noexcept;
  /// Returns whether it can be read at positions, as far as lseek(2) tells.
  bool seekable() const noexcept;
  void set_position(std::uint64_t position) const noexcept;
  /// Returns whether every write goes to the end of the file (O_APPEND).
  bool appends() const noexcept;
  /// Returns whether it is open for reading and writing, as far as the system tells.
  bool reads_and_writes() const noexcept;

  /// Calls read(2) at the position of the descriptor, for at most 1 GiB. It retries after EINTR, and waits
  /// after EAGAIN. Returns the number of bytes read, 0 at the end. `offset` is for the message only.
  std::size_t read(std::span<char> into, std::uint64_t offset) const;
  /// Calls pread(2) in the same way; the position of the descriptor stays. `uncached`: see `pread_uncached`.
  std::size_t read_at(std::span<char> into, std::uint64_t offset, bool uncached = false) const;
  /// Returns whether a byte lies at `offset`, whatever size the file reports.
  bool holds(std::uint64_t offset) const;
  /// Returns whether the file has bytes after the size that it reports, as in /proc. A file that grows just
  /// now does not.
  bool holds_more_than_it_reports() const;
  /// Calls write(2) at the position of the descriptor until all bytes are written. It retries after EINTR,
  /// and waits after EAGAIN.
  void write(std::string_view bytes) const;
  /// These pass hints on to the OS kernel. Failures are ignored, because a hint does not change the bytes.
  void advise_sequential() const noexcept;
  void advise_will_need(std::uint64_t offset = 0, std::uint64_t length = 0) const noexcept;  // 0: to the end
  void drop_cache(std::uint64_t offset, std::uint64_t length) const noexcept;

  /// Sets the capacity of a pipe to 1 MiB if it can; see calls.hpp.
  void widen_pipe() const noexcept;
  /// Waits until there is something to read, as a non-blocking descriptor needs it after EAGAIN.
  void wait() const;

  /// Truncates or extends the file to `size` bytes (ftruncate).
  void resize(std::uint64_t size) const;

 private:
  file(int descriptor, bool owned, std::string name)
      : descriptor_(descriptor), owned_(owned), name_(std::move(name)) {}

  int descriptor_ = -1;
  bool owned_ = false;
  std::string name_;
};

/// Returns a path as messages name it. On Windows that is UTF-8, and what is no Unicode is replaced.
std::string name_of(const std::filesystem::path& path);

/// Returns the path from the root of the file system. Sets `failure` if the system does not tell the working
/// directory.
std::filesystem::path path_from_root(const std::filesystem::path& path, std::error_code& failure);

/// Waits until a read from the descriptor gives bytes or an error.
void wait_readable(int descriptor);

/// Says that the system refuses one way of reading a file, a mapping or O_DIRECT. Another method may be
/// tried.
class refused : public error {
 public:
  using error::error;
  explicit refused(const error& failure) : error(failure) {}
};

/// Throws `riffle::error` for a failed system call, with `code`, or with `errno` if `code` is 0.
[[noreturn]] void fail(std::string_view operation, std::string_view name,
                       std::optional<std::uint64_t> offset = std::nullopt, int code = 0,
                       std::string_view detail = {}, remedy helps = {});

}  // namespace riffle::os
