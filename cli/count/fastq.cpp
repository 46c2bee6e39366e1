/// Counts the records that the library has checked, so that what is printed after an error is right.
#include "cli/count/fastq.hpp"

#include <riffle/sequences.hpp>

#include <utility>

namespace riffle::cli {

std::uint64_t read_counts::of_quality(std::size_t quality) const {
  std::uint64_t sum = 0;
  for (const auto& table : tables) sum += table['!' + quality];
  return sum;
}

void read_counts::add_qualities(std::string_view text) {
  const auto byte = [text](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  std::size_t at = 0;
  for (; text.size() - at >= 4; at += 4) {
    ++tables[0][byte(at)];
    ++tables[1][byte(at + 1)];
    ++tables[2][byte(at + 2)];
    ++tables[3][byte(at + 3)];
  }
  for (; at != text.size(); ++at) ++tables[0][byte(at)];
}

void read_counts::add(const read_counts& other) {
  reads += other.reads;
  bases += other.bases;
  for (std::size_t i = 0; i != qualities; ++i) tables[0]['!' + i] += other.of_quality(i);
}

void count_reads(source from, read_counts& counts, sequence_stats* stats) {
  for (const fastq_record& each : fastq_range(std::move(from))) {
    ++counts.reads;
    counts.bases += each.sequence.size();
    if (stats == nullptr) {
      counts.add_qualities(each.quality);
    } else {
      base_counts found;
      found.add(each.sequence);
      stats->add(each.sequence.size(), found);
    }
  }
}

}  // namespace riffle::cli
