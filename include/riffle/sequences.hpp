/// Offers the records of FASTQ and FASTA files.
#pragma once

#include <riffle/detail/record_iterator.hpp>
#include <riffle/export.hpp>
#include <riffle/input.hpp>
#include <riffle/options.hpp>
#include <riffle/source.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <memory>
#include <string_view>

namespace riffle::inline v0 {

/// Says how riffle hands out records of FASTQ or FASTA. Use designated initialisers.
struct sequence_options {
  /// The longest record accepted, in bytes from its first to its last one, with the ends of the lines between
  /// them. A longer one is `errc::record_too_long`. Without a limit, a long record takes memory of its
  /// length.
  std::size_t max_length = std::numeric_limits<std::size_t>::max();
};

/// Holds a record of FASTQ: four lines, of which the third repeats the name or is a '+' alone.
struct RIFFLE_API fastq_record {
  std::string_view name;      ///< the first line, without its '@'
  std::string_view sequence;  ///< the second line
  std::string_view quality;   ///< the fourth line: as long as `sequence`, of bytes from '!' to '~'
  std::uint64_t number = 0;   ///< 1 for the first record read
  std::uint64_t offset = 0;   ///< of its '@', in bytes from the start of the input
};

/// Holds a record of FASTA.
struct RIFFLE_API fasta_record {
  std::string_view name;      ///< the line that starts with '>', without that
  std::string_view sequence;  ///< the lines that follow, joined; empty if there are none
  std::uint64_t number = 0;   ///< 1 for the first record read
  std::uint64_t offset = 0;   ///< of its '>', in bytes from the start of the input
};

namespace detail {

/// Finds the records of an input.
template <class Record>
class sequence_scan;

/// Iterates over the records of a FASTQ or FASTA file, once. `riffle::fastq` and `riffle::fasta` make this
/// range; it owns its source.
template <class Record>
class RIFFLE_API sequence_range : public single_pass<sequence_range<Record>, Record> {
 public:
  /// Opens an input as `riffle::fastq` does.
  sequence_range(const input& from, const sequence_options& options, const read_options& reading);
  /// The records of a source from which no block was taken. Throws `riffle::error`
  /// (`errc::invalid_argument`) if it is a split.
  explicit sequence_range(source from, const sequence_options& options = {});
  sequence_range(sequence_range&& other) noexcept;
  sequence_range& operator=(sequence_range&& other) noexcept;
  ~sequence_range();

  /// Returns the source of the records, valid as long as this range. Throws `riffle::error`
  /// (`errc::invalid_argument`) if the range was moved from.
  const source& from() const;

 private:
  friend steps;
  struct cursor {
    Record record = {};
  };

  cursor resume() const;
  bool advance(cursor& at);
  bool advance_in_block(cursor& at);
  std::unique_ptr<sequence_scan<Record>> scan_;  // null after a move
};

extern template class sequence_range<fastq_record>;
extern template class sequence_range<fasta_record>;

}  // namespace detail

/// Iterates over the records of a FASTQ file, once. `riffle::fastq` makes this range; it owns its source.
///
/// Each step gives a record, or the end, or throws `riffle::error` with the number and the place of the
/// record: `errc::bad_value` if its first line does not start with '@', its third with '+', if the third has
/// another name, or if the qualities are not as many as the sequence has bytes, or one is not from '!' to
/// '~'; `errc::unexpected_end` if the input ends inside; `errc::record_too_long` for one over `max_length`;
/// another code if reading fails. After a `break`, the next loop continues after the last record.
///
/// riffle skips empty lines between records, a byte order mark at the start, and a '\r' at the end of a line.
/// A sequence stands in one line.
///
/// Lifetime: a record stays valid until you advance to the next one or destroy the range. Moving the range
/// keeps it valid. Thread safety: one thread at a time.
using fastq_range = detail::sequence_range<fastq_record>;

/// Iterates over the records of a FASTA file, once. `riffle::fasta` makes this range; it owns its source.
///
/// Each step gives a record, or the end, or throws `riffle::error`: `errc::bad_value` if something but empty
/// lines stands before the first line with a '>'; `errc::record_too_long` for a record over `max_length`;
/// another code if reading fails. After a `break`, the next loop continues after the last record.
///
/// A line that starts with '>' starts a record. riffle joins the lines that follow; it skips a byte order
/// mark at the start, and a '\r' at the end of a line. Other bytes of a sequence are not checked.
///
/// Lifetime, thread safety: as of `fastq_range`. Memory: riffle copies each record.
using fasta_range = detail::sequence_range<fasta_record>;

/// Returns the records of a FASTQ file: `for (const auto& [name, sequence, quality, number, offset] :
/// riffle::fastq("reads.fq"))`.
///
/// Throws `riffle::error`: `errc::invalid_argument` if the input is a split, as one of lines cuts records;
/// another code if it cannot be opened, or if the method named in `reading` cannot read it.
[[nodiscard]] inline fastq_range fastq(const input& from, const sequence_options& options = {},
                                       const read_options& reading = {}) {
  return {from, options, reading};
}
template <std::same_as<read_options> Options = read_options>
[[nodiscard]] fastq_range fastq(const input& from, const Options& reading) {
  return {from, {}, reading};
}

/// Returns the records of a FASTA file: `for (const riffle::fasta_record& each :
/// riffle::fasta("genome.fa"))`.
///
/// Throws `riffle::error` as `riffle::fastq` does.
[[nodiscard]] inline fasta_range fasta(const input& from, const sequence_options& options = {},
                                       const read_options& reading = {}) {
  return {from, options, reading};
}
template <std::same_as<read_options> Options = read_options>
[[nodiscard]] fasta_range fasta(const input& from, const Options& reading) {
  return {from, {}, reading};
}

}  // namespace riffle::inline v0
