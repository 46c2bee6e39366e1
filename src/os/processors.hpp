/// Tells how many processors this process may use.
#ifndef RIFFLE_OS_PROCESSORS_HPP
#define RIFFLE_OS_PROCESSORS_HPP

namespace riffle::os {

/// Returns how many threads of this process run at once: on the processors of its affinity mask, or by the
/// CPU quota of its control groups, rounded up, if that is less. The quota is found out once.
unsigned usable_processors() noexcept;

}  // namespace riffle::os

#endif
