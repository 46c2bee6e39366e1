/// Counts the sequences of FASTA and FASTQ files: bases, qualities, and what --stats says of all together.
#pragma once

#include <riffle/detail/byte_order_mark.hpp>
#include <riffle/scan.hpp>
#include <riffle/source.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
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

/// What is counted in each sequence, in both cases.
inline constexpr std::string_view bases = "ACGTN";

/// A sequence: the first word of its header, its length without ends of lines, and how many it has of each of
/// `bases`.
struct sequence {
  std::string name;
  std::uint64_t length = 0;
  std::array<std::uint64_t, bases.size()> counts{};
};

/// Takes a FASTA file block by block and hands on each sequence when it ends. A '>' at the start of a line
/// starts one. Memory does not grow with a sequence, only with its name.
class fasta_counter {
 public:
  /// `name` is that of the input in messages.
  fasta_counter(std::string_view name, std::function<void(const sequence&)> found);

  /// Takes the next block, which is not empty. Throws `riffle::error` if something but empty lines stands
  /// before the first header, and for a CR without a newline after it, after the sequences before it.
  void add(const block& next);
  /// Ends the last sequence, at the end of the file.
  void finish();

 private:
  static constexpr std::size_t batch_size = 4096;
  using masks = std::array<std::uint64_t, batch_size / 64>;
  // For each part between two edges, and the rest after the last one.
  using part_counts = std::array<std::uint32_t, batch_size + 1>;

  std::string_view behind_first_mark(const block& next);
  [[noreturn]] void fail(std::uint64_t offset, std::string_view why) const;
  void add_batch(std::string_view batch, std::uint64_t offset);
  std::size_t find_edges(std::string_view batch);
  void add_header(std::string_view text);
  void add_bases(std::size_t part, std::uint64_t size);
  void end_sequence();

  std::string input_;
  std::function<void(const sequence&)> found_;
  sequence current_;
  bool started_ = false;    // the first header was found
  bool in_header_ = false;  // the next byte belongs to a header
  bool name_ended_ = false;
  char last_ = '\n';  // the byte before the next one
  masks lines_{};     // of the batch: the newlines
  masks edges_{};     // the marks that start headers, and the newlines that end them
  std::array<part_counts, bases.size()> base_counts_{};
  part_counts line_counts_{};  // newlines
  part_counts cr_counts_{};    // newlines after a CR
};

/// Returns the first block of an input without a byte order mark: the second block, if there is nothing else
/// in it. Throws what `source::next` throws.
inline block behind_byte_order_mark(source& from) {
  using detail::byte_order_mark;
  block first = from.next();
  std::size_t had = 0;
  while (first.size() != had && first.size() < byte_order_mark.size() &&
         byte_order_mark.starts_with(first.bytes)) {
    had = first.size();
    first = from.next(had);
  }
  if (first.offset != 0 || !first.bytes.starts_with(byte_order_mark)) return first;
  if (first.size() == byte_order_mark.size()) return from.next();
  return {first.bytes.substr(byte_order_mark.size()), byte_order_mark.size()};
}

/// What a FASTQ file has. A quality is a character from '!', which is 0, to '~'.
struct read_counts {
  static constexpr std::size_t qualities = '~' - '!' + 1;

  std::uint64_t reads = 0;
  std::uint64_t bases = 0;
  /// How often each byte is a quality, together. Several tables, because adding to a counter waits for the
  /// addition before to the same counter.
  std::array<std::array<std::uint64_t, 256>, 4> tables{};

  std::uint64_t of_quality(std::size_t quality) const;
  void add_qualities(std::string_view text);
  void add(const read_counts& other);
};

/// Adds the records of an input to `counts`: four lines each, with empty lines between records. Throws
/// `riffle::error` with the offset for a malformed record, and as reading does; `counts` then has all records
/// before it. `stats`, if it is not null, gets the same records. Memory grows with the longest line.
void count_reads(source from, read_counts& counts, sequence_stats* stats = nullptr);

}  // namespace riffle::cli
