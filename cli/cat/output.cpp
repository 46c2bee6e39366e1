/// A failure to write is told as lost output, which ends the tool.
#include "cli/cat/output.hpp"

#include <utility>

#include "cli/os/descriptor.hpp"
#include "cli/output.hpp"

namespace riffle::cli {

cat_output::cat_output(int to) : to_(to), collected_(std::make_unique_for_overwrite<char[]>(capacity)) {}

void cat_output::flush() {
  // Empty even if `write` throws, so that nothing is written twice.
  if (size_ != 0) write({collected_.get(), std::exchange(size_, 0)});
}

void cat_output::add_large(std::string_view bytes) {
  flush();
  if (bytes.size() >= capacity) return write(bytes);
  std::memcpy(collected_.get(), bytes.data(), bytes.size());
  size_ = bytes.size();
}

void cat_output::write(std::string_view bytes) {
  if (const int failure = os::write_all(to_, bytes); failure != 0) throw output_lost(failure);
}

}  // namespace riffle::cli
