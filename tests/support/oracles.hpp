/// Records by plain loops over the bytes, to hold those of riffle against. For the tests and the fuzz
/// targets.
#ifndef RIFFLE_TESTS_SUPPORT_ORACLES_HPP
#define RIFFLE_TESTS_SUPPORT_ORACLES_HPP

#include <riffle/options.hpp>

#include <cstddef>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace riffle::test {

/// Lines by a plain loop over the bytes. Knows no `max_length`.
inline std::vector<std::string> naive_lines(std::string_view text, const line_options& options = {}) {
  std::vector<std::string> lines;
  std::string line;
  const auto end_line = [&](bool delimited) {
    if (options.keep_delimiter && delimited) line += options.delimiter;
    if (!options.keep_delimiter && options.strip_cr && !line.empty() && line.back() == '\r') line.pop_back();
    lines.push_back(std::exchange(line, {}));
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == options.delimiter) {
      end_line(true);
    } else {
      line += text[i];
      if (i + 1 == text.size()) end_line(false);
    }
  }
  return lines;
}

/// Words by a plain loop over the bytes.
inline std::vector<std::string> naive_words(std::string_view text) {
  std::vector<std::string> words;
  bool inside = false;
  for (const char byte : text) {
    const bool white = byte == ' ' || (byte >= '\t' && byte <= '\r');
    if (!white && !inside) words.emplace_back();
    if (!white) words.back() += byte;
    inside = !white;
  }
  return words;
}

/// Random bytes out of `alphabet`, the same for the same seed; any bytes at all without one.
inline std::string random_text(std::size_t size, unsigned seed, std::string_view alphabet = {}) {
  std::mt19937 random(seed);
  std::string text(size, '\0');
  for (char& byte : text) {
    byte = alphabet.empty() ? static_cast<char>(random() & 0xFFU) : alphabet[random() % alphabet.size()];
  }
  return text;
}

}  // namespace riffle::test

#endif
