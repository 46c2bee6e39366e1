/// Prints the reads, bases, share of G and C, mean quality and N50 of a FASTQ file: `riffle::lines`.
#include <iomanip>
#include <iostream>
#include <map>
#include <numeric>
#include <riffle/riffle.hpp>

namespace {
struct statistics {
  std::uint64_t lines = 0, bases = 0, gc = 0, quality = 0;  // quality: the sum of the Phred scores
  std::map<std::size_t, std::uint64_t> lengths;             // how many reads have that length
  std::size_t length = 0;                                   // of the current read

  void add(std::string_view line) {
    switch (lines++ % 4) {
      case 0:
        return check(line.starts_with('@'), "a read starts with @");
      case 1:
        length = line.size();
        bases += length;
        gc += riffle::scan::count_any_of(line, "GCgc");
        ++lengths[length];
        return;
      case 2:
        return check(line.starts_with('+'), "a + stands between bases and qualities");
      default:
        check(line.size() == length, "a read has as many qualities as bases");
        quality += std::accumulate(line.begin(), line.end(), std::uint64_t{0}) - 33 * length;
    }
  }
  void check(bool right, const char* rule) const {
    if (!right) throw std::runtime_error("line " + std::to_string(lines) + ": " + rule);
  }
  /// The greatest length such that half of the bases lie in reads of at least that length.
  [[nodiscard]] std::size_t n50() const {
    std::uint64_t shorter = 0;
    for (const auto& [size, reads] : lengths) {
      shorter += size * reads;
      if (2 * shorter > bases) return size;
    }
    return 0;
  }
};
}  // namespace

int main(int argc, char** argv) try {
  const riffle::input from = argc > 1 ? riffle::input(argv[1]) : riffle::input(std::cin);
  statistics all;
  riffle::for_each(riffle::lines(from, {.strip_cr = true}), [&](std::string_view line) { all.add(line); });
  all.check(all.lines % 4 == 0, "the last read is not complete");
  const double bases = all.bases == 0 ? 1 : static_cast<double>(all.bases);
  std::cout << "reads\tbases\tGC %\tmean quality\tN50\n"
            << all.lines / 4 << '\t' << all.bases << std::fixed << std::setprecision(2) << '\t'
            << 100 * static_cast<double>(all.gc) / bases << '\t' << static_cast<double>(all.quality) / bases
            << '\t' << all.n50() << '\n';
} catch (const std::exception& failure) {
  std::cerr << "fastq_stats: " << failure.what() << '\n';
  return 1;
}
