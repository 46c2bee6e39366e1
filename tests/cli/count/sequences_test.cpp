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

}  // namespace

}  // namespace riffle::test
