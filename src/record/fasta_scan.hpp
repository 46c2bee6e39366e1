/// Finds the records of FASTA, and joins their lines.
#pragma once

#include <riffle/error.hpp>
#include <riffle/lines.hpp>
#include <riffle/sequences.hpp>
#include <riffle/source.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace riffle::inline v0::detail {

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

}  // namespace riffle::inline v0::detail
