/// What `count --stats` says of the sequences of a FASTA or FASTQ file together.
#pragma once

#include <riffle/scan.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

#include "cli/count/per_line.hpp"

namespace riffle::cli {

/// Bases of a sequence, in both cases.
struct base_counts {
  std::uint64_t gc = 0;
  std::uint64_t acgt = 0;
  void add(std::string_view text) noexcept {
    gc += scan::count_any_of(text, gc_set);
    acgt += scan::count_any_of(text, acgt_set);
  }
  void add(const base_counts& other) noexcept {
    gc += other.gc;
    acgt += other.acgt;
  }
  /// The share of G and C among A, C, G and T, in hundredths of a percent; none without a base.
  std::optional<std::uint64_t> share() const noexcept;

 private:
  static constexpr byte_set gc_set{"cCgG"};
  static constexpr byte_set acgt_set{"aAcCgGtT"};
};

/// Sums up sequences. Its memory grows with the number of different lengths, as that of a histogram of lines.
struct sequence_stats {
  std::uint64_t records = 0;
  std::uint64_t bases = 0;
  base_counts counts;
  line_histogram lengths;

  void add(std::uint64_t length, const base_counts& of);
  void add(const sequence_stats& other);

  /// The lengths that --stats prints. Meaningless without a record.
  struct lengths_in_order {
    std::uint64_t shortest = 0;
    std::uint64_t longest = 0;
    std::uint64_t n50 = 0;  // the longest such that sequences of it and longer have half of the bases
  };
  lengths_in_order in_order() const;
};

}  // namespace riffle::cli
