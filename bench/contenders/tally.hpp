/// The answer of a task over text that comes in pieces.
#ifndef RIFFLE_BENCH_CONTENDERS_TALLY_HPP
#define RIFFLE_BENCH_CONTENDERS_TALLY_HPP

#include <string_view>

#include "bench/contenders/scans.hpp"
#include "bench/data/task.hpp"

namespace riffle::bench {

/// Knows the tasks gc, lines and words.
class tally {
 public:
  explicit tally(task which) : which_(which) {}

  void add(std::string_view bytes) {
    if (bytes.empty()) return;
    if (which_ == task::gc) {
      total_.count += count_gc(bytes);
    } else if (which_ == task::words) {
      words_.add(bytes);
    } else {
      const std::uint64_t lines = open_ ? 1 : 0;
      each_line_by_memchr(bytes, [this](std::string_view line) { total_ += {1, line.size()}; });
      total_.count -= lines;
      open_ = bytes.back() != '\n';
    }
  }
  [[nodiscard]] answer result() const { return which_ == task::words ? answer{words_.count(), 0} : total_; }

 private:
  task which_;
  answer total_;
  word_counter words_;
  bool open_ = false;  // the last piece ended inside a line
};

}  // namespace riffle::bench

#endif
