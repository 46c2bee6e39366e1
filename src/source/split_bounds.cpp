/// Finds the records that start in a split, and holds the file against what it was when it was split.
#include "source/split_bounds.hpp"

#include <riffle/error.hpp>
#include <riffle/scan.hpp>

#include <algorithm>
#include <array>

#include "decode/format_of_input.hpp"

namespace riffle::inline v0 {

namespace {

// Returns the start of the first record at or after `from`; at least `stop` if there is none before `stop`.
// The splits on both sides of an offset get one answer here, so they hold each record once.
std::uint64_t first_record(const os::file& file, std::uint64_t from, std::uint64_t stop,
                           const record_options& records, const read_options& given) {
  if (from == 0 || from >= stop) return from;
  if (!records.delimiter) {
    const std::uint64_t size = records.record_size;
    const std::uint64_t missing = (size - from % size) % size;
    return missing < stop - from ? from + missing : stop;
  }
  std::array<char, 16384> bytes;
  std::uint64_t offset = from - 1;  // a delimiter here ends the record before
  while (offset < stop) {
    if (given.before_block) given.before_block();
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

void require_split_of(const open_file& known, const file_split& split) {
  if (split.begin > split.end || split.end > split.size) {
    throw error(errc::invalid_argument, "read", known.name(), std::nullopt,
                "bytes " + std::to_string(split.begin) + " to " + std::to_string(split.end) +
                    " are no split of a file of " + std::to_string(split.size) + " bytes");
  }
  require_unchanged(known.file, split);
}

// Lets every method read from `start` on: what reads by the position of the descriptor, too.
void begin_at(open_file& known, std::uint64_t start) {
  known.start = start;
  known.file.set_position(start);
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

void restrict_to(open_file& known, const detail::split_records& part, const read_options& given) {
  const file_split& split = part.split;
  require_split_of(known, split);
  begin_at(known, first_record(known.file, split.begin, split.end, part.records, given));
  known.limit = known.start < split.end ? first_record(known.file, split.end, split.size, part.records, given)
                                        : known.start;
  known.reported_size = known.limit;
}

void restrict_to_members(open_file& known, const detail::split_records& part) {
  require_split_of(known, part.split);
  if (!part.records.delimiter && !is_whole(part.split)) {
    throw error(
        errc::invalid_argument, "read", known.name(), part.split.begin,
        "records of a fixed size cannot be found in a split of a compressed file; read it as a whole");
  }
  begin_at(known, part.split.begin);
}

}  // namespace riffle::inline v0
