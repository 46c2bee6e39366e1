/// The figures of `os::usage`, as numbers that can be averaged.
#include "bench/host/meter.hpp"

#include "bench/host/os/usage.hpp"

namespace riffle::bench {

meter process_meter() {
  return [] {
    const os::usage all = os::usage_so_far();
    return usage{all.user_seconds,
                 all.system_seconds,
                 static_cast<double>(all.minor_faults),
                 static_cast<double>(all.major_faults),
                 static_cast<double>(all.voluntary_switches),
                 static_cast<double>(all.involuntary_switches),
                 static_cast<double>(all.bytes_read)};
  };
}

}  // namespace riffle::bench
