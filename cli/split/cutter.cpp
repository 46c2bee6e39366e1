/// Lines are counted, or looked for where a file has to end, and not gone through one by one.
#include "cli/split/cutter.hpp"

#include <riffle/scan.hpp>

#include <algorithm>

#include "cli/cat/span.hpp"

namespace riffle::cli {

std::uint64_t equal_parts::end_of(std::uint64_t index) const noexcept {
  const std::uint64_t parts = index + 1;
  return start_ + size_ / number_ * parts + std::min(parts, size_ % number_);
}

line_cutter::taken line_cutter::take(std::string_view piece, bool ended) {
  const taken next = given_.number != 0       ? by_number(piece)
                     : given_.line_bytes != 0 ? by_size(piece, ended)
                                              : by_lines(piece);
  offset_ += next.size;
  size_ += next.size;
  searched_ = next.size == 0 && !next.file_ends ? piece.size() : 0;
  if (next.size != 0) whole_lines_ = piece[next.size - 1] == given_.delimiter;
  if (next.file_ends) {
    size_ = lines_ = 0;
    whole_lines_ = false;
    ++file_;
  }
  return next;
}

line_cutter::taken line_cutter::by_lines(std::string_view piece) {
  const passed_lines passed = pass_lines(piece, given_.delimiter, given_.lines - lines_);
  lines_ += passed.lines;
  return {passed.size, lines_ == given_.lines};
}

// As GNU split: a file ends after the last line that ends in it. If none does, it is full.
line_cutter::taken line_cutter::by_size(std::string_view piece, bool ended) const {
  const bool fills = piece.size() >= room_ - size_;
  if (fills) piece = piece.substr(0, static_cast<std::size_t>(room_ - size_));
  if (!fills && ended) return {piece.size(), false};
  const std::size_t last = piece.substr(std::min(searched_, piece.size())).rfind(given_.delimiter);
  if (last != std::string_view::npos) return {searched_ + last + 1, fills};
  return {whole_lines_ ? 0 : piece.size(), fills};
}

// A line belongs to the part in which it starts.
line_cutter::taken line_cutter::by_number(std::string_view piece) const {
  const std::uint64_t end = parts_.end_of(file_);
  if (file_ + 1 == given_.number) return {piece.size(), false};
  if (size_ == 0 && offset_ >= end) return {0, true};
  const std::uint64_t searched = std::max(end, offset_ + 1) - 1 - offset_;
  if (searched >= piece.size()) return {piece.size(), false};
  const std::size_t last = scan::find_byte(piece, given_.delimiter, static_cast<std::size_t>(searched));
  return last < piece.size() ? taken{last + 1, true} : taken{piece.size(), false};
}

}  // namespace riffle::cli
