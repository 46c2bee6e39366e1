/// Counts the bases of each sequence of a FASTA file.
#pragma once

#include <riffle/source.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace riffle::cli {

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

}  // namespace riffle::cli
