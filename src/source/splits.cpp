/// Splits a file by offsets, and finds the records that start in a split.
#include "source/source_state.hpp"

#include <riffle/scan.hpp>
#include <riffle/splits.hpp>

#include <algorithm>
#include <array>
#include <new>
#include <system_error>
#include <variant>

#include "decode/decoder.hpp"

namespace riffle::inline v0 {

namespace {

[[noreturn]] void fail_invalid(std::string_view name, std::string_view detail) {
  throw error(errc::invalid_argument, "split", name, std::nullopt, detail);
}

std::filesystem::path from_root(const std::filesystem::path& path) {
  std::error_code failure;
  std::filesystem::path whole = os::path_from_root(path, failure);
  if (failure) throw error(failure, "split", os::name_of(path));
  return whole;
}

// Each split but the last one ends where a member begins, and has `length` bytes or a member more.
std::vector<file_split> split_at_members(file_split next, std::uint64_t length, open_file known) {
  const auto input = std::make_shared<open_file>(std::move(known));
  input_reader compressed(input, decide(*input, {}));
  std::vector<file_split> all;
  std::vector<std::uint64_t> begins = members_of(next.decode, compressed, input->name());
  if (begins.empty()) begins.push_back(next.size);  // it is decoded from its start only
  for (const std::uint64_t begin : begins) {
    if (begin != next.size && begin - next.begin < length) continue;
    next.end = begin;
    all.push_back(next);
    next.begin = begin;
  }
  return all;
}

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
    if (given.watch.before_block) given.watch.before_block();
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

std::vector<file_split> splits(const input& from, const split_options& options) {
  const auto* const path = std::get_if<path_string>(&from.where());
  if (path == nullptr) {
    fail_invalid(from.name(), "another process cannot open it; pass the path of a file");
  }
  if (const auto reason = why_unsplittable(*path)) fail_invalid(from.name(), *reason);
  open_file known = open_input(from);
  if (!known.file.seekable()) {
    fail_invalid(from.name(), "its file system serves it in order only; copy it first");
  }
  if (known.file.holds_more_than_it_reports()) {
    fail_invalid(from.name(), "it has more bytes than it reports; read it as a whole");
  }
  const std::uint64_t length = options.size == 0 ? split_options().size : options.size;
  try {
    file_split next{from_root(*path),
                    0,
                    0,
                    known.size(),
                    known.modified,
                    known.inode,
                    decoder_for(known, {.decode = options.decode})};
    if (next.decode != decoding::none) return split_at_members(std::move(next), length, std::move(known));
    const std::uint64_t count = known.size() / length + (known.size() % length != 0 ? 1 : 0);
    std::vector<file_split> all;
    if (count > all.max_size()) throw std::bad_alloc();
    all.reserve(static_cast<std::size_t>(count));
    while (next.end < known.size()) {
      next.begin = next.end;
      next.end += std::min(length, known.size() - next.begin);
      all.push_back(next);
    }
    return all;
  } catch (const std::bad_alloc&) {
    throw error(std::make_error_code(std::errc::not_enough_memory), "split", from.name(), std::nullopt, {},
                {advice::larger_split_size});
  }
}

input read_split(const file_split& split, const record_options& records) {
  return input(detail::split_records{split, records});
}

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

void require_record_size(const record_options& records, const std::string& name,
                         std::optional<std::uint64_t> offset) {
  if (records.record_size == 1 || (records.record_size != 0 && !records.delimiter)) return;
  throw error(
      errc::invalid_argument, "read", name, offset,
      "record_size is " + std::to_string(records.record_size) +
          (records.record_size == 0
               ? "; a record has 1 byte at least"
               : ", and there is a delimiter; set that to std::nullopt (-1 in C), or leave the size out"));
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
