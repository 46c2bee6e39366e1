/// What the tool needs of the system: its start, the terminal, its output, copies without a buffer, and new
/// files.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

namespace riffle::os {

/// Returns the words of the command line in UTF-8, or as the system gave them where names are bytes. They
/// live as long as the program. On Windows it also lets the standard streams pass bytes unchanged, and the
/// console show UTF-8. Call it once, before anything is read or written.
std::span<char*> start_program(int count, char** words);

/// Writes the text, unless the terminal is full or another process group has it, as for `riffle ... &`. A
/// signal handler may call it.
void write_to_terminal(std::string_view text) noexcept;

/// From now on the signals that end a program, such as that of Ctrl-C, call `last` as a signal handler, and
/// then end the program as ever; not SIGKILL, real-time signals, and those of a fault. A signal that was
/// ignored or blocked stays so. Call it for at most two functions.
void call_before_the_end(void (*last)()) noexcept;

/// Says whether those signals may come to the calling thread, and to those that it starts from now on. The OS
/// kernel prefers the main thread, and runs no handler there while it waits for a disk or a file server.
void take_end_signals(bool taken) noexcept;

/// Writes all bytes at the position of the descriptor. It waits for a slow reader, also if the descriptor is
/// non-blocking. Returns the errno of a failure; 0: none.
int write_all(int descriptor, std::string_view bytes) noexcept;

/// Returns the size of a regular file in bytes. Sets `failure` to what std::filesystem::file_size says of a
/// path.
std::uintmax_t size_of(int descriptor, std::error_code& failure) noexcept;

/// Reads the first bytes of a file, wherever the position of its descriptor is. Returns their number; 0 if
/// the descriptor has no positions, or a read fails.
std::size_t read_front(int descriptor, std::span<char> into) noexcept;

/// Sets the position of a descriptor, if it has one.
void set_position(int descriptor, std::uint64_t position) noexcept;

/// Copies by splice(2) if one of the two is a pipe, by copy_file_range(2) between regular files, else by
/// sendfile(2).
///
/// It copies as far as the OS kernel does, which may be nothing. Whoever reads on from `offset` learns why it
/// ended: the input ended, reading or writing fails, or the files need read(2) and write(2).
class kernel_copy {
 public:
  /// Reads from `offset` on, or what comes next of a pipe. Writes at the position of `to`.
  kernel_copy(int from, int to, std::uint64_t offset) noexcept;

  /// Copies some bytes, at most `most` and 16 MiB. Returns their number, 0 if the OS kernel copies no more.
  std::size_t next(std::uint64_t most = ~std::uint64_t{0}) noexcept;
  /// Returns the offset after the bytes that were copied.
  std::uint64_t offset() const noexcept { return offset_; }

 private:
  enum class call : std::uint8_t { none, splice, copy_file_range, sendfile };

  long copy_once(std::size_t most) noexcept;

  int from_;
  int to_;
  std::uint64_t offset_;
  bool seekable_ = false;
  call call_ = call::none;
};

/// Returns whether standard output is a regular file, and the same as this one.
bool is_standard_output(const std::filesystem::path& file);

/// Returns whether copying an open input from `position` on to standard output would read what it writes:
/// both are one regular file, and the output's next byte goes after the input's, as GNU cat has it, or gets
/// there because the copy is `longer` than its input. What was printed before must have been flushed.
bool copy_would_never_end(int input, std::uint64_t position, bool longer);

/// How many there may be at once.
inline constexpr unsigned most_new_files = 8;

/// Writes beside its target, under a name that begins with ".riffle-", and replaces the target at the end. A
/// failure, and a signal that ends the program, remove what was written. At most `most_new_files` exist at a
/// time. Functions throw `riffle::error` with the name of the target. Thread safety: one thread at a time.
class new_file {
 public:
  /// Throws also if the target exists and is no regular file, may not be written, or is the file of the
  /// descriptor `input`. `create_to_replace` says what the new file permits.
  new_file(const std::filesystem::path& target, int input);
  ~new_file();
  new_file(const new_file&) = delete;
  new_file& operator=(const new_file&) = delete;

  /// Writes the bytes at the end. The offset of a failure counts the bytes of this file.
  void write(std::string_view bytes);
  /// Writes `size` bytes of the file `name`, which is open, from an offset on. The OS kernel copies them if
  /// it can. Throws also if that file cannot be read, or is shorter.
  void copy(int input, const std::string& name, std::uint64_t offset, std::uint64_t size);
  /// Gives the file its name.
  void finish();

 private:
  std::filesystem::path target_;
  std::string name_;  // of the target, in messages
  std::filesystem::path beside_;
  std::string beside_name_;                   // which a signal handler reads
  std::atomic<const char*>* slot_ = nullptr;  // where it finds it; null: the file has its name
  int descriptor_;
};

/// From now on a write past RLIMIT_FSIZE fails, and no longer ends the program.
void outlive_full_files() noexcept;

}  // namespace riffle::os
