/// The loop over gzread, if zlib is there.
#ifndef RIFFLE_BENCH_CONTENDERS_GZREAD_HPP
#define RIFFLE_BENCH_CONTENDERS_GZREAD_HPP

#include "bench/data/task.hpp"

namespace riffle::bench {

extern const bool has_gzread;
/// Does the task on what a file decodes to. Throws std::runtime_error if it cannot.
answer gzread_tally(task which, const std::filesystem::path& file);

}  // namespace riffle::bench

#endif
