/// Any bytes in any cuts are the sequences and the reads that plain loops find in them, up to the first
/// error.
#include <riffle/source.hpp>

#include <algorithm>

#include "cli/count/sequences.hpp"
#include "fuzz/delivery.hpp"
#include "tests/cli/count/fasta_oracle.hpp"
#include "tests/support/oracles.hpp"

namespace riffle::fuzz {
namespace {

using cli::sequence;

void check_fasta(const delivery& given) {
  std::vector<sequence> found;
  const auto failure = given.open([&](const input& opened) {
    source from(opened, given.reading());
    cli::fasta_counter counter(from.name(), [&](const sequence& each) { found.push_back(each); });
    for (block next = cli::behind_byte_order_mark(from); !next.empty(); next = from.next()) counter.add(next);
    counter.finish();
  });
  const std::size_t mark = test::size_of_mark(given.text());
  const std::string_view text = given.text().substr(mark);
  auto expected = test::first_error_of_fasta(text);
  if (expected) *expected += mark;
  require_failure(failure, expected);
  if (failure) return;
  const auto same = [](const sequence& left, const sequence& right) {
    return left.name == right.name && left.length == right.length && left.counts == right.counts;
  };
  require(std::ranges::equal(found, test::naive_sequences(text), same), "sequences are as expected");
}

struct naive_reads {
  cli::read_counts counts;
  bool malformed = false;
};

naive_reads reads_of(std::string_view text) {
  naive_reads all;
  std::vector<std::string> record;
  for (const std::string& line :
       test::naive_lines(text.substr(test::size_of_mark(text)), {.strip_cr = true})) {
    if (record.empty() && line.empty()) continue;
    record.push_back(line);
    if (record.size() != 4) continue;
    const std::string& bases = record[1];
    const std::string& qualities = record[3];
    const auto quality = [](char byte) { return byte >= '!' && byte <= '~'; };
    const bool repeats = record[2] == "+" || record[2] == '+' + record[0].substr(1);
    all.malformed = record[0].front() != '@' || !repeats || bases.size() != qualities.size() ||
                    !std::ranges::all_of(qualities, quality);
    if (all.malformed) return all;
    ++all.counts.reads;
    all.counts.bases += bases.size();
    for (const char each : qualities) ++all.counts.tables[0][static_cast<unsigned char>(each)];
    record.clear();
  }
  all.malformed = !record.empty();
  return all;
}

void check_fastq(const delivery& given) {
  cli::read_counts found;
  const auto failure =
      given.open([&](const input& opened) { cli::count_reads(source(opened, given.reading()), found); });
  const naive_reads expected = reads_of(given.text());
  require(failure.has_value() == expected.malformed, "a malformed record is an error");
  require(found.reads == expected.counts.reads && found.bases == expected.counts.bases,
          "the records before the error count");
  for (std::size_t quality = 0; quality != cli::read_counts::qualities; ++quality) {
    require(found.of_quality(quality) == expected.counts.of_quality(quality), "qualities are as expected");
  }
}

}  // namespace
}  // namespace riffle::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FuzzedDataProvider from(data, size);
  const bool fastq = from.ConsumeBool();
  const riffle::fuzz::delivery given(from);
  fastq ? riffle::fuzz::check_fastq(given) : riffle::fuzz::check_fasta(given);
  return 0;
}
