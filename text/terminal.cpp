/// Writes a progress line as wide as a table, or as the terminal if that is narrower.
#include "text/terminal.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "text/columns.hpp"
#include "text/os/terminal.hpp"

namespace riffle::text {

namespace {

// Some terminals wrap in the last column.
std::size_t width() noexcept {
  return std::min(widest_line, std::max(os::columns_of_terminal(stderr), std::size_t{2})) - 1;
}

bool is_dumb() {
  const char* const terminal = std::getenv("TERM");
  return terminal != nullptr && std::string_view(terminal) == "dumb";
}

}  // namespace

bool wants_colour(std::FILE* stream) {
  const char* const refused = std::getenv("NO_COLOR");
  return (refused == nullptr || *refused == '\0') && os::is_terminal(stream) && !is_dumb();
}

bool shows_progress(std::optional<bool> asked, bool writes_as_it_reads) {
  if (!os::is_terminal(stderr) || is_dumb()) return false;
  return asked.value_or(!os::is_pipe(stdout) && !(writes_as_it_reads && os::is_terminal(stdout)));
}

void progress_line::show(std::string_view text) const {
  if (!shown_) return;
  const std::string line = '\r' + left_aligned(shortened(printable(text), width()), width());
  std::fwrite(line.data(), 1, line.size(), stderr);
}

void progress_line::clear() const {
  if (!shown_) return;
  const std::string line = '\r' + std::string(width(), ' ') + '\r';
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace riffle::text
