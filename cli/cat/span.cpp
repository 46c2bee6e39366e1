/// Lines are counted by the SIMD kernel, so most of an input is never looked at line by line.
#include "cli/cat/span.hpp"

#include <riffle/scan.hpp>

#include <algorithm>

#include "text/typed.hpp"

namespace riffle::cli {

namespace {

constexpr std::uint64_t step_back = 256 * text::kib;

// Smaller pieces are joined, as a pipe may give a few bytes at a time.
constexpr std::size_t joined = 64 * text::kib;

// Passes `wanted` delimiters of the input between two offsets.
passed_lines pass_lines_of(source& from, std::uint64_t begin, std::uint64_t end, char delimiter,
                           std::uint64_t wanted) {
  passed_lines all{0, 0};
  from.seek(begin);
  while (begin + all.size != end && all.lines != wanted) {
    const std::string_view block = from.next().bytes;
    const std::uint64_t left = std::min<std::uint64_t>(block.size(), end - begin - all.size);
    const std::string_view bytes = block.substr(0, static_cast<std::size_t>(left));
    const passed_lines passed = pass_lines(bytes, delimiter, wanted - all.lines);
    if (bytes.empty()) break;
    all = {all.size + passed.size, all.lines + passed.lines};
  }
  return all;
}

}  // namespace

std::optional<std::uint64_t> start_of_last(source& from, std::uint64_t end, std::uint64_t lines,
                                           char delimiter) {
  // The last byte ends the last line or belongs to it.
  for (std::uint64_t stop = end - 1; stop != from.start();) {
    const std::uint64_t begin = stop - std::min(step_back, stop - from.start());
    const passed_lines all = pass_lines_of(from, begin, stop, delimiter, all_lines);
    if (all.size != stop - begin) return std::nullopt;
    if (all.lines >= lines) {
      return begin + pass_lines_of(from, begin, stop, delimiter, all.lines - lines + 1).size;
    }
    lines -= all.lines;
    stop = begin;
  }
  return from.start();
}

void last_lines::add(std::string_view piece) {
  if (parts_.empty() || parts_.back().size() + piece.size() > joined) {
    parts_.emplace_back();
    ends_.push_back(0);
  }
  const std::uint64_t lines = scan::count_byte(piece, delimiter_);
  parts_.back() += piece;
  ends_.back() += lines;
  kept_ += lines;
  // More than `wanted_` must stay, as the delimiter before the last lines is one of them.
  while (kept_ - ends_.front() > wanted_) {
    kept_ -= ends_.front();
    dropped_ += ends_.front();
    parts_.pop_front();
    ends_.pop_front();
  }
}

std::uint64_t last_lines::finish() {
  const bool unfinished = !parts_.empty() && parts_.back().back() != delimiter_;
  const std::uint64_t lines = kept_ + (unfinished ? 1 : 0);
  std::uint64_t surplus = lines - std::min(lines, wanted_);
  const std::uint64_t first = dropped_ + surplus + 1;
  while (surplus != 0) {
    const passed_lines passed = pass_lines(parts_.front(), delimiter_, surplus);
    surplus -= passed.lines;
    parts_.front().erase(0, passed.size);
    if (surplus != 0) parts_.pop_front();
  }
  return first;
}

}  // namespace riffle::cli
