/// `os::populate_flag` of macOS.
#include "bench/host/os/populate.hpp"

namespace riffle::os {

const int populate_flag = 0;

}  // namespace riffle::os
