/// `os::populate_flag` of Linux.
#include "bench/host/os/populate.hpp"

#include <sys/mman.h>

namespace riffle::os {

const int populate_flag = MAP_POPULATE;

}  // namespace riffle::os
