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

bool is_ascii(char byte) {
  return static_cast<unsigned char>(byte) < 0x80;
}

// Takes the characters of UTF-8 at `place` up to the next byte of ASCII. Returns its place.
std::size_t take_wide(line_widths& widths, std::string_view part, std::size_t place) {
  std::uint64_t columns = 0;
  while (place < part.size() && !is_ascii(part[place])) {
    const decoded next = decode_utf8(part.substr(place, longest_utf8));
    if (next.size != 0) columns += width_of(next.character);
    place += std::max<std::size_t>(next.size, 1);
  }
  widths.add_columns(columns);
  return place;
}

// Takes the byte at `place`, which takes no column, or what starts there. Returns the place behind.
std::size_t take(line_widths& widths, std::string_view part, std::size_t place, encoding encoding) {
  const char byte = part[place];
  if (encoding == encoding::utf8 && !is_ascii(byte)) return take_wide(widths, part, place);
  widths.add_control(byte);
  return place + 1;
}

// The bits of the places from `at` on, in a mask whose first bit is for `base`.
std::uint64_t bits_from(std::size_t at, std::size_t base) {
  if (at <= base) return ~std::uint64_t{0};
  return at - base < 64 ? ~std::uint64_t{0} << (at - base) : 0;
}

}  // namespace

line_widths widths_of(std::string_view part, const text_rules& rules) {
  const byte_set others = not_in(rules.printable);
  line_widths widths;
  // A batch is a piece of `part_counter`: each finds the plan of the set of bytes anew, in half a
  // microsecond.
  std::array<std::uint64_t, 256> masks;
  std::array<std::uint64_t, 256> newlines;
  constexpr std::size_t batch = masks.size() * 64;
  std::size_t at = 0;         // what lies before was taken
  bool at_start = false;      // of a line, behind the end of another
  std::uint64_t longest = 0;  // of the lines that all bytes but the newline take a column of
  for (std::size_t start = 0; start < part.size(); start += batch) {
    const std::string_view scanned = part.substr(start, batch);
    scan::match_any_of(scanned, others, masks);
    scan::match_byte(scanned, '\n', newlines);
    for (std::size_t i = 0; i < scan::mask_words(scanned.size()); ++i) {
      const std::size_t base = start + i * 64;
      // A line that starts and ends in 64 bytes is no longer than the longest.
      if (at_start && masks[i] == newlines[i] && longest >= 64) {
        if (masks[i] == 0) continue;
        const std::size_t first = base + static_cast<std::size_t>(std::countr_zero(masks[i]));
        longest = std::max<std::uint64_t>(longest, first - at);
        at = base + 64 - static_cast<std::size_t>(std::countl_zero(masks[i]));
        continue;
      }
      for (std::uint64_t left = masks[i] & bits_from(at, base); left != 0; left &= bits_from(at, base)) {
        const std::size_t place = base + static_cast<std::size_t>(std::countr_zero(left));
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
