/// `os::output_file` by MoveFileEx, which replaces a file as a whole.
#include "bench/host/os/output_file.hpp"

#include "os/windows/calls.hpp"  // before the other headers of the system

#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <random>
#include <riffle/input.hpp>

#include "os/file.hpp"

namespace riffle::os {

namespace {

using std::filesystem::path;

descriptor open_for(const path& name, int how) {
  return descriptor(_wopen(name.c_str(), how | _O_BINARY | _O_NOINHERIT, _S_IREAD | _S_IWRITE));
}

bool is_file(const descriptor& opened) {
  return GetFileType(handle_of(opened.number())) == FILE_TYPE_DISK;
}

/// A new file beside another one. It is removed, unless it was renamed.
class file_beside {
 public:
  explicit file_beside(const path& other) {
    do {
      name_ = other.parent_path() / (".riffle-bench-" + std::to_string(std::random_device()()));
      file_ = open_for(name_, _O_WRONLY | _O_CREAT | _O_EXCL);
    } while (!file_.open() && errno == EEXIST);
    made_ = file_.open();
  }
  file_beside(const file_beside&) = delete;
  file_beside& operator=(const file_beside&) = delete;
  ~file_beside() {
    file_.close();
    if (made_) DeleteFileW(name_.c_str());
  }

  [[nodiscard]] bool made() const { return made_; }
  [[nodiscard]] descriptor& file() { return file_; }
  /// Call it after the file was closed. `over`: it may replace a file. 0, or the error of Windows.
  [[nodiscard]] DWORD rename_to(const path& name, bool over) {
    const DWORD flags = MOVEFILE_WRITE_THROUGH | (over ? MOVEFILE_REPLACE_EXISTING : 0);
    const DWORD code =
        MoveFileExW(name_.c_str(), name.c_str(), flags) != 0 ? DWORD{ERROR_SUCCESS} : GetLastError();
    made_ = code != ERROR_SUCCESS;
    return code;
  }

 private:
  path name_;
  descriptor file_;
  bool made_ = false;
};

}  // namespace

output_file::output_file(const path& typed, overwritable may) : typed_(name_of(typed)), may_(may) {
  std::error_code none;
  const path followed = std::filesystem::canonical(typed, none);
  find(none ? std::filesystem::absolute(typed) : followed);
}

// Whether the directory takes new files is tried, so that the end of a long run does not tell.
void output_file::find(const path& target) {
  name_ = name_of(target);
  descriptor present = open_for(target, _O_RDWR);
  if (!present.open() && errno != ENOENT) refuse();
  if (present.open()) check_start(present);
  in_place_ = present.open() && !is_file(present);  // a device
  if (in_place_) {
    present_ = std::move(present);
  } else if (!file_beside(target).made()) {
    refuse();
  }
}

void output_file::refuse() const {
  fail("write", typed_);
}

void output_file::check_start(const descriptor& opened) const {
  if (!is_file(opened)) return;
  std::array<char, 300> start{};
  const int size = _read(opened.number(), start.data(), start.size());
  if (size < 0) refuse();
  if (size == 0 || may_({start.data(), static_cast<std::size_t>(size)})) return;
  throw error(errc::invalid_argument, "overwrite", typed_, std::nullopt,
              "it is no report of riffle bench; name another file");
}

void output_file::write_all(int to, std::string_view text) const {
  file::borrow(to, typed_).write(text);
}

void output_file::write(std::string_view text) const {
  if (in_place_) return write_all(present_.number(), text);
  static_cast<void>(replace(text));
}

bool output_file::replace(std::string_view text) const {
  const path target = detail::path_of(name_);
  descriptor now = open_for(target, _O_RDONLY);
  if (!now.open() && errno != ENOENT) refuse();
  const bool over = now.open();
  if (over) check_start(now);
  now.close();
  file_beside next(target);
  if (!next.made()) refuse();
  write_all(next.file().number(), text);
  if (next.file().close() != 0) refuse();
  const DWORD code = next.rename_to(target, over);
  if (code != ERROR_SUCCESS) fail_with(code, "write", typed_);
  return true;
}

}  // namespace riffle::os
