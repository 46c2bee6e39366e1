/// Splits a file by offsets, and finds the records that start in a split.
#include "source/splits.hpp"

#include <riffle/error.hpp>
#include <riffle/scan.hpp>
#include <riffle/splits.hpp>

#include <algorithm>
#include <array>
#include <new>
#include <system_error>
#include <variant>

#include "source/open.hpp"
#include "source/reading.hpp"

namespace riffle::inline v0 {

namespace {

[[noreturn]] void fail_invalid(std::string_view operation, std::string_view name, std::string_view detail) {
  throw error(errc::invalid_argument, operation, name, std::nullopt, detail);
}

std::filesystem::path from_root(const std::filesystem::path& path) {
  std::error_code failure;
  std::filesystem::path whole = os::path_from_root(path, failure);
  if (failure) throw error(failure, "split", os::name_of(path));
  return whole;
}

// Returns the start of the first record at or after `from`; at least `stop` if there is none before `stop`.
// The splits on both sides of an offset get one answer here, so they hold each record once.
std::uint64_t first_record(const os::file& file, std::uint64_t from, std::uint64_t stop,
                           const record_options& records, const read_options& asked) {
  if (from == 0 || from >= stop) return from;
  if (!records.delimiter) {
    const std::uint64_t size = std::max<std::uint64_t>(records.record_size, 1);
    const std::uint64_t missing = (size - from % size) % size;
    return missing < stop - from ? from + missing : stop;
  }
  std::array<char, 16384> bytes;
  std::uint64_t offset = from - 1;  // a delimiter here ends the record before
  while (offset < stop) {
    if (asked.before_block) asked.before_block();
    const std::string_view region(bytes.data(), file.read_at(bytes, offset));
    if (region.empty()) break;
    const std::size_t found = scan::find_byte(region, *records.delimiter);
    if (found != std::string_view::npos) return offset + found + 1;
    offset += region.size();
  }
  return stop;
}

std::string no_longer(std::string_view what, auto then, auto now) {
  return std::string(what)
      .append(" was ")
      .append(std::to_string(then))
      .append(" when it was split, and is ")
      .append(std::to_string(now))
      .append(" now; split it again");
}

}  // namespace

std::optional<std::string> why_unsplittable(const std::filesystem::path& path) {
  std::error_code ignored;  // opening it tells
  switch (std::filesystem::status(path, ignored).type()) {
    case std::filesystem::file_type::fifo:
    case std::filesystem::file_type::socket:
    case std::filesystem::file_type::character:
      return "it can be read only once, by one process; write its bytes to a file first";
    default:
      return std::nullopt;
  }
}

void require_unchanged(const os::file& file, const file_split& split) {
  const os::file_status now = file.status();
  std::string change;
  if (now.size != split.size) {
    change = no_longer("its size", split.size, now.size);
  } else if (split.inode != 0 && now.inode != split.inode) {
    change = no_longer("its inode", split.inode, now.inode);
  } else if (now.modified != split.mtime_ns) {
    change = no_longer("its time of modification", split.mtime_ns, now.modified);
  }
  if (!change.empty()) throw error(errc::changed, "read", file.name(), split.begin, change);
}

void restrict_to(open_file& known, const detail::split_records& part, const read_options& asked) {
  const file_split& split = part.split;
  if (split.begin > split.end || split.end > split.size) {
    fail_invalid("read", known.name(),
                 "bytes " + std::to_string(split.begin) + " to " + std::to_string(split.end) +
                     " are no split of a file of " + std::to_string(split.size) + " bytes");
  }
  require_unchanged(known.file, split);
  known.start = first_record(known.file, split.begin, split.end, part.records, asked);
  known.limit = known.start < split.end ? first_record(known.file, split.end, split.size, part.records, asked)
                                        : known.start;
  known.size = known.limit;
  known.file.set_position(known.start);
  known.part = part;
}

void require_delimiter(const source& opened, char delimiter) {
  const open_file& input = *detail::reading::within(opened).input();
  if (!input.part || input.part->records.delimiter == delimiter) return;
  fail_invalid("read", input.name(),
               "the split was cut at another delimiter; pass the same one to read_split");
}

std::vector<file_split> splits(const input& from, const split_options& options) {
  const auto* const path = std::get_if<std::filesystem::path>(&from.where());
  if (path == nullptr) {
    fail_invalid("split", from.name(), "another process cannot open it; pass the path of a file");
  }
  if (const auto reason = why_unsplittable(*path)) fail_invalid("split", from.name(), *reason);
  const open_file known = open_input(from);
  if (!known.file.seekable()) {
    fail_invalid("split", from.name(), "its file system serves it in order only; copy it first");
  }
  if (known.file.holds_more_than_it_reports()) {
    fail_invalid("split", from.name(), "it has more bytes than it reports; read it as a whole");
  }
  const std::uint64_t length = options.split_size == 0 ? split_options().split_size : options.split_size;
  try {
    const std::uint64_t count = known.size / length + (known.size % length != 0 ? 1 : 0);
    std::vector<file_split> all;
    if (count > all.max_size()) throw std::bad_alloc();
    all.reserve(static_cast<std::size_t>(count));
    file_split next{from_root(*path), 0, 0, known.size, known.modified, known.inode};
    while (next.end < known.size) {
      next.begin = next.end;
      next.end += std::min(length, known.size - next.begin);
      all.push_back(next);
    }
    return all;
  } catch (const std::bad_alloc&) {
    throw error(std::make_error_code(std::errc::not_enough_memory), "split", from.name(), std::nullopt,
                "use a larger split_size");
  }
}

input read_split(const file_split& split, const record_options& records) {
  return input(detail::split_records{split, records});
}

}  // namespace riffle::inline v0
