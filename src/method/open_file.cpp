/// What several methods do with an open file before they read it.
#include "method/open_file.hpp"

namespace riffle::inline v0 {

os::file own_descriptor(const open_file& input, const method_options& options) {
  if (!options.several_readers) return input.file.duplicate();
  os::file own = input.file.reopen();
  if (options.sequential) own.advise_sequential();
  if (input.start != 0) own.set_position(input.start);
  return own;
}

void advise(const open_file& input, const method_options& options) noexcept {
  if (options.several_readers) return;
  if (options.sequential) input.file.advise_sequential();
  if (options.will_need) input.file.advise_will_need();
}

}  // namespace riffle::inline v0
