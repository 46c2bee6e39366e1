/// Splits a file by offsets.
#include <riffle/error.hpp>
#include <riffle/splits.hpp>

#include <algorithm>
#include <new>
#include <system_error>
#include <variant>

#include "decode/format_of_input.hpp"
#include "source/input_reader.hpp"
#include "source/open.hpp"
#include "source/plan.hpp"
#include "source/split_bounds.hpp"

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
  const std::uint64_t length = options.split_size == 0 ? split_options().split_size : options.split_size;
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

}  // namespace riffle::inline v0
