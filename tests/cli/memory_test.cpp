/// Commands take memory for what they keep, and not for what they read.
#include <gtest/gtest.h>

#include "tests/support/shell.hpp"

namespace riffle::test {
namespace {

struct row {
  const char* command;
  const char* input;
  long most;  // in KiB, besides what it takes without input
};

TEST(commands, take_memory_for_what_they_keep_only) {
  if (build::instrumented) GTEST_SKIP() << "a sanitizer takes memory of its own";
  for (const auto& [command, input, most] :
       {row{"freq", "seq 1000000 | sed s/.*/same/", 2000},
        row{"split --dry-run --lines 10000000", "seq 3000000", 2000},
        row{"split --dry-run --line-bytes 1G", "seq 3000000", 2000},
        row{"split --dry-run --csv --lines 10000000", "seq 3000000", 2000},
        row{"count --fasta", "echo '>a'; head -c 50M /dev/zero | tr '\\0' A", 12 * 1024},
        row{"cat --tail 3", "yes | head -c 100M; true", 12 * 1024},
        row{"cat --tail 3", "head -c 100M /dev/zero | tr '\\0' '\\n'", 12 * 1024}})
    EXPECT_LT(peak_memory(command, input), peak_memory(command) + most) << command;
}

}  // namespace
}  // namespace riffle::test
