/// Finds the records of FASTA and of FASTQ, of which a block may cut any, and joins their lines.
#pragma once

#include <riffle/detail/byte_order_mark.hpp>
#include <riffle/detail/place_scan.hpp>
#include <riffle/error.hpp>
#include <riffle/lines.hpp>
#include <riffle/sequences.hpp>
#include <riffle/source.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "source/source_state.hpp"

namespace riffle::inline v0::detail {

/// Returns how many bytes of a byte order mark the first line of an input starts with.
inline std::size_t size_of_mark(std::string_view line) noexcept {
  return line.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
}

/// Throws `riffle::error` (`errc::invalid_argument`) for a split, which may start inside a record.
inline void require_no_split(const source& from) {
  if (!source_state::of(from).input()->part) return;
  throw error(errc::invalid_argument, "read", from.name(), std::nullopt,
              "a split of lines cuts records of FASTQ and FASTA; read the file whole");
}

/// Copies each line before the next one is read. Only the line that starts the next record ends one.
template <>
class sequence_scan<fasta_record> {
 public:
  sequence_scan(riffle::source from, const sequence_options& options);

  /// Moves to the next record. Returns false at the end, and if it has to read but must not.
  bool next(fasta_record& record, bool may_read);
  const riffle::source& source() const noexcept { return lines_.from(); }

 private:
  // Finds lines, and their places in the input.
  class placed_lines : public line_range {
   public:
    using line_range::line_range;
    std::uint64_t offset_of(const char* place) noexcept { return scan().offset_of(place); }
    const char* place() noexcept { return scan().place(); }
  };
  struct header {
    std::string name = {};
    std::uint64_t offset = 0;  // of its '>'
  };

  bool next_line(bool may_read);
  bool starts_record(std::string_view line);
  void append(std::string& to, std::string_view bytes);
  [[noreturn]] void refuse_front(std::string_view line, std::uint64_t offset);
  void refuse_lines_that_end_in_cr(std::string_view line, std::uint64_t offset);
  [[noreturn]] void fail(const error& why);

  placed_lines lines_;
  line_range::cursor at_;
  std::size_t max_length_;
  header current_;
  header next_;  // whose line ended the current record
  std::string sequence_;
  std::uint64_t number_ = 0;  // of the record handed out last
  bool inside_ = false;       // of a record: `current_` is its header
  bool handed_out_ = false;   // the current record was
  bool ended_ = false;
  std::optional<error> failure_;  // of a record: no other one follows
};

/// Checks each line of a record as it ends, so that an error does not depend on the blocks.
template <>
class sequence_scan<fastq_record> {
 public:
  sequence_scan(riffle::source from, const sequence_options& options);

  /// Moves to the next record. Returns false at the end, and if it has to read but must not.
  bool next(fastq_record& record, bool may_read);
  const riffle::source& source() const noexcept { return source_; }

 private:
  static constexpr std::size_t lines_of_record = 4;
  enum part : std::uint8_t { header, sequence, plus, quality };

  bool next_block();
  void skip_mark(const char* stop) noexcept;
  void add_line(const char* stop);
  void check();
  void check_quality();
  std::uint64_t offset_of(const char* place) const noexcept {
    return offset_ + static_cast<std::uint64_t>(place - begin_);
  }
  [[noreturn]] void fail(const char* place, std::string_view what, errc code = errc::bad_value);

  riffle::source source_;
  std::size_t max_length_;
  place_scan<match_delimiter> scan_{match_delimiter{'\n'}};
  place_cursor at_;
  const char* begin_ = nullptr;                            // of the block
  const char* end_ = nullptr;                              // of the block
  std::uint64_t offset_ = 0;                               // of the block in the input
  const char* start_ = nullptr;                            // of the record that is not handed out yet
  const char* line_ = nullptr;                             // where its next line starts
  std::size_t found_ = 0;                                  // lines of it
  std::array<std::string_view, lines_of_record> lines_{};  // those
  std::uint64_t number_ = 0;                               // of the record handed out last
  std::optional<error> failure_;                           // of a record: no other one follows
};

}  // namespace riffle::inline v0::detail
