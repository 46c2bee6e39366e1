/// Sequences are counted as plain loops, seqtk and awk count them, however the file is cut, and are checked.
#include <riffle/input.hpp>

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "cli/count/sequences.hpp"
#include "tests/cli/count/fasta_oracle.hpp"
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
       "$(tail -n 1 out | cut -f 1) $(cat err) > $w; done; diff stats records; done"});
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

const std::string two_reads = "@a 1\nACGT\n+\n!!I~\n@b\n\n+b\n\n";

std::string record(const std::string& bases, const std::string& qualities) {
  return "@\n" + bases + "\n+\n" + qualities;
}

cli::read_counts counted(std::string_view text) {
  cli::read_counts counts;
  cli::count_reads(source(memory(text)), counts);
  return counts;
}

TEST(fastq, reads_bases_and_qualities_are_counted) {
  const cli::read_counts counts = counted(two_reads);
  EXPECT_EQ(counts.reads, 2U);
  EXPECT_EQ(counts.bases, 4U);
  EXPECT_EQ(counts.of_quality(0), 2U);
  EXPECT_EQ(counts.of_quality(40), 1U);
  EXPECT_EQ(counts.of_quality(93), 1U);
}

TEST(fastq, every_quality_at_every_place_is_counted) {
  for (std::size_t size = 1; size < 30; ++size) {
    for (char quality = '!'; quality <= '~'; ++quality) {
      std::string line(size, 'I');
      line[size * 7 % size] = quality;
      const cli::read_counts counts = counted(record(line, line));
      ASSERT_EQ(counts.of_quality(static_cast<std::size_t>(quality - '!')), quality == 'I' ? size : 1);
    }
  }
}

TEST(fastq, a_byte_that_is_no_quality_is_found_at_every_place) {
  for (std::size_t size = 1; size < 30; ++size) {
    for (std::size_t at = 0; at < size; ++at) {
      for (const char wrong : {'\0', ' ', '\x7F', '\x80', '\xFF'}) {
        std::string line(size, '~');
        line[at] = wrong;
        const auto failure = error_of([&] { counted(record(std::string(size, 'A'), line)); });
        ASSERT_TRUE(failure) << size << " " << at;
        ASSERT_EQ(failure->offset(), 2 + size + 3 + at);
      }
    }
  }
}

TEST(fastq, rows_come_with_a_total_for_several_files) {
  expect_rows(
      {{"$riffle count --fastq < x", "reads\t1\nbases\t2\nQ2\t1\nQ40\t1\n"},
       {"$riffle count --fastq x x",
        "reads\t1\tx\nbases\t2\tx\nQ2\t1\tx\nQ40\t1\tx\nreads\t1\tx\nbases\t2\tx\nQ2\t1\tx\nQ40\t1\tx\n"
        "reads\t2\ttotal\nbases\t4\ttotal\nQ2\t2\ttotal\nQ40\t2\ttotal\n"},
       // Lines may end as those of DOS do, empty lines stand between records, and a byte order mark at the
       // start.
       {"printf '\\r\\n@a\\r\\nAC\\r\\n+\\r\\nII\\r\\n\\r\\n\\n@b\\nA\\n+\\nI' | $riffle count --fastq",
        "reads\t2\nbases\t3\nQ40\t3\n"},
       {"printf '\\357\\273\\277@a\\nC\\n+\\nI\\n' | $riffle count --fastq", "reads\t1\nbases\t1\nQ40\t1\n"}},
      "printf '@a\\nAC\\n+\\n#I\\n' > x");
}

TEST(fastq, a_malformed_record_ends_the_file) {
  struct row {
    const char* text;  // behind a record of 13 bytes
    const char* said;
  };
  for (const row& each : {row{"a\\nAC\\n+\\nII\\n", "13: record 2 does not start with '@'"},
                          {"@a\\nAC\\nGT\\n+\\nIIII\\n", "19: record 2 has no '+' after one line of bases"},
                          {"@a\\nAC\\n+\\nIII\\n", "21: record 2 has 3 qualities for 2 bases"},
                          {"@a\\nAC\\n+\\nI I\\n", "21: record 2 has 3 qualities for 2 bases"},
                          {"@a\\nAC\\n+\\nI \\n", "22: record 2 has a quality that is not from '!' to '~'"},
                          {"@a\\nAC\\n+\\n", "13: unexpected end of the input; record 2 is cut"},
                          {"@a\\nAC", "13: unexpected end of the input; record 2 is cut"},
                          {"@a", "13: unexpected end of the input; record 2 is cut"},
                          {"@a\\nAC\\n+\\nI", "21: record 2 has 1 quality for 2 bases"},
                          {"@a\\nA\\n+\\nII", "20: record 2 has 2 qualities for 1 base"}}) {
    expect_rows({{std::string("printf '@r\\nACG\\n+\\n#II\\n") + each.text + "' | $riffle count --fastq",
                  "reads\t1\nbases\t3\nQ2\t1\nQ40\t2\n",
                  std::string("riffle: cannot read 'standard input' at byte ") + each.said + "\n", 1}});
  }
}

using testing::_;

constexpr const char* names = "records\tbases\tshortest\tmean\tlongest\tN50\tGC\n";

