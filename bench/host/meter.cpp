/// The meter of this process.
#include "bench/host/meter.hpp"

#include "bench/host/os/usage.hpp"

namespace riffle::bench {

meter process_meter() {
  return os::usage_so_far;
}

}  // namespace riffle::bench
