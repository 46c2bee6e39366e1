/// Results are kept as JSON, and compared when they are read again.
#ifndef RIFFLE_BENCH_SHOW_READ_JSON_HPP
#define RIFFLE_BENCH_SHOW_READ_JSON_HPP

#include <string_view>

#include "bench/data/report.hpp"

namespace riffle::bench {

/// The report that `write_json` wrote: judged and written again, it gives the same text. What follows from
/// the rest (statistics, speeds, ranks, verdicts, warnings) is concluded anew. Of each sample there are the
/// seconds and the round; what it used is known as medians only. Throws riffle::error, which names `file` and
/// what is wrong in it, in the words of the JSON library, for any text that is not such a result.
report read_json(std::string_view text, std::string_view file);

}  // namespace riffle::bench

#endif
