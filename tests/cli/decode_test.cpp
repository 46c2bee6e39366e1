/// The tool reads compressed files if it is told to, and only then.
#include <riffle/decoders.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/support/shell.hpp"

namespace riffle::test {
namespace {

using testing::_;
using testing::AllOf;
using testing::HasSubstr;

TEST(tool_decoding, does_what_the_options_say) {
  if (const std::string_view reason = find_decoder(decoding::gzip)->unavailable; !reason.empty())
    GTEST_SKIP() << reason;
  if (shell("command -v gzip").status != 0) GTEST_SKIP() << "gzip is not installed";
  expect_rows(
      {{"$riffle wc -z x.gz plain",
        "      2       3       6 x.gz\n      2       3       6 plain\n      4       6      12 total\n"},
       {"$riffle wc -lz --threads 2 x.gz", "2 x.gz\n"},
       {"$riffle wc -cz < x.gz", "6\n"},
       {"cat x.gz | $riffle wc --decompress -l", "2\n"},
       {"$riffle wc -l --decode gzip x.gz", "2 x.gz\n"},
       {"$riffle cat -z x.gz plain", "a b\nc\na b\nc\n"},
       {"$riffle cat -z --tail 1 x.gz", "c\n"},
       {"$riffle cat -z --range 2:2 x.gz", "c\n"},
       {"$riffle cat --decode none x.gz | cmp - x.gz"},
       {"$riffle count -z --tsv --rows x.gz", _, _},
       {"$riffle wc -l --decode gzip plain", "0 plain\n", _, 1},
       {"$riffle wc -cz --max-size 5 x.gz", "5 x.gz\n",
        "riffle: cannot read 'x.gz' at byte 5 (compressed byte 26): it holds more than 5 bytes; use a larger "
        "--max-size\n",
        1},
       {"head -c 1000 /dev/zero | tr '\\0' y | $riffle wc -cz --max-size 100", "100\n",
        "riffle: cannot read 'standard input' at byte 100: it holds more than 100 bytes; use a larger "
        "--max-size\n",
        1},
       {"$riffle cat --max-size 3 plain", "a b", HasSubstr("more than 3 bytes; use a larger --max-size"), 1},
       {"head -c 300000 /dev/zero > big; $riffle cat --max-size 1000 big > out; wc -c < out", "1000\n",
        HasSubstr("more than 1000 bytes; use a larger --max-size")},
       {"$riffle wc -c --max-size 3 plain", _, HasSubstr("more than 3 bytes; use a larger --max-size"), 1},
       {"$riffle wc -c --max-size 6 plain", "6 plain\n"},
       {"printf 'LZIP\\001' > x.lz; $riffle wc -lz x.lz plain", "      2 plain\n      2 total\n",
        "riffle: cannot decode 'x.lz': it is an lzip file; decode it by lzip -dc\n", 1},
       {"$riffle wc --decode tar x.gz", _, _, 1},
       {"ln -sf $riffle wc; ./wc -z x.gz", _,
        "./wc: invalid option -- 'z'\nTry './wc --help' for more information.\n", 1},
       {"$riffle advise x.gz | grep -c 'compressed   gzip'", "1\n"},
       {"head -c 24 x.gz > cut.gz; $riffle wc -lz cut.gz", _,
        AllOf(HasSubstr("riffle: cannot decode 'cut.gz' at byte "), HasSubstr("the gzip data is cut")), 1}},
      "printf 'a b\\nc\\n' > plain; gzip -nc plain > x.gz");
}

}  // namespace
}  // namespace riffle::test
