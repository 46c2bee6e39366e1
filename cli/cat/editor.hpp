/// Writes lines with numbers, without a '\r' at their end, or with another delimiter.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "cli/cat/arguments.hpp"
#include "cli/cat/output.hpp"

namespace riffle::cli {

/// The number of a line as `cat -n` prints it: at least six columns, and a tab. Counts in decimal digits, so
/// that no number has to be formatted for each line.
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

/// Takes inputs in pieces that may be cut anywhere, and keeps none of their bytes.
class line_editor {
 public:
  line_editor(const cat_arguments& given, cat_output& out) : given_(given), out_(out) {}

  /// Numbers the next line by `number`. Without this call, numbers run through all inputs, and a line may run
  /// from one input into the next, as `cat -n` does it.
  void start_at(std::uint64_t number);
  /// Writes the next piece of the input. Throws output_lost.
  void add(std::string_view piece);
  /// Ends an input. Throws output_lost.
  void end_input();

 private:
  void add_part(std::string_view part);
  void replace(std::string_view piece);

  const cat_arguments& given_;
  cat_output& out_;
  line_number number_;
  bool at_start_ = true;   // of a line
  bool cr_waits_ = false;  // a '\r' was read, and is dropped if the line ends here
};

}  // namespace riffle::cli
