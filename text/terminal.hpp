/// Colour and a progress line, for terminals only.
#ifndef RIFFLE_TEXT_TERMINAL_HPP
#define RIFFLE_TEXT_TERMINAL_HPP

#include <cstdio>
#include <string_view>

namespace riffle::text {

/// Whether the stream is a terminal.
bool on_terminal(std::FILE* stream);
/// Whether the stream is a terminal that shows colours, and
/// NO_COLOR does not forbid them (https://no-color.org).
bool wants_colour(std::FILE* stream);

/// One line on the terminal of standard error that says what runs, written over itself. Writes nothing if
/// standard error is no terminal.
class progress_line {
 public:
  void show(std::string_view text) const;
  void clear() const;

 private:
  bool shown_ = on_terminal(stderr);
};

}  // namespace riffle::text

#endif
