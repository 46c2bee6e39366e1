/// Sequences are counted as a plain loop over lines counts them, however the file is cut, and as seqtk does.
#include "cli/count/fasta.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/cli/count/fasta_oracle.hpp"
#include "tests/support/build.hpp"
#include "tests/support/oracles.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

using cli::sequence;

std::string shown(const sequence& each) {
  std::string text = ">" + each.name + " " + std::to_string(each.length);
  for (const std::uint64_t count : each.counts) text += " " + std::to_string(count);
  return text;
}

// The sequences, or those that end before a stray CR, and the error.
std::vector<std::string> expected_sequences(std::string_view text) {
  const auto stray = first_error_of_fasta(text);
  std::vector<std::string> texts;
  for (const sequence& each : naive_sequences(text.substr(0, stray.value_or(text.size()))))
    texts.push_back(shown(each));
  if (stray) texts.back() = "error at " + std::to_string(*stray);
  return texts;
}

std::vector<std::string> found_sequences(std::string_view text, std::size_t block_size) {
  std::vector<std::string> all;
  cli::fasta_counter counter("memory", [&](const sequence& found) { all.push_back(shown(found)); });
  try {
    for (std::size_t at = 0; at < text.size(); at += block_size) {
      counter.add({text.substr(at, block_size), at});
    }
    counter.finish();
  } catch (const error& refused) {
    all.push_back("error at " + std::to_string(refused.offset().value()));
  }
  return all;
}

void expect_sequences(const std::string& text, std::size_t block_size) {
  ASSERT_EQ(found_sequences(text, block_size), expected_sequences(text))
      << "blocks of " << block_size << ": " << testing::PrintToString(text.substr(0, 500));
}

TEST(fasta, sequences_are_those_of_a_plain_loop) {
  for (const char* text :
       {"", "\n\r\n", ">", ">\n", ">a", ">a b\tc\nACGTNacgtn\n", "\n\r\n>a\n\nAC\n\nGT\n\n>b\n>c\n",
        ">a\r\nAC\r\nGT\r\n>b\r\nA\r", ">a\nAC>GT\n>b>c >d\n>\n", ">a\nA\rC\r\r\n\r", ">a\n\r\n\r",
        ">a\rb\nA", "> a\nRYKM-*\n", ">  a b\nA\n>\t\r\nC\n> \nG\n>\v\fx y\n", ">a\rAC\r>b\rG\r",
        ">a\nAC\n>b\nG\rT\n>c\n", ">a\r", ">a\n\rC"}) {
    for (std::size_t block_size = 1; block_size <= 30; ++block_size) expect_sequences(text, block_size);
  }
}

TEST(fasta, sequences_are_the_same_for_every_cut) {
  constexpr std::string_view alphabets[] = {">\nA", ">\n\rACGT", ">\n\r ACGTNacgtnRYxX-",
                                            "ACGTACGTACGTNNacgtnACGTTTGCAGCA\n>"};
  for (unsigned seed = 0; seed < 60; ++seed) {
    const std::string text = ">" + random_text(seed * 10, seed, alphabets[seed % 4]);
    for (const std::size_t block_size : {1U, 2U, 3U, 7U, 63U, 64U, 65U, 1000U})
      expect_sequences(text, block_size);
  }
}

TEST(fasta, sequences_cross_batches) {
  for (std::size_t before = 4090; before < 4100; ++before) {
    for (const std::string& middle :
         {std::string("\r\n>b\r\nGG"), std::string(">\n\n>b x\nT"), std::string("\n>\n>")}) {
      const std::string text =
          ">a\n" + std::string(before - 3, 'C') + middle + std::string(5000, 'n') + "\n>z\nG";
      for (const std::size_t block_size : {4095U, 4096U, 4097U, 20000U}) expect_sequences(text, block_size);
    }
  }
}

