/// What the command line asked of `riffle split`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "cli/rows/fields.hpp"

namespace riffle::cli {

/// The options of `split` beside those of reading. Of the three that say where a file ends, one is set.
struct split_arguments : field_arguments {
  std::uint64_t lines = 1000;      // in a file; 0: not by lines
  std::uint64_t line_bytes = 0;    // in a file, at most; 0: not by size
  std::uint64_t number = 0;        // of files; 0: not by number
  const char* ended_by = nullptr;  // the name of the option that was given
  char delimiter = '\n';
  bool header = false;
  std::size_t suffix_length = 0;  // 0: it grows
  bool numeric = false;
  std::string suffix = {};  // after the one that counts
  bool dry_run = false;
  std::string prefix = "x";

  /// Whether rows of CSV are kept whole, and not lines.
  bool by_rows() const { return named_dialect != nullptr; }
};

}  // namespace riffle::cli
