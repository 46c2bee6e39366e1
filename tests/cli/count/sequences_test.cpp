/// Sequences are counted as plain loops count them, however the file is cut, and are checked.
#include <riffle/input.hpp>

#include "cli/count/sequences.hpp"
#include "tests/cli/count/fasta_oracle.hpp"
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

TEST(fasta, names_and_sequences_cross_batches_and_many_blocks) {
  for (std::size_t before = 4090; before < 4100; ++before) {
    for (const std::string& middle :
         {std::string("\r\n>b\r\nGG"), std::string(">\n\n>b x\nT"), std::string("\n>\n>")}) {
      const std::string text =
          ">a\n" + std::string(before - 3, 'C') + middle + std::string(5000, 'n') + "\n>z\nG";
      for (const std::size_t block_size : {4095U, 4096U, 4097U, 20000U}) expect_sequences(text, block_size);
    }
  }
  const std::string text = ">" + random_text(10'000, 1, "name>") + " " + random_text(10'000, 2, "rest >") +
                           "\n" + random_text(50'000, 3, "ACGTacgtNn") + "\n>" + random_text(9000, 4, "x");
  for (const std::size_t block_size : {100U, 4096U, 9999U, 1'000'000U}) expect_sequences(text, block_size);
}

std::string record(const std::string& bases, const std::string& qualities) {
  return "@\n" + bases + "\n+\n" + qualities;
}

cli::read_counts counted(std::string_view text) {
  cli::read_counts counts;
  cli::count_reads(source(memory(text)), counts);
  return counts;
}

TEST(fastq, every_quality_is_counted_and_another_byte_is_found_at_every_place) {
  for (std::size_t size = 1; size < 30; ++size) {
    for (char quality = '!'; quality <= '~'; ++quality) {
      std::string line(size, 'I');
      line[size * 7 % size] = quality;
      const cli::read_counts counts = counted(record(line, line));
      ASSERT_EQ(counts.of_quality(static_cast<std::size_t>(quality - '!')), quality == 'I' ? size : 1);
    }
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

}  // namespace
}  // namespace riffle::test
