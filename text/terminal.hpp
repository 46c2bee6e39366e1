/// Colour and a progress line, for terminals only.
#pragma once

#include <cstdio>
#include <optional>
#include <string_view>

namespace riffle::text {

/// Whether the stream is a terminal that shows colours, and
/// NO_COLOR does not forbid them (https://no-color.org).
bool wants_colour(std::FILE* stream);

/// Whether progress is shown: only on a terminal of standard error that can go back in a line, as TERM is not
/// "dumb". Unless it was `asked` for or refused, not if standard output is a pipe: the program that reads it
/// may write to the same terminal. Nor if it is a terminal to which the command `writes_as_it_reads`.
bool shows_progress(std::optional<bool> asked, bool writes_as_it_reads = false);

/// One line on the terminal of standard error that says what runs, written over itself. Writes nothing if
/// there is no progress to show.
class progress_line {
 public:
  /// As `shows_progress`.
  explicit progress_line(std::optional<bool> asked) : shown_(shows_progress(asked)) {}

  void show(std::string_view text) const;
  void clear() const;

 private:
  bool shown_;
};

}  // namespace riffle::text
