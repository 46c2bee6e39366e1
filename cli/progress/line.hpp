/// The line on the terminal of standard error that tells how far a command is.
#ifndef RIFFLE_CLI_PROGRESS_LINE_HPP
#define RIFFLE_CLI_PROGRESS_LINE_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace riffle::cli {

/// How far a command is.
struct progress_facts {
  std::uint64_t bytes = 0;             // read so far
  std::optional<std::uint64_t> total;  // of all inputs, if it is known
  double rate = 0;                     // bytes a second, of late
};

/// "1.2 GiB of 4.0 GiB (30 %), 512.0 MiB/s, 0:05 left" in at most so many columns: without its last parts, if
/// they are too few.
std::string progress_text(const progress_facts& facts, std::size_t columns);

/// The line itself. One thread shows it; whoever writes to the terminal clears it first.
class progress_line {
 public:
  /// Allows the line if standard error is a terminal that can go back in a line (TERM is not "dumb"), and, if
  /// the command `copies` its input to standard output, that is none. Returns whether it is allowed. Call it
  /// before there are threads.
  bool allow(bool copies);
  void forbid();

  /// Replaces the line by one that is as wide as the terminal at most. Nothing if it may not be written now.
  void show(const progress_facts& facts);
  /// Removes it, and what the terminal shows for Ctrl-C. Nothing if another thread writes for long.
  void clear_at_end();

  /// Clears the line, and keeps it away while it exists. It does nothing if `stream` is no terminal.
  class pause {
   public:
    /// `stream` is stdout or stderr.
    explicit pause(const std::FILE* stream);

   private:
    void begin();
    std::unique_lock<std::mutex> lock_;
  };

 private:
  void clear();

  std::atomic<bool> allowed_ = false;
  std::atomic<bool> beside_rows_ = false;  // standard output is a terminal too
  std::mutex mutex_;
  std::size_t columns_ = 0;  // that the line takes now
};

/// There is one terminal.
inline progress_line the_progress_line;

inline progress_line::pause::pause(const std::FILE* stream) {
  const progress_line& line = the_progress_line;
  if ((stream == stdout ? line.beside_rows_ : line.allowed_).load(std::memory_order_relaxed)) begin();
}

}  // namespace riffle::cli

#endif
