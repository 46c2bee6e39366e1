/// The line of C++ that follows from the verdict.
#ifndef RIFFLE_BENCH_JUDGE_CODE_HPP
#define RIFFLE_BENCH_JUDGE_CODE_HPP

#include <riffle/options.hpp>
#include <string>
#include <string_view>

#include "bench/data/report.hpp"

namespace riffle::bench {

/// The C++ statements, on one line, that do the task on `path` as the fastest of riffle's contenders did:
/// without options if the automatic choice is not slower beyond the noise. If riffle had none, by the
/// method of the fastest contender whose method riffle has. Empty if nothing was measured.
std::string winning_code(const task_report& table);

/// The sentence before that code, if a published program leads and the code does not do as it does: " The
/// fastest of riffle's contenders:". Else empty.
std::string_view introduction_of_code(const task_report& table);

/// "{.method = riffle::method::mmap, .block_size = 1 << 20}": what is not as by default of the method, the
/// block size, the whole file and the cache; empty if all of it is.
std::string options_as_code(const read_options& reading);

}  // namespace riffle::bench

#endif
