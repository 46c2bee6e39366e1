/// An open descriptor, with the interruptions and short counts of the system calls dealt with.
#ifndef RIFFLE_OS_FILE_HPP
#define RIFFLE_OS_FILE_HPP

#include <riffle/error.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace riffle::os {

/// What an open descriptor leads to, as far as reading differs.
enum class file_kind : std::uint8_t {
  regular,
  directory,
  pipe,
  socket,
  terminal,
  character_device,
  block_device
};

/// What fstat tells. `size` is a hint only: /proc files say 0, /sys files say 4096, logs grow.
struct file_status {
  file_kind kind;
  std::uint64_t size;  // bytes; for a block device, of the device; 0 where the kind has none
  std::uint64_t device;
  std::uint64_t inode;
};

/// How a file is opened.
enum class open_mode : std::uint8_t { read, read_write, create };  // create: read and write, made if missing

/// An open descriptor, owned or borrowed, with the name used in messages. Functions throw `riffle::error`.
class file {
 public:
  file() = default;
  /// Opens `path`. Never blocks for long but on a FIFO, which waits for its writer.
  static file open(const std::filesystem::path& path, open_mode mode = open_mode::read);
  /// Uses a descriptor that someone else closes.
  static file borrow(int descriptor, std::string name);
  /// Opens the same file again, whatever its path leads to now,
  /// for a position of its own. Throws where the system cannot.
  file reopen() const;
  /// The same, bypassing the page cache (O_DIRECT). Throws where the file system refuses too.
  file reopen_direct() const;
  /// Duplicates the descriptor; both share one position.
  file duplicate() const;

  file(file&& other) noexcept;
  file& operator=(file&& other) noexcept;
  ~file();

  int descriptor() const noexcept { return descriptor_; }
  bool owned() const noexcept { return owned_; }
  const std::string& name() const noexcept { return name_; }
  /// Gives the descriptor up to the caller, who closes it if it was owned.
  int release() noexcept;

  file_status status() const;
  /// Where the descriptor stands; nothing where it has no position that can be set.
  std::optional<std::uint64_t> position() const noexcept;
  bool seekable() const noexcept { return position().has_value(); }
  void set_position(std::uint64_t position) const noexcept;
  /// Whether every write goes to the end of the file (O_APPEND).
  bool appends() const noexcept;

  /// One read(2) at the descriptor's position: retried on EINTR, waited for on EAGAIN, at most 1 GiB.
  /// Returns the bytes read, 0 at the end. `offset` is for the message only.
  std::size_t read(std::span<char> into, std::uint64_t offset) const;
  /// One pread(2) likewise; the descriptor's position stays.
  /// With `uncached`, RWF_DONTCACHE where the kernel has it.
  std::size_t read_at(std::span<char> into, std::uint64_t offset, bool uncached = false) const;
  /// The kernel's own hints; failures are ignored because a hint never matters to the answer.
  void advise_sequential() const noexcept;
  void advise_will_need() const noexcept;
  void drop_cache(std::uint64_t offset, std::uint64_t length) const noexcept;

  /// Makes a pipe hold 1 MiB where it may; see calls.hpp.
  void widen_pipe() const noexcept;
  /// Waits until there is something to read: what a non-blocking descriptor needs after EAGAIN.
  void wait() const noexcept;

  void resize(std::uint64_t size) const;

 private:
  file(int descriptor, bool owned, std::string name);

  int descriptor_ = -1;
  bool owned_ = false;
  std::string name_;
};

/// Waits until there is something to read from the descriptor, or an error to be met.
void wait_readable(int descriptor) noexcept;

/// The error for a failed system call: `errno` now, or the code given.
[[noreturn]] void fail(std::string_view operation, std::string_view name,
                       std::optional<std::uint64_t> offset = std::nullopt, int code = 0,
                       std::string_view detail = {});

}  // namespace riffle::os

#endif