TEST(fasta, long_names_and_sequences_cross_many_blocks) {
  const std::string text = ">" + random_text(10'000, 1, "name>") + " " + random_text(10'000, 2, "rest >") +
                           "\n" + random_text(50'000, 3, "ACGTacgtNn") + "\n>" + random_text(9000, 4, "x");
  for (const std::size_t block_size : {100U, 4096U, 9999U, 1'000'000U}) expect_sequences(text, block_size);
}

TEST(fasta, rows_have_the_share_of_g_and_c_and_name_their_file_among_several) {
  expect_rows({{"printf '>chr1 first\\nACGTNacgn\\nGC\\n>empty\\n>n\\nNN\\n' | $riffle count --fasta",
                "chr1\t11\t2\t3\t3\t1\t2\t66.67\nempty\t0\t0\t0\t0\t0\t0\tNA\nn\t2\t0\t0\t0\t0\t2\tNA\n"},
               {"printf '>a\\nAAAAAAAAC\\n>b\\nG\\n' | $riffle count --fasta",
                "a\t9\t8\t1\t0\t0\t0\t11.11\nb\t1\t0\t0\t1\t0\t0\t100.00\n"},
               {"$riffle count --fasta e"},
               {"printf '>a\\nA' > x; printf '>b\\nC' > $'y\\n'; $riffle count --fasta x missing $'y\\n'",
                "a\t1\t1\t0\t0\t0\t0\t0.00\tx\nb\t1\t0\t1\t0\t0\t0\t100.00\t'y'$'\\n'\n",
                "riffle: cannot open 'missing': No such file or directory\n", 1}});
}

const std::string text_before = "text stands before the first line that starts with '>'";

TEST(fasta, text_before_the_first_header_is_an_error) {
  struct row {
    const char* text;
    int offset;
    std::string why = text_before;
  };
  for (const row& each : {row{"ACGT\\n>a\\n", 0},
                          {"\\r\\n\\nx\\n>a\\n", 3},
                          {" >a\\n", 0},
                          {"\\r>a\\n", 1},
                          {"@read\\n", 0},
                          {"\\357>a\\nC\\n", 0},  // parts of a byte order mark
                          {"\\357\\273>a\\nC\\n", 0},
                          {">a\\rAC\\r", 2, "a CR stands without an LF after it"}}) {
    expect_each({"", "--block-size 1", "--block-size 2"},
                {std::string("printf '") + each.text + "' | $riffle count --fasta {}", "",
                 "riffle: cannot count 'standard input' at byte " + std::to_string(each.offset) +
                     ": not FASTA: " + each.why + "\n",
                 1});
  }
}

// --records counts what --stats counts, and fails as that does.
TEST(fasta, records_are_those_of_stats) {
  expect_each(
      {"''", "'\\n\\n'", "'\\r\\r\\r'", "'>a\\nC\\n>b\\n'", "'>a'", "'\\357\\273\\277>a\\nC\\n>b\\nC'",
       "'\\357\\273\\277'", "'\\357\\273>a\\n'", "'\\r\\n>a\\r\\nC\\r\\n>b\\r\\nC\\r'",
       "'>a\\rC\\r>b\\rC\\r'", "'>a\\nC\\n>b\\nC\\rC\\n>c\\n'", "'\\r>a\\nC\\n'", "'plain text\\n>a\\nC\\n'",
       "'@r\\nC\\n+\\nI\\n'", "'\\n >a\\nC\\n'", "'>>a\\n>\\n\\n>'", "'\\377\\376>\\0a\\0\\n\\0'"},
      {"printf {} > f; gzip -k f; gzip -c f | head -c -9 > cut.gz; for i in f f.gz cut.gz '--block-size 1 f' "
       "'--threads 2 f'; do for w in stats records; do $riffle count --fasta --$w $i > out 2> err; echo $? "
       "$(tail "
       "-n 1 out | cut -f 1) $(cat err) > $w; done; diff stats records; done"});
}

TEST(fasta, may_start_with_a_byte_order_mark) {
  for (const char* text : {"\\357\\273\\277>a\\nC\\n", "\\357\\273\\277\\n>a\\nC\\n", ">a\\nC\\n"}) {
    expect_each(
        {"", "--block-size 1", "--block-size 2"},
        {std::string("printf '") + text + "' | $riffle count --fasta {}", "a\t1\t0\t1\t0\t0\t0\t100.00\n"});
  }
}

TEST(fasta, memory_does_not_grow_with_a_line) {
  if (build::instrumented) GTEST_SKIP() << "a sanitizer takes memory of its own";
  const long of_none = peak_memory("count --fasta", "echo '>a'");
  const long of_long = peak_memory("count --fasta", "echo '>a'; head -c 50000000 /dev/zero | tr '\\0' A");
  EXPECT_LT(of_long - of_none, 12 * 1024);
}

// Its column #4 has the bytes that are no code of IUPAC too, so none is drawn. It takes the CR of an empty
// line for a base, so no line is empty.
TEST(fasta, rows_are_those_of_seqtk) {
  if (shell("command -v seqtk").status != 0) GTEST_SKIP() << "seqtk is not installed";
  std::string text;
  for (unsigned seed = 0; seed < 200; ++seed) {
    text += ">sequence" + std::to_string(seed) + (seed % 3 == 0 ? " described\n" : "\n");
    for (unsigned line = 0; line < seed % 7; ++line) {
      text += random_text(1 + seed * line % 91, seed + line, "ACGTNacgtnRYKMSWBDHV") +
              (seed % 5 == 0 ? "\r\n" : "\n");
    }
  }
  const temporary_file file(text);
  const std::string name = file.path().string();
  const shell_result expected = shell("seqtk comp " + name + " | cut -f 1-6,9");
  const shell_result ours = shell("$riffle count --fasta " + name + " | cut -f 1-7");
  EXPECT_EQ(std::ranges::count(ours.out, '\n'), 200);
  EXPECT_EQ(ours.out, expected.out);
}

}  // namespace
}  // namespace riffle::test
