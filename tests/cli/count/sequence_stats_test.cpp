/// What --stats and --records say of sequences is what awk finds by a plain loop.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

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
        "2s/G/A/$((gc + 1))g\" | $riffle count --fastq --stats | tail -n 1 | cut -f 7; done > riffle; "
        "for gc in $(seq 5 10 160); do awk \"BEGIN { printf \\\"%.2f\\n\\\", 100 * $gc / 160 }\"; done | "
        "diff - riffle"}});
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
                "{\"file\":\"a1\",\"records\":2,\"bases\":6,\"shortest\":2,\"mean\":3,\"longest\":4,"
                "\"n50\":4,\"gc\":50}\n"
                "{\"file\":\"e\",\"records\":0,\"bases\":0,\"shortest\":null,\"mean\":null,\"longest\":null,"
                "\"n50\":null,"
                "\"gc\":null}\n"
                "{\"total\":true,\"files\":2,\"records\":2,\"bases\":6,\"shortest\":2,\"mean\":3,"
                "\"longest\":4,\"n50\":4,"
                "\"gc\":50}\n"},
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
