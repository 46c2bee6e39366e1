/// The sequences of FASTA by a plain loop over lines. For the tests and a fuzz target.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/count/sequences.hpp"
#include "tests/support/oracles.hpp"

namespace riffle::test {

/// Where text stands before the first '>' of a line, or a CR behind it without an LF; the last byte may be
/// one.
inline std::optional<std::uint64_t> first_error_of_fasta(std::string_view text) {
  const std::size_t first = text.find_first_not_of("\r\n");
  if (first == std::string_view::npos) return std::nullopt;
  const bool header = text[first] == '>' && (first == 0 || text[first - 1] == '\n');
  if (!header) return first;
  for (std::size_t i = first; i + 1 < text.size(); ++i) {
    if (text[i] == '\r' && text[i + 1] != '\n') return i;
  }
  return std::nullopt;
}

/// All sequences of a text without an error.
inline std::vector<cli::sequence> naive_sequences(std::string_view text) {
  std::vector<cli::sequence> all;
  for (const std::string& line : naive_lines(text, {.strip_cr = true})) {
    if (line.starts_with('>')) {
      const std::size_t name = std::min(line.find_first_not_of(" \t\v\f\r", 1), line.size());
      all.push_back({.name = line.substr(name, line.find_first_of(" \t\v\f\r", name) - name)});
    } else if (!all.empty()) {
      all.back().length += line.size();
      for (const char base : line) {
        const std::size_t which = cli::bases.find(base >= 'a' ? static_cast<char>(base - 'a' + 'A') : base);
        if (which != std::string_view::npos) ++all.back().counts[which];
      }
    }
  }
  return all;
}

}  // namespace riffle::test
