/// Hands out records of an input to C in batches, each of the records that are in memory.
#pragma once

#include <riffle.h>
#include <riffle/detail/record_iterator.hpp>
#include <riffle/source.hpp>

#include <cstddef>
#include <exception>
#include <optional>
#include <span>
#include <utility>

#include "c/guarded.hpp"
#include "c/input.hpp"

namespace riffle::inline v0::c {
class row_records;
}

/// Is the handle of riffle.h.
struct riffle_records {
  riffle_records(const riffle_input& input, const riffle_read_options* options) : from(input), how(options) {}
  riffle_records(const riffle_records&) = delete;
  riffle_records& operator=(const riffle_records&) = delete;
  virtual ~riffle_records() = default;

  /// Writes the next records, and returns how many; 0: the end. Throws what a step throws.
  virtual std::size_t next(riffle_string* views, std::size_t capacity) = 0;
  /// Copies the next bytes, and returns how many; 0: the end. Throws `refusal` if the records are no blocks.
  virtual std::size_t read_some(std::span<char> into) {
    static_cast<void>(into);
    riffle::c::require(false, "the records are no blocks; open them by riffle_blocks_open or riffle_open");
    return 0;
  }
  virtual const riffle::source& source() const = 0;
  /// Returns this object if its records are rows.
  virtual riffle::c::row_records* rows() noexcept { return nullptr; }

  riffle_input from;  // first, as the others refer to it
  riffle::c::reading how;
};

namespace riffle::inline v0::c {

/// Returns a handle. Throws `refusal` if there is none.
template <class Records>
Records& required(Records* records) {
  require(records != nullptr, "the records are NULL");
  return *records;
}

/// Steps through a range of records, from batch to batch.
template <class Range>
class batches {
 public:
  using cursor = detail::steps::cursor<Range>;

  template <class... Options>
  explicit batches(const Options&... options) : range_(options...) {}

  Range& range() noexcept { return range_; }
  const Range& range() const noexcept { return range_; }

  /// Calls `write(record, index)` for each record of a batch, as long as it returns true. Returns the number
  /// of records; 0: the end. A failure waits until the records before it were handed out.
  template <class Write>
  std::size_t next(std::size_t capacity, Write write) {
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    cursor at = at_ ? *std::exchange(at_, std::nullopt) : detail::steps::resume(range_);
    if (!detail::steps::advance(range_, at)) return 0;
    std::size_t count = 0;
    try {
      bool more = true;
      do {
        more = write(at.record, count);
        ++count;
      } while (more && count != capacity && detail::steps::advance_in_block(range_, at));
      at_ = at;
    } catch (const end_of_thread&) {
      throw;
    } catch (...) {
      if (count == 0) throw;
      failure_ = std::current_exception();
    }
    return count;
  }

 private:
  Range range_;
  std::optional<cursor> at_;  // empty: a step failed or none was made
  std::exception_ptr failure_;
};

}  // namespace riffle::inline v0::c
