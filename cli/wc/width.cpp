/// Measures lines: SIMD masks lead from each byte that does not simply take a column to the next.
#include "cli/wc/width.hpp"

#include <riffle/scan.hpp>

#include <array>
#include <bit>

namespace riffle::cli {

namespace {

byte_set not_in(const byte_set& set) {
  byte_set others;
  for (unsigned byte = 0; byte < 256; ++byte) {
    if (!set.contains(static_cast<char>(byte))) others.add(static_cast<char>(byte));
  }
  return others;
}

// Takes the byte at `place`, and those behind it that belong to the same character. Returns the place behind.
std::size_t take(line_widths& widths, std::string_view part, std::size_t place, encoding encoding) {
  const char byte = part[place];
  if (byte == '\n' || byte == '\r' || byte == '\f') {
    widths.end_line();
  } else if (byte == '\t') {
    widths.add_tab();
  } else if (encoding == encoding::utf8 && static_cast<unsigned char>(byte) >= 0x80) {
    const decoded next = decode_utf8(part.substr(place, longest_utf8));
    if (next.size == 0) return place + 1;
    widths.add_columns(width_of(next.character));
    return place + next.size;
  }
  return place + 1;
}

}  // namespace

line_widths widths_of(std::string_view part, const text_rules& rules) {
  const byte_set others = not_in(rules.printable);
  line_widths widths;
  std::array<std::uint64_t, 64> masks;
  constexpr std::size_t batch = masks.size() * 64;
  std::size_t at = 0;         // what lies before was taken
  bool at_start = false;      // of a line, behind the end of another
  std::uint64_t longest = 0;  // of the lines that all bytes but the newline take a column of
  for (std::size_t start = 0; start < part.size(); start += batch) {
    const std::string_view scanned = part.substr(start, batch);
    scan::match_any_of(scanned, others, masks);
    for (std::size_t i = 0; i < scan::mask_words(scanned.size()); ++i) {
      for (std::uint64_t left = masks[i]; left != 0; left &= left - 1) {
        const std::size_t place = start + i * 64 + static_cast<std::size_t>(std::countr_zero(left));
        if (place < at) continue;
        const bool newline = part[place] == '\n';
        if (newline && at_start) {
          longest = std::max<std::uint64_t>(longest, place - at);
          at = place + 1;
          continue;
        }
        widths.add_columns(place - at);
        at = take(widths, part, place, rules.encoding);
        at_start = newline;
      }
    }
  }
  if (at < part.size()) widths.add_columns(part.size() - at);
  widths.add_line(longest);
  return widths;
}

}  // namespace riffle::cli
