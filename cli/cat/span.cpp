/// Lines are counted by the SIMD kernel, so most of an input is never looked at line by line.
#include "cli/cat/span.hpp"

#include <riffle/scan.hpp>

#include <algorithm>

#include "text/typed.hpp"

namespace riffle::cli {

namespace {

constexpr std::uint64_t step_back = 256 * text::kib;

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

}  // namespace riffle::cli
