/// Finds the records of FASTQ: four lines each, of which a block may cut any.
#pragma once

#include <riffle/detail/place_scan.hpp>
#include <riffle/error.hpp>
#include <riffle/sequences.hpp>
#include <riffle/source.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace riffle::inline v0::detail {

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
