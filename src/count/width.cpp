/// Measures the lines that could be the widest.
#include "count/width.hpp"

namespace riffle::inline v0 {

namespace {

// Bytes that are measured from the start of a line that could be the widest, as such lines are seldom alone.
constexpr std::size_t least_measured = 1024;

}  // namespace

column_rules::column_rules(const text_rules& rules) : rules_(rules) {
  byte_set ones = rules.printable;
  const bool utf8 = rules.encoding == encoding::utf8;
  if (utf8) {
    for (unsigned byte = 0x80; byte != 0xC0; ++byte) ones.add(static_cast<char>(byte));
    for (char32_t character = 0x80; character != 0x800; ++character) {
      if (columns_of(rules, character) > 1) ones.add(static_cast<char>(0xC0U | character >> 6U));
    }
  }
  bounds_ = {kernel::plan(ones), utf8};
  for (unsigned byte = 0; byte != columns_.size(); ++byte) {
    columns_[byte] = rules.printable.contains(static_cast<char>(byte)) ? 1 : 0;
    if (utf8 && byte >= 0xC2) columns_[byte] = other;
  }
  for (const char byte : {'\n', '\f', '\r', '\t'}) columns_[static_cast<unsigned char>(byte)] = other;
}

// Continuations take no column, so none is left out after the first byte of its character.
void column_rules::measure(std::string_view text, line_widths& lines) const {
  const char* at = text.data();
  const char* const end = at + text.size();
  const auto columns = [this](char byte) { return columns_[static_cast<unsigned char>(byte)]; };
  for (;; ++at) {
    std::uint64_t known = 0;
    while (at != end && columns(*at) != other) known += columns(*at++);
    lines.add_columns(known);
    if (at == end) return;
    if (!lines.add_control(*at)) lines.add_columns(columns_of(rules_, decode_utf8(rules_, {at, end}).value));
  }
}

// The first and the last line of the piece may go on in others.
void line_measure::take(std::string_view piece) {
  const std::size_t first = scan::find_byte(piece, '\n');
  if (first == std::string_view::npos) return rules_.measure(piece, lines_);
  rules_.measure(piece.substr(0, first + 1), lines_);
  piece.remove_prefix(first + 1);
  for (;;) {
    const std::size_t wide =
        kernel::active().find_wide_line(piece.data(), piece.size(), rules_.bounds(), lines_.widest_inside());
    if (wide == piece.size()) break;
    piece.remove_prefix(piece.rfind('\n', wide - 1) + 1);
    const std::size_t end = piece.find('\n', least_measured);
    if (end == std::string_view::npos) return rules_.measure(piece, lines_);
    rules_.measure(piece.substr(0, end + 1), lines_);
    piece.remove_prefix(end + 1);
  }
  rules_.measure(piece.substr(piece.rfind('\n') + 1), lines_);
}

}  // namespace riffle::inline v0
