/// What a user writes to do a task as a contender of riffle does it.
#ifndef RIFFLE_BENCH_CONTENDERS_RIFFLE_CODE_HPP
#define RIFFLE_BENCH_CONTENDERS_RIFFLE_CODE_HPP

#include <string>
#include <string_view>

#include "bench/data/contender.hpp"

namespace riffle::bench {

/// The C++ statements, on one line, that do the task on `path` as riffle's contender of that name, method and
/// number of threads does. A name that riffle does not have stands for the main form of the task. `options`:
/// "{.method = ...}", or empty.
std::string code_of(task which, std::string_view name, std::string_view method, unsigned threads,
                    std::string_view options);

}  // namespace riffle::bench

#endif
