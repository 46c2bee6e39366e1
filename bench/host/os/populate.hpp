/// Mapping with all pages at once, which only Linux has as a flag.
#ifndef RIFFLE_BENCH_HOST_OS_POPULATE_HPP
#define RIFFLE_BENCH_HOST_OS_POPULATE_HPP

namespace riffle::os {

/// MAP_POPULATE of mmap(2); 0 if the system has none.
extern const int populate_flag;

}  // namespace riffle::os

#endif
