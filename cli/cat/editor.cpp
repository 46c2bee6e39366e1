/// What a piece cuts is a flag: whether a line has begun, and whether a '\r' may be its end.
#include "cli/cat/editor.hpp"

#include <riffle/lines.hpp>

#include <algorithm>
#include <array>

namespace riffle::cli {

void line_editor::start_at(std::uint64_t number) {
  if (given_.number) number_.set(number);
  at_start_ = true;
}

void line_editor::add(std::string_view piece) {
  if (!given_.edits()) return out_.add(piece);
  if (!given_.number && !given_.strip_cr) return replace(piece);
  const line_options options{.delimiter = given_.delimiter, .keep_delimiter = true};
  for_each(riffle::lines(memory(piece), options), [&](std::string_view part) { add_part(part); });
}

void line_editor::end_input() {
  cr_waits_ = false;
  if (!given_.strip_cr || at_start_) return;
  out_.add(given_.ending());
  at_start_ = true;
}

// `part` is a line, or a part of one, with its delimiter.
void line_editor::add_part(std::string_view part) {
  const bool ends = part.back() == given_.delimiter;
  if (ends) part.remove_suffix(1);
  if (at_start_ && given_.number) {
    out_.add(number_.text());
    number_.advance();
  }
  if (cr_waits_ && !part.empty()) out_.add('\r');
  cr_waits_ = given_.strip_cr && part.ends_with('\r');
  if (cr_waits_) part.remove_suffix(1);
  out_.add(part);
  at_start_ = ends;
  if (!ends) return;
  cr_waits_ = false;
  out_.add(given_.ending());
}

// The compiler makes this a loop over vectors: nothing in it may be a part of what the bytes could alias.
void line_editor::replace(std::string_view piece) {
  const char from = given_.delimiter;
  const char to = given_.ending();
  std::array<char, 16384> replaced;
  while (!piece.empty()) {
    const std::size_t size = std::min(piece.size(), replaced.size());
    const char* const bytes = piece.data();
    for (std::size_t i = 0; i != size; ++i) replaced[i] = bytes[i] == from ? to : bytes[i];
    out_.add({replaced.data(), size});
    piece.remove_prefix(size);
  }
}

}  // namespace riffle::cli
