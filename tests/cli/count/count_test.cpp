/// `riffle count` counts what `tr -dc SET | wc -c` counts, and says what it cannot count.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

// The number that riffle prints of the file, or of the bytes that tr leaves of it.
std::string of_file(const std::string& command, const std::string& set, const temporary_file& file) {
  const std::string counted = command.starts_with("tr") ? " | wc -c" : "";
  return shell(command + " '" + set + "' < " + file.path().string() + counted).out;
}

TEST(count, counts_what_tr_leaves) {
  const temporary_file file(random_text(20'000, 1) + patterned_bytes(20'000));
  for (const char* set : {"a-z", "\\n", "\\0", "[:digit:]", "[:space:][:punct:]", "\\001-\\037",
                          "\\200-\\377", "[=a=]-", "a\\-z"}) {
    EXPECT_EQ(of_file("$riffle count --any-of", set, file), of_file("tr -dc", set, file)) << set;
    EXPECT_EQ(of_file("$riffle count --none-of", set, file), of_file("tr -d", set, file)) << set;
  }
}

TEST(count, takes_one_byte_by_the_same_syntax) {
  EXPECT_EQ(shell("printf 'a\\nb\\n' | $riffle count --byte '\\012'").out, "2\n");
  EXPECT_EQ(shell("printf 'a b' | $riffle cat --delimiter '\\040' --lines").out, "a b");
  const shell_result several = shell("$riffle count --byte '[:digit:]' < /dev/null");
  EXPECT_EQ(several.status, 2);
  EXPECT_EQ(several.err,
            "riffle: --byte '[:digit:]': not one byte; write a character, or \\n \\r \\t \\\\ \\NNN (octal) "
            "\\xHH (see "
            "riffle count --help)\n");
}

TEST(count, counts_rows_by_any_number_of_threads) {
  std::string text = "\xEF\xBB\xBF";
  for (int i = 0; i < 300'000; ++i) text += "\"a,\n\"\"\",b\"\n";
  const temporary_file file(text + "last");
  const std::string name = file.path().string();
  for (const char* threads : {"", " --threads 1", " --threads 3"}) {
    EXPECT_EQ(shell("$riffle count --rows --field-delimiter , --quote '\"' " + name + threads).out,
              "300001\n");
    EXPECT_EQ(shell("$riffle count --rows " + name + threads).out, "600001\n");
  }
  EXPECT_EQ(shell("printf '#\\n\\na\\n' | $riffle count --rows --comment '#' --skip-blank").out, "1\n");
  const shell_result open = shell("printf 'a\\n\"b\\n' | $riffle count --rows --quote '\"'");
  EXPECT_EQ(open.status, 1);
  EXPECT_EQ(
      open.err,
      "riffle: cannot read 'standard input' at byte 2: malformed quoting; a quote is not closed in row 2\n");
}

TEST(count, quotes_names_as_wc_does) {
  const temporary_directory directory;
  const shell_result result =
      shell("cd " + directory.path().string() + " && printf aa > \"x\ny\" && printf a > 'b c' && " +
            "$riffle count --byte a \"x\ny\" 'b c' && wc -c \"x\ny\" 'b c'");
  const std::string rows = "2 'x'$'\\n''y'\n1 b c\n3 total\n";
  EXPECT_EQ(result.out, rows + rows);
}

TEST(count, prints_rows_as_lines_of_json) {
  const temporary_directory directory;
  const std::string in =
      "cd " + directory.path().string() + " && printf 'aa\\n\\n' > x && printf '>s\\xff\\nG' > y && ";
  EXPECT_EQ(shell(in + "$riffle count --byte a --json x y").out,
            "{\"file\":\"x\",\"count\":2}\n{\"file\":\"y\",\"count\":0}\n"
            "{\"total\":true,\"files\":2,\"count\":2}\n");
  EXPECT_EQ(shell(in + "$riffle count --byte a --per-line --json x x").out,
            "{\"file\":\"x\",\"count\":0,\"lines\":1}\n{\"file\":\"x\",\"count\":2,\"lines\":1}\n"
            "{\"file\":\"x\",\"count\":0,\"lines\":1}\n{\"file\":\"x\",\"count\":2,\"lines\":1}\n"
            "{\"total\":true,\"files\":2,\"count\":0,\"lines\":2}\n"
            "{\"total\":true,\"files\":2,\"count\":2,\"lines\":2}\n");
  EXPECT_EQ(shell(in + "$riffle count --fasta --json y").out,
            "{\"file\":\"y\",\"name\":\"s\uFFFD\",\"length\":1,\"A\":0,\"C\":0,\"G\":1,\"T\":0,\"N\":0,"
            "\"gc\":100}\n");
  EXPECT_EQ(shell("printf '@\\nA\\n+\\n#' | $riffle count --fastq --json").out,
            "{\"file\":\"-\",\"reads\":1,\"bases\":1}\n{\"file\":\"-\",\"quality\":2,\"bases\":1}\n");
}

TEST(count, takes_the_last_of_an_option_that_is_repeated) {
  const temporary_file file("a\nbb\nccc\n");
  const std::string run = "$riffle count ";
  const std::string name = " " + file.path().string() + " | cut -d ' ' -f 1";
  EXPECT_EQ(shell(run + "--lines --lines" + name).out, "3\n");
  EXPECT_EQ(shell(run + "--byte a --byte b" + name).out, "2\n");
  EXPECT_EQ(shell(run + "--any-of ab --any-of c" + name).out, "3\n");
}

TEST(count, takes_one_kind_of_thing_to_count) {
  struct row {
    const char* options;
    const char* error;
  };
  const row rows[] = {
      {"", "nothing to count; use one of --any-of, --none-of, --byte, --lines, --rows, --fasta, --fastq"},
      {"--any-of a --none-of b",
       "--none-of 'b': use only one of --any-of, --none-of, --byte, --lines, --rows, --fasta, --fastq"},
      {"--fasta --fastq",
       "--fastq: use only one of --any-of, --none-of, --byte, --lines, --rows, --fasta, --fastq"},
      {"--per-line", "--per-line counts bytes; use it with --any-of, --none-of or --byte"},
      {"--fasta --per-line", "--per-line counts bytes; use it with --any-of, --none-of or --byte"},
      {"--none-of '[:digit'", "--none-of '[:digit': unclosed class; write [:digit:]"},
  };
  for (const row& each : rows) {
    const shell_result refused = shell(std::string("$riffle count ") + each.options + " < /dev/null");
    EXPECT_EQ(refused.status, 2) << each.options;
    EXPECT_EQ(refused.err, std::string("riffle: ") + each.error + " (see riffle count --help)\n");
  }
}

}  // namespace
}  // namespace riffle::test
