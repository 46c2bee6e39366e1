/// Compares files by device and inode, as one file can have many names.
#include "cli/os/own_output.hpp"

#include <riffle/error.hpp>

#include <optional>

#include "os/file.hpp"

namespace riffle::os {

namespace {

// Nothing if it is no regular file or cannot be asked: reading or writing it reports why.
std::optional<file_status> status_of(int descriptor) {
  try {
    const file_status status = file::borrow(descriptor, {}).status();
    return status.kind == file_kind::regular ? std::optional(status) : std::nullopt;
  } catch (const error&) {
    return std::nullopt;
  }
}

// Returns the status of standard output, if it is the same file.
std::optional<file_status> same_as_output(int input) {
  const auto output = status_of(1);
  const auto other = output ? status_of(input) : std::nullopt;
  return other && is_same_file(*other, *output) ? output : std::nullopt;
}

}  // namespace

// Nothing is opened unless standard output is a regular file.
bool is_standard_output(const std::filesystem::path& path) {
  std::error_code missing;
  if (!status_of(1) || !std::filesystem::is_regular_file(path, missing)) return false;
  try {
    return same_as_output(file::open(path).descriptor()).has_value();
  } catch (const error&) {
    return false;
  }
}

bool copy_would_never_end(int input, std::uint64_t position, bool longer) {
  const std::optional<file_status> output = same_as_output(input);
  if (!output) return false;
  const file opened = file::borrow(1, {});
  const std::optional<std::uint64_t> next = longer || opened.appends() ? output->size : opened.position();
  return next && position < *next;
}

}  // namespace riffle::os
