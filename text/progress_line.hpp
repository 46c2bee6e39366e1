/// A long measurement says what it does, and leaves nothing of that behind.
#ifndef RIFFLE_TEXT_PROGRESS_LINE_HPP
#define RIFFLE_TEXT_PROGRESS_LINE_HPP

#include <cstdio>
#include <iostream>
#include <string>
#include <string_view>

#include "bench/host/machine.hpp"
#include "text/columns.hpp"

namespace riffle::cli {

/// One line on the terminal that says what runs, written over itself.
class progress_line {
 public:
  void show(std::string_view text) const {
    if (shown_) std::cerr << '\r' << line_of(bench::shortened(bench::printable(text), width)) << std::flush;
  }
  void clear() const {
    if (shown_) std::cerr << '\r' << line_of("") << '\r' << std::flush;
  }

 private:
  static constexpr std::size_t width = bench::terminal_columns - 1;  // in the last one some terminals wrap
  static std::string line_of(std::string_view text) { return bench::left_aligned(text, width); }

  bool shown_ = bench::on_terminal(stderr);
};

}  // namespace riffle::cli

#endif
