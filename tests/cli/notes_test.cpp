/// What the tool says of a file beside its result: that it may be cut, or that it is UTF-16.
#include <fmt/core.h>
#include <gmock/gmock.h>

#include <string>

#include "tests/support/compress.hpp"
#include "tests/support/shell.hpp"

namespace riffle::test {
namespace {

using testing::_;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string printf_of(std::string_view bytes) {
  std::string command = "printf '";
  for (const char byte : bytes) command += fmt::format("\\{:03o}", static_cast<unsigned char>(byte));
  return command + "'";
}

TEST(notes, of_a_file_of_bgzf_without_its_end) {
  const container& bgzf = *std::ranges::find(containers(), "bgzf", &container::name);
  if (const auto reason = missing(bgzf)) GTEST_SKIP() << *reason;
  const std::string whole = bgzf.member("1\n2\n");
  const std::string cut = whole.substr(0, whole.size() - bgzf.member({}).size());
  const std::string note = "riffle: 'cut' ends without the marker of BGZF: it may be cut\n";
  expect_rows(
      {{"$riffle wc -lz cut", "2 cut\n", note},
       {"$riffle wc -lz whole cut whole", "      2 whole\n      2 cut\n      2 whole\n      6 total\n", note},
       {"$riffle count --lines --decode gzip cut", "2\n", note},
       {"$riffle sum --tsv --column 1 -z cut", "3\n", note},
       {"$riffle cat -z cut", "1\n2\n", note},
       {"$riffle cat -z < cut", "1\n2\n",
        "riffle: 'standard input' ends without the marker of BGZF: it may be cut\n"},
       {"$riffle wc -lz whole", "2 whole\n"},
       {"$riffle cat cut | cmp - cut"}},
      printf_of(whole) + " > whole; " + printf_of(cut) + " > cut");
}

TEST(notes, of_a_file_of_utf_16) {
  const std::string little = "\\377\\376a\\000,\\000b\\000\\n\\0001\\000,\\0002\\000\\n\\000";
  const auto note = [](const std::string& name) {
    return HasSubstr("riffle: '" + name + "' is UTF-16; convert it by iconv -f UTF-16 -t UTF-8\n");
  };
  expect_rows(
      {{"$riffle sum --column b u", _, note("u"), 1},
       {"$riffle sum --tsv --column 1 u", _, note("u"), 1},
       {"$riffle sum --column b < u", _, note("standard input"), 1},
       {"$riffle sum --column b big", _, note("big"), 1},
       {"$riffle sum --type u32 odd", _, note("odd"), 1},
       {"$riffle count --tsv --rows u", _, note("u")},
       {"$riffle count --byte , --per-line u", _, note("u")},
       {"$riffle cat --tsv --columns 1 u", _, note("u")},
       {"$riffle count --fasta u", _, note("u"), 1},
       {"$riffle cat u | cmp - u"},
       {"$riffle wc -c u", _},
       {"$riffle sum --tsv --column 1 utf32", _, AllOf(HasSubstr("field 1"), Not(HasSubstr("UTF-16"))), 1},
       {"$riffle sum --tsv --column 1 missing", _, Not(HasSubstr("UTF-16")), 1}},
      "printf '" + little + "' > u; printf '\\376\\377\\000a' > big; printf '" + little +
          "x' > odd; printf '\\377\\376\\000\\000a' > utf32");
}

}  // namespace
}  // namespace riffle::test
