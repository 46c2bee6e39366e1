/// The call of `new_file` that is Windows'.
#include "cli/os/new_file.hpp"

namespace riffle::os {

void outlive_full_files() noexcept {}

}  // namespace riffle::os
