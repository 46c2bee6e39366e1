/// The tool decodes what it is told to; without, records and no bytes.
#include <riffle/decoders.hpp>

#include <gmock/gmock.h>

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
       {"$riffle count -z --tsv --rows x.gz", "2\n"},
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
        "riffle: cannot decode 'x.lz': it is an lzip file; decode it by lzip -dc; use --decode none\n", 1},
       {"$riffle wc --decode tar x.gz", _, _, 1},
       {"ln -sf $riffle wc; ./wc -z x.gz", _,
        "./wc: invalid option -- 'z'\nTry './wc --help' for more information.\n", 1},
       {"$riffle advise x.gz | grep -c 'compressed   gzip'", "1\n"},
       {"$riffle advise x.gz | grep -Ec 'C.*decode = riffle::decoding::automatic|flags.* --decompress$'",
        "2\n"},
       {"head -c 24 x.gz > cut.gz; $riffle wc -lz cut.gz", _,
        AllOf(HasSubstr("riffle: cannot decode 'cut.gz' at byte "), HasSubstr("the gzip data is cut")), 1}},
      "printf 'a b\\nc\\n' > plain; gzip -nc plain > x.gz");
}

// What gives records decodes what begins as a known format, unless --decode none is typed. What gives bytes
// does not, and says so of a file of which it cannot make sense.
TEST(tool_decoding, is_of_records_and_not_of_bytes) {
  if (const std::string_view reason = find_decoder(decoding::gzip)->unavailable; !reason.empty())
    GTEST_SKIP() << reason;
  if (shell("command -v gzip").status != 0) GTEST_SKIP() << "gzip is not installed";
  const std::string note = "riffle: 'x.gz' is compressed by gzip; use -z to decode it\n";
  for (const std::string records :
       {"count --rows", "count --fasta", "count --fastq", "count --byte a --per-line", "count --containing 1",
        "count --starting-with 1", "count --every 1~1", "cat --starting-with 1", "cat --every 1~1",
        "count --occurrences 1 --per-line", "sum --column 1 --stats", "cat --columns 1", "cat --head 1",
        "cat --tail 1", "cat --range 1:2", "cat --number", "cat --containing 1", "cat --strip-cr",
        "cat --lines"}) {
    const std::string text = records.find("fast") == std::string::npos ? "plain" : records.substr(8);
    expect_rows({{"$riffle " + records + " " + text + " > one; gzip -nc " + text + " > t.gz; $riffle " +
                  records + " t.gz | cmp one; $riffle " + records + " < t.gz | cmp one; cat t.gz | $riffle " +
                  records + " | cmp one; test -s one; $riffle " + records +
                  " --decode none t.gz 2>&1 | cmp -s one - && echo same; true"}},
                "printf '1\\n2\\n' > plain; printf '>a\\nACGT\\n' > fasta; "
                "printf '@a\\nA\\n+\\n#\\n' > fastq");
  }
  for (const std::string bytes :
       {"wc", "count --lines", "count --byte 1", "count --any-of 12", "count --none-of 12", "count --bytes",
        "count --occurrences 1", "cat", "sum --type u8"}) {
    expect_rows({{"$riffle " + bytes + " < x.gz > one; cp x.gz y; $riffle " + bytes +
                  " < y | cmp one; $riffle " + bytes + " --decode none < y | cmp one; test -s one"}},
                "printf '1\\n2\\n' | gzip -nc > x.gz");
  }
  expect_rows({{"$riffle sum --type u64 x.gz", _, AllOf(HasSubstr("riffle: "), HasSubstr(note)), 1},
               {"$riffle sum --type u64 --decode none x.gz", _, testing::Not(HasSubstr("use -z")), 1},
               {"$riffle wc -l x.gz", _, ""},
               {"script -qec '$riffle wc -l x.gz; $riffle cat x.gz > y; $riffle count -l x.gz' /dev/null | "
                "tr -d '\\r' | grep -ac \"$(printf \"is compressed by gzip; use -z to decode it\")\"",
                "3\n"}},
              "head -c 10007 /dev/urandom | gzip -nc > x.gz; test $(($(wc -c < x.gz) % 8)) != 0 || "
              "printf x >> x.gz");
}

TEST(tool_decoding, that_was_typed_is_no_copy_of_another_file) {
  if (const std::string_view reason = find_decoder(decoding::gzip)->unavailable; !reason.empty())
    GTEST_SKIP() << reason;
  const auto named = [](const std::string& name) {
    return "riffle: cannot decode '" + name +
           "': the compressed bytes are damaged; its name says that it is compressed, and its first bytes do "
           "not; leave -z out to read it\n";
  };
  expect_rows({{"$riffle cat -z page.gz", "", named("page.gz"), 1},
               {"$riffle wc -lz page.Z plain", "      1 plain\n      1 total\n", named("page.Z"), 1},
               {"$riffle count --rows -z page.zip", "", named("page.zip"), 1},
               {"$riffle count --rows page.gz", "1\n"},
               {"$riffle cat -z < page.gz", "<p>\n"},
               {"$riffle cat -z empty.gz"},
               {"printf 'BZh91AY&S' | $riffle cat -z", "",
                HasSubstr("the first bytes of a bzip2 member are cut; use --decode none"), 1}},
              ": > empty.gz; printf '<p>\\n' | tee page.gz page.Z page.zip > plain");
}

}  // namespace
}  // namespace riffle::test
