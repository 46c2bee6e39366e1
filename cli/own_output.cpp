/// Compares files by device and inode, as one file can have many names.
#include "cli/own_output.hpp"

#include <riffle/error.hpp>
#include <riffle/input.hpp>

#include <optional>

#include "os/file.hpp"

namespace riffle::cli {

namespace {

os::file standard_output() {
  return os::file::borrow(1, "standard output");
}

// Nothing if it is no regular file or cannot be opened: reading or writing it reports why.
std::optional<os::file_status> status_of(const os::file& file) {
  try {
    const os::file_status status = file.status();
    return status.kind == os::file_kind::regular ? std::optional(status) : std::nullopt;
  } catch (const error&) {
    return std::nullopt;
  }
}

bool same_file(const os::file& one, const os::file& other) {
  const auto left = status_of(one);
  const auto right = status_of(other);
  return left && right && left->device == right->device && left->inode == right->inode;
}

// Nothing is opened unless standard output is a regular file.
template <class Use>
bool with_file(const std::filesystem::path& path, Use use) {
  std::error_code missing;
  if (!status_of(standard_output()) || !std::filesystem::is_regular_file(path, missing)) return false;
  try {
    return use(os::file::open(path));
  } catch (const error&) {
    return false;
  }
}

bool output_is_behind(const os::file& input, bool longer) {
  const os::file output = standard_output();
  if (!same_file(input, output)) return false;
  const std::uint64_t size = output.status().size;
  return input.position() < (longer || output.appends() ? size : output.position());
}

}  // namespace

bool is_standard_output(const std::filesystem::path& file) {
  return with_file(file, [](const os::file& opened) { return same_file(opened, standard_output()); });
}

bool copy_would_never_end(const std::string& name, bool longer) {
  if (name == "-") return output_is_behind(os::file::borrow(0, "standard input"), longer);
  return with_file(detail::path_of(name),
                   [longer](const os::file& input) { return output_is_behind(input, longer); });
}

}  // namespace riffle::cli