// Reads a line for each sequence. The lengths are sorted from the longest, and N50 is the first at half of
// the bases.
constexpr const char* oracle = R"awk(awk '
  {length_of[NR] = length($0); bases += length($0); s = $0; gc += gsub(/[GCgc]/, "", s); s = $0
   acgt += gsub(/[ACGTacgt]/, "", s); print length($0) > "lengths"}
  END {
    close("lengths")
    while (("sort -rn lengths" | getline l) > 0) {
      if (longest == "") longest = l
      shortest = l; sum += l
      if (n50 == "" && 2 * sum >= bases) n50 = l
    }
    printf "%d\t%d\t%d\t%.2f\t%d\t%d\t%.2f\n", NR, bases, shortest, bases / NR, longest, n50, 100 * gc / acgt
  }')awk";

TEST(sequence_stats, are_those_of_a_plain_loop) {
  std::mt19937 random(3);
  std::string fasta;
  std::string fastq;
  for (int i = 0; i != 300; ++i) {
    const std::string bases =
        random_text(random() % 5 == 0 ? 0 : random() % 2000, static_cast<unsigned>(random()), "ACGTNacgtn");
    fasta += ">s" + std::to_string(i) + " GC\n";
    for (std::size_t at = 0; at < bases.size(); at += 60) fasta += bases.substr(at, 60) + '\n';
    fastq += "@s GC\n" + bases + "\n+\n" + std::string(bases.size(), '@') + '\n';
  }
  const temporary_file of_fasta(fasta);
  const temporary_file of_fastq(fastq);
  const std::string a = of_fasta.path().string();
  const std::string q = of_fastq.path().string();
  const std::string expected = " | tail -n 1) <(sed -n 2~4p " + q + " | " + oracle + ")";
  expect_rows({{"cmp <($riffle count --fasta --stats " + a + expected},
               {"cmp <($riffle count --fasta --stats --block-size 99 " + a + expected},
               {"cmp <($riffle count --fastq --stats " + q + expected},
               {"cmp <(gzip -c " + q + " | $riffle count --fastq --stats --block-size 99" + expected},
               {"$riffle count --fasta --records " + a, "300\n"},
               {"$riffle count --fasta --records --threads 2 --block-size 5000 " + a, "300\n"},
               {"$riffle count --fastq --records " + q, "300\n"}});
}

// A tie of the last digit, as printf has it.
TEST(sequence_stats, round_the_share_of_g_and_c_as_printf) {
  expect_rows(
      {{"for gc in $(seq 5 10 160); do printf \"@\\n%0*d\\n+\\n%0*d\\n\" 160 0 160 0 | sed \"2s/0/G/g; "
        "2s/G/A/$((gc + 1))g\" | $riffle count --fastq --stats | tail -n 1 | cut -f 7; done > riffle; for gc "
        "in $(seq 5 10 160); do awk \"BEGIN { printf \\\"%.2f\\n\\\", 100 * $gc / 160 }\"; done | diff - "
        "riffle"}});
}

TEST(sequence_stats, of_several_files_have_a_total) {
  const std::string head(names);
  const std::string with_file = head.substr(0, head.size() - 1) + "\tfile\n";
  expect_rows({{"$riffle count --fasta --stats a1", head + "2\t6\t2\t3.00\t4\t4\t50.00\n"},
               {"$riffle count --fasta --stats a1 a2",
                with_file + "2\t6\t2\t3.00\t4\t4\t50.00\ta1\n1\t1\t1\t1.00\t1\t1\tNA\ta2\n3\t7\t1\t2."
                            "33\t4\t4\t50.00\ttotal\n"},
               {"$riffle count --fasta --stats --total=only a1 a2", head + "3\t7\t1\t2.33\t4\t4\t50.00\n"},
               {"$riffle count --fasta --stats e", head + "0\t0\t-\t-\t-\t-\tNA\n"},
               {"$riffle count --fasta --stats --json a1 e",
                "{\"file\":\"a1\",\"records\":2,\"bases\":6,\"shortest\":2,\"mean\":3,\"longest\":4,\"n50\":"
                "4,\"gc\":50}\n"
                "{\"file\":\"e\",\"records\":0,\"bases\":0,\"shortest\":null,\"mean\":null,\"longest\":null,"
                "\"n50\":null,\"gc\":null}\n"
                "{\"total\":true,\"files\":2,\"records\":2,\"bases\":6,\"shortest\":2,\"mean\":3,\"longest\":"
                "4,\"n50\":4,\"gc\":50}\n"},
               {"printf '@a\\nAC\\n+\\nII\\n@b\\nA\\n+\\n' | $riffle count --fastq --stats",
                head + "1\t2\t2\t2.00\t2\t2\t50.00\n", testing::HasSubstr("record 2"), 1},
               {"$riffle count --fasta --records a1 a2", "2 a1\n1 a2\n3 total\n"},
               {"$riffle count --fasta --stats --records a1", _,
                "riffle: --records: use only one of --stats, --records (see riffle count --help)\n", 2},
               {"$riffle count --stats a1", _,
                "riffle: option '--stats' needs '--fasta' (see riffle count --help)\n", 2}},
              "printf '>a\\nACGT\\n>b\\nAC\\n' > a1; printf '>c\\nN\\n' > a2");
}

}  // namespace

}  // namespace riffle::test
