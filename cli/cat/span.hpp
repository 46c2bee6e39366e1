/// The last lines of an input, and how they are found by counting delimiters.
#pragma once

#include <riffle/source.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "cli/chosen.hpp"

namespace riffle::cli {

/// Returns the offset of the last `lines` lines (1 or more) before the offset `end`, reading blocks from
/// there backwards; the start of the source if it has no more lines; nothing if the input ends before `end`.
/// The source must be seekable, stand before `end`, and it stands anywhere afterwards. Throws what the source
/// throws.
std::optional<std::uint64_t> start_of_last(source& from, std::uint64_t end, std::uint64_t lines,
                                           char delimiter);

/// Keeps the last lines of what it is given, and less than a block more.
class last_lines {
 public:
  last_lines(std::uint64_t wanted, char delimiter) : wanted_(wanted), delimiter_(delimiter) {}

  void add(std::string_view piece);
  /// Drops what is before the last lines, when all pieces were added. Returns the number of the first line
  /// that is left.
  std::uint64_t finish();
  /// What is left, in order.
  const std::deque<std::string>& parts() const { return parts_; }

 private:
  std::uint64_t wanted_;
  char delimiter_;
  std::deque<std::string> parts_ = {};
  std::deque<std::uint64_t> ends_ = {};  // the delimiters of each part
  std::uint64_t kept_ = 0;               // their sum
  std::uint64_t dropped_ = 0;            // the delimiters of parts that were dropped
};

}  // namespace riffle::cli
