/// Why this file exists: a long measurement says what it does, and leaves nothing of that behind.
#ifndef RIFFLE_CLI_PROGRESS_LINE_HPP
#define RIFFLE_CLI_PROGRESS_LINE_HPP

#include <fmt/format.h>

#include <cstdio>
#include <iostream>
#include <string_view>

#include "bench/machine.hpp"

namespace riffle::cli {

/// One line on the terminal that says what runs, written over itself.
class progress_line {
 public:
  void show(std::string_view text) const {
    if (shown_) std::cerr << '\r' << fmt::format("{:<79.79}", text) << std::flush;
  }
  void clear() const {
    if (shown_) std::cerr << '\r' << fmt::format("{:79}", "") << '\r' << std::flush;
  }

 private:
  bool shown_ = bench::on_terminal(stderr);
};

}  // namespace riffle::cli

#endif
