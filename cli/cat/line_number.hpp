/// The number of a line as `cat -n` prints it: at least six columns, and a tab.
#ifndef RIFFLE_CLI_CAT_LINE_NUMBER_HPP
#define RIFFLE_CLI_CAT_LINE_NUMBER_HPP

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace riffle::cli {

/// Counts in decimal digits, so that no number has to be formatted for each line.
class line_number {
 public:
  line_number() { set(1); }

  void set(std::uint64_t number) {
    std::array<char, digits> text{};
    const char* const end = std::to_chars(text.data(), text.data() + digits, number).ptr;
    text_.fill(' ');
    std::copy_backward(static_cast<const char*>(text.data()), end, text_.begin() + digits);
    text_.back() = '\t';
    first_ = std::min(digits - static_cast<std::size_t>(end - text.data()), digits - columns);
  }
  std::string_view text() const { return {text_.data() + first_, text_.size() - first_}; }
  void advance() {
    std::size_t place = digits - 1;
    for (; text_[place] == '9'; --place) text_[place] = '0';
    text_[place] = text_[place] == ' ' ? '1' : static_cast<char>(text_[place] + 1);
    first_ = std::min(first_, place);
  }

 private:
  static constexpr std::size_t digits = 20;  // of 2^64 - 1
  static constexpr std::size_t columns = 6;

  std::array<char, digits + 1> text_{};
  std::size_t first_ = 0;
};

}  // namespace riffle::cli

#endif
