/// Counts the sequences of FASTA and FASTQ files: bases, qualities, and what --stats says of all together. It
/// finds the edges of headers in masks of 64 bytes.
#pragma once

#include <riffle/detail/byte_order_mark.hpp>
#include <riffle/error.hpp>
#include <riffle/scan.hpp>
#include <riffle/sequences.hpp>
#include <riffle/source.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "cli/count/per_line.hpp"
#include "cli/kernel/kernels.hpp"

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
  std::optional<std::uint64_t> share() const noexcept {
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

  void add(std::uint64_t length, const base_counts& of) {
    ++records;
    bases += length;
    counts.add(of);
    lengths.add(length);
  }

  void add(const sequence_stats& other) {
    records += other.records;
    bases += other.bases;
    counts.add(other.counts);
    lengths.add(other.lengths);
  }

  /// The lengths that --stats prints. Meaningless without a record.
  struct lengths_in_order {
    std::uint64_t shortest = 0;
    std::uint64_t longest = 0;
    std::uint64_t n50 = 0;  // the longest such that sequences of it and longer have half of the bases
  };
  lengths_in_order in_order() const {
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
  fasta_counter(std::string_view name, std::function<void(const sequence&)> found)
      : input_(name), found_(std::move(found)) {}

  /// Takes the next block, which is not empty. Throws `riffle::error` if something but empty lines stands
  /// before the first header, and for a CR without a newline after it, after the sequences before it.
  void add(const block& next) {
    std::string_view rest = started_ ? next.bytes : behind_first_mark(next);
    const std::uint64_t end = next.offset + next.size();
    for (; !rest.empty(); rest.remove_prefix(std::min(batch_size, rest.size()))) {
      add_batch(rest.substr(0, batch_size), end - rest.size());
    }
  }

  /// Ends the last sequence, at the end of the file.
  void finish() {
    if (!started_) return;
    if (!in_header_ && last_ == '\r' && current_.length != 0) --current_.length;
    end_sequence();
  }

 private:
  static constexpr std::size_t batch_size = 4096;
  using masks = std::array<std::uint64_t, batch_size / 64>;
  // For each part between two edges, and the rest after the last one.
  using part_counts = std::array<std::uint32_t, batch_size + 1>;
  static constexpr std::array<byte_set, bases.size()> base_sets{
      byte_set("aA"), byte_set("cC"), byte_set("gG"), byte_set("tT"), byte_set("nN")};

  // The bytes after the first '>'. Sets `started_` if it is there.
  std::string_view behind_first_mark(const block& next) {
    const std::string_view text = next.bytes;
    const std::size_t first = text.find_first_not_of("\r\n");
    if (first == std::string_view::npos) {
      last_ = text.back();
      return {};
    }
    const char before = first == 0 ? last_ : text[first - 1];
    if (text[first] != '>' || before != '\n') {
      fail(next.offset + first, "text stands before the first line that starts with '>'");
    }
    started_ = in_header_ = true;
    last_ = '>';
    return text.substr(first + 1);
  }

  [[noreturn]] void fail(std::uint64_t offset, std::string_view why) const {
    throw error(errc::invalid_argument, "count", input_, offset, std::string("not FASTA: ").append(why));
  }

  // `offset` is that of the batch in the input.
  void add_batch(std::string_view batch, std::uint64_t offset) {
    const kernel::table& kernel = kernel::active();
    const std::size_t words = detail::mask_words(batch.size());
    bool header = in_header_;
    const std::size_t stray = find_edges(batch);
    masks matches;
    for (std::size_t i = 0; i != bases.size(); ++i) {
      scan::match_any_of(batch, base_sets[i], matches);
      kernel.count_between(matches.data(), edges_.data(), words, base_counts_[i].data());
    }
    std::size_t part = 0;
    std::size_t from = 0;
    for (std::size_t i = 0; i != words; ++i) {
      for (std::uint64_t left = edges_[i]; left != 0; left &= left - 1) {
        const std::size_t edge = i * 64 + static_cast<std::size_t>(std::countr_zero(left));
        if (edge >= stray) break;
        if (header) {
          add_header(batch.substr(from, edge - from));
        } else {
          add_bases(part, edge - from);
          end_sequence();
        }
        header = !header;
        from = edge + 1;
        ++part;
      }
    }
    if (stray != batch.size()) fail(offset + stray - 1, "a CR stands without an LF after it");
    if (header) {
      add_header(batch.substr(from));
    } else {
      add_bases(part, batch.size() - from);
    }
  }

  // Fills `edges_`, and the counts of ends of lines between them. Headers start and end by turns, because a
  // header starts after a newline only. Returns the place after the first CR that no newline follows, or the
  // size of the batch.
  std::size_t find_edges(std::string_view batch) {
    const kernel::table& kernel = kernel::active();
    const std::size_t words = detail::mask_words(batch.size());
    masks cr_lines;
    scan::match_byte(batch, '\n', lines_);
    scan::match_byte(batch, '\r', cr_lines);
    scan::match_byte(batch, '>', edges_);
    std::uint64_t after_line = last_ == '\n' ? 1 : 0;
    std::uint64_t after_cr = last_ == '\r' ? 1 : 0;
    std::size_t stray = batch.size();
    for (std::size_t i = 0; i != words; ++i) {
      const std::uint64_t starts = edges_[i] & (lines_[i] << 1U | after_line);
      after_line = lines_[i] >> 63U;
      // The sum carries from the start of each header to the newline that ends it, and into the next mask.
      std::uint64_t sum = 0;
      in_header_ = __builtin_add_overflow(~lines_[i], starts | (in_header_ ? 1U : 0U), &sum);
      edges_[i] = starts | (sum & lines_[i]);
      const std::uint64_t cr = cr_lines[i];
      const std::uint64_t behind_cr = cr << 1U | after_cr;
      cr_lines[i] = lines_[i] & behind_cr;
      after_cr = cr >> 63U;
      if (behind_cr != cr_lines[i]) {
        stray = std::min(stray, i * 64 + static_cast<std::size_t>(std::countr_zero(behind_cr ^ cr_lines[i])));
      }
    }
    last_ = batch.back();
    kernel.count_between(lines_.data(), edges_.data(), words, line_counts_.data());
    kernel.count_between(cr_lines.data(), edges_.data(), words, cr_counts_.data());
    return stray;
  }

  void add_header(std::string_view text) {
    if (name_ended_) return;
    const auto is_blank = [](char byte) { return word_separators.contains(byte); };
    if (current_.name.empty()) text = {std::ranges::find_if_not(text, is_blank), text.end()};
    const auto* const end = std::ranges::find_if(text, is_blank);
    current_.name.append(text.begin(), end);
    name_ended_ = end != text.end();
  }

  // Adds a part that belongs to a sequence. A newline at its start may be after a CR of the batch before,
  // whose byte the length then has too many.
  void add_bases(std::size_t part, std::uint64_t size) {
    current_.length += size - line_counts_[part] - cr_counts_[part];
    for (std::size_t i = 0; i != bases.size(); ++i) current_.counts[i] += base_counts_[i][part];
  }

  void end_sequence() {
    found_(current_);
    current_.name.clear();
    current_.length = 0;
    current_.counts = {};
    name_ended_ = false;
  }

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

  std::uint64_t of_quality(std::size_t quality) const {
    std::uint64_t sum = 0;
    for (const auto& table : tables) sum += table['!' + quality];
    return sum;
  }

  void add_qualities(std::string_view text) {
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

  void add(const read_counts& other) {
    reads += other.reads;
    bases += other.bases;
    for (std::size_t i = 0; i != qualities; ++i) tables[0]['!' + i] += other.of_quality(i);
  }
};

/// Adds the records of an input to `counts`: four lines each, with empty lines between records. Throws
/// `riffle::error` with the offset for a malformed record, and as reading does; `counts` then has all records
/// before it. `stats`, if it is not null, gets the same records. Memory grows with the longest line.
inline void count_reads(source from, read_counts& counts, sequence_stats* stats = nullptr) {
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
