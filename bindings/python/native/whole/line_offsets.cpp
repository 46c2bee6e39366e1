/// Finds the offsets of all lines, by splits that may be cut anywhere, and reads single lines.
#include <riffle/detail/place_scan.hpp>
#include <riffle/error.hpp>
#include <riffle/parallel.hpp>

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "bindings/python/native/whole/line_index.hpp"
#include "source/source_state.hpp"

namespace riffle::python {

namespace {

using offset_array = growing_array<std::uint64_t>;

// Returns the offset after each delimiter: those of the next lines.
offset_array ends_of_lines(const block& split, char delimiter) {
  offset_array ends;
  detail::place_scan<detail::match_delimiter> scan(detail::match_delimiter{delimiter});
  scan.start(split.bytes);
  for (detail::place_cursor at = scan.resume(split.data()); scan.more(at);) {
    const char* const found = scan.take(at);
    ends.push_back(split.offset + static_cast<std::uint64_t>(found - split.data()) + 1);
  }
  return ends;
}

// Returns the number of lines to make room for, if there are `lines` in the first `done` of `size` bytes. The
// size is a hint, so the number is bounded.
std::size_t expected(std::size_t lines, std::uint64_t done, std::uint64_t size) {
  constexpr double most = 64;
  const double all = 1.05 * static_cast<double>(size) / static_cast<double>(done);
  return static_cast<std::size_t>(static_cast<double>(lines) * std::clamp(all, 1.0, most));
}

}  // namespace

line_offsets::line_offsets(const input& from, const line_options& options, unsigned threads,
                           const read_options& reading)
    : keep_(options.keep_delimiter) {
  source opened(from, reading);
  const detail::source_state& state = detail::source_state::of(opened);
  const open_file& file = *state.input();
  name_ = opened.name();
  seekable_ = opened.seekable();
  decoded_ = state.how().decoder != decoding::none;
  in_memory_ = seekable_ && file.kind() == input_kind::memory;
  memory_ = file.memory;
  if (seekable_ && !in_memory_) {
    file_ = file.file.duplicate();
    indexed_ = file_.status();
  }
  struct part {
    offset_array ends;
    std::uint64_t end;
  };
  const auto map = [&](const block& split) {
    return part{ends_of_lines(split, options.delimiter), split.offset + split.size()};
  };
  const std::uint64_t start = opened.start();
  const std::uint64_t size = std::max(opened.size_hint(), start);
  const auto combine = [&](std::uint64_t, const part& added) {
    const std::size_t lines = offsets_.size() + added.ends.size();
    if (lines > offsets_.capacity()) offsets_.reserve(expected(lines, added.end - start, size - start));
    offsets_.append({added.ends.data(), added.ends.size()});
    return added.end;
  };
  std::uint64_t end = start;
  offsets_.push_back(end);
  parallel_reduce_into(end, std::move(opened), map, combine, {.threads = threads, .delimiter = std::nullopt});
  last_ends_ = offset_of(lines()) == end;
  if (!last_ends_) offsets_.push_back(end);
  offsets_.shrink();
}

std::size_t line_offsets::size(std::size_t line) const noexcept {
  const bool ends = line + 1 != lines() || last_ends_;
  return static_cast<std::size_t>(offset_of(line + 1) - offset_of(line)) - (ends && !keep_ ? 1 : 0);
}

std::size_t line_offsets::end_of_part(std::size_t line, std::size_t last, std::size_t size) const noexcept {
  const std::span all(offsets_.data(), offsets_.size());
  const auto behind = std::ranges::upper_bound(all.subspan(line + 1, last - line), offset_of(line) + size);
  return std::max(static_cast<std::size_t>(behind - all.begin()) - 1, line + 1);
}

void line_offsets::read(std::uint64_t offset, std::span<char> to) const {
  if (in_memory_) {
    std::ranges::copy(memory_.substr(static_cast<std::size_t>(offset), to.size()), to.begin());
    return;
  }
  if (!seekable_) {
    throw error(std::make_error_code(std::errc::invalid_seek), "read a line of", name_, offset,
                decoded_
                    ? "its offsets are those of the decoded bytes; decompress it first, and index the result"
                    : "index a path or bytes to get its lines");
  }
  std::span<char> left = to;
  while (!left.empty()) {
    const std::size_t count = file_.read_at(left, offset + to.size() - left.size());
    if (count == 0) break;
    left = left.subspan(count);
  }
  const os::file_status now = file_.status();  // after the reading, which a change may have met
  if (left.empty() && now.size == indexed_.size && now.modified == indexed_.modified) return;
  throw error(std::make_error_code(std::errc::io_error), "read a line of", name_, offset,
              "the file changed; index it again");
}

}  // namespace riffle::python
