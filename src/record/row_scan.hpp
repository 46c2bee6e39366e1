/// Finds the rows of an input in batches, and keeps the row that a batch or a block cuts.
#ifndef RIFFLE_RECORD_ROW_SCAN_HPP
#define RIFFLE_RECORD_ROW_SCAN_HPP

#include <riffle/error.hpp>
#include <riffle/rows.hpp>
#include <riffle/source.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "kernel/kernels.hpp"

namespace riffle::inline v0::detail {

/// Reads an input, and finds the ends of its fields by one pass of a SIMD kernel over each batch.
///
/// The ends count from the first byte of the oldest row in the batch. So the ends of a row that goes on in
/// the next batch or block are moved once, and stay right when a carry moves its bytes.
class row_scan final : public row_state {
 public:
  /// As `riffle::rows`.
  row_scan(const input& from, const row_options& rows, const read_options& reading);
  row_scan(riffle::source from, const row_options& rows);

  bool next_batch() override;
  std::uint64_t offset_behind() const noexcept override;

  const riffle::source& source() const noexcept { return source_; }

 private:
  static constexpr std::size_t batch_size = 4096;

  void keep_unfinished();
  bool next_block();
  void match_batch();
  void end_last_row();
  void reserve(std::size_t wanted);
  [[noreturn]] void fail();
  error failure_at(const char* bad) const;
  error bad_quoting(const char* bad, std::string_view what) const;

  kernel::row_bytes bytes_;
  riffle::source source_;
  std::size_t longest_;  // that a row can get before its end is known
  kernel::quoting quoting_ = {};

  std::unique_ptr<std::uint64_t[]> memory_ = {};  // -1, which ends the row before the first; then the ends
  std::size_t capacity_ = 0;                      // of the ends
  std::array<std::uint32_t, batch_size + kernel::row_slack> rows_;
  std::size_t kept_ = 0;            // ends of a row that started before the batch
  kernel::row_matches found_ = {};  // in the batch, behind those that were kept

  const char* unfinished_ = nullptr;  // the first byte of the row whose end was not found
  std::string_view rest_;             // of the block, behind the batch
  std::optional<error> failure_ = {};
};

}  // namespace riffle::inline v0::detail

#endif
