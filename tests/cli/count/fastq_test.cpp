/// Records are counted if they are whole and right; the first that is not ends the file with an error.
#include "cli/count/fastq.hpp"

#include <riffle/memory.hpp>

#include <gtest/gtest.h>

#include <string>

#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

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

}  // namespace
}  // namespace riffle::test
