/// A file that stands under its name only when it is whole.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace riffle::os {

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
