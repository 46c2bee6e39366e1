/// Lengths are kept in a histogram, from which the rest follows.
#include "cli/count/sequence_stats.hpp"

#include <array>
#include <charconv>

namespace riffle::cli {

std::optional<std::uint64_t> base_counts::share() const noexcept {
  if (acgt == 0) return std::nullopt;
  // As printf("%.2f") prints it: a tie goes to the even digit.
  std::array<char, 8> text{};
  const double percent = 100 * static_cast<double>(gc) / static_cast<double>(acgt);
  const char* const end =
      std::to_chars(text.data(), text.data() + text.size(), percent, std::chars_format::fixed, 2).ptr;
  std::uint64_t hundredths = 0;
  for (const char each : std::string_view(text.data(), end)) {
    if (each != '.') hundredths = 10 * hundredths + static_cast<std::uint64_t>(each - '0');
  }
  return hundredths;
}

void sequence_stats::add(std::uint64_t length, const base_counts& of) {
  ++records;
  bases += length;
  counts.add(of);
  lengths.add(length);
}

void sequence_stats::add(const sequence_stats& other) {
  records += other.records;
  bases += other.bases;
  counts.add(other.counts);
  lengths.add(other.lengths);
}

sequence_stats::lengths_in_order sequence_stats::in_order() const {
  lengths_in_order found;
  std::uint64_t shorter = 0;  // the bases of shorter sequences
  bool first = true;
  lengths.for_each([&](std::uint64_t length, std::uint64_t number) {
    if (first) found.shortest = length;
    first = false;
    found.longest = length;
    if (bases - shorter >= bases - bases / 2) found.n50 = length;
    shorter += length * number;
  });
  return found;
}

}  // namespace riffle::cli
