/// The plans of `riffle advise`: the methods of one file, as contenders of the benchmark, and the limits
/// alone.
#ifndef RIFFLE_BENCH_MEASURE_ADVICE_HPP
#define RIFFLE_BENCH_MEASURE_ADVICE_HPP

#include <cstdint>
#include <filesystem>
#include <optional>
#include <riffle/methods.hpp>

#include "bench/measure/plan.hpp"

namespace riffle::bench {

/// Of a longer file only the start is measured: more than any cache of the processor holds, and little enough
/// for many rounds in a few seconds.
inline constexpr std::uint64_t most_measured = std::uint64_t{256} << 20U;

/// One table: newlines counted by automatic, by each method that can read the file here, and by read and mmap
/// with other block sizes. `known`: the facts of the file. `seconds`: nothing leaves the time to its size.
/// Throws riffle::error for a file that cannot be measured.
bench_plan plan_advice(const std::filesystem::path& file, const facts& known, cache_mode cache,
                       std::optional<double> seconds);

/// The limits of this machine alone, for three seconds, on an input larger than any cache of the processor.
bench_plan plan_limits();

}  // namespace riffle::bench

#endif
