/// Decodes an input part by part, on the thread that reads and on others ahead of it, in bounded memory.
#pragma once

#include <riffle/input.hpp>
#include <riffle/options.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "decode/format.hpp"
#include "decode/members.hpp"

namespace riffle::inline v0::decode {

/// What was done before the threads start, beside going to the first member.
struct begun_work {
  cut_part met = {};                // the first part, or none
  cut_state cut_at = {};            // where it was cut off
  member_reader* reader = nullptr;  // goes on with the member that was begun; null: there is none
  std::uint64_t taken = 0;          // the bytes that it has handed out
};

/// Threads that decode an input. Each takes the next part and decodes it alone; the thread that reads does so
/// too, if it would wait. What has no parts is decoded by one of them. The bytes of a part are handed out
/// after its checksums were right, if it is not large. Memory is bounded, whatever the ratio.
class decode_ahead {
 public:
  /// Decodes by up to so many threads, of which the one that reads is the first; throws std::system_error if
  /// it has to be the only one of several. The input and the reader that was begun outlive this, and are not
  /// used by others.
  decode_ahead(const format& of, compressed_input& from, unsigned threads, begun_work begun);
  decode_ahead(const decode_ahead&) = delete;
  decode_ahead& operator=(const decode_ahead&) = delete;
  /// Ends the threads at once.
  ~decode_ahead();

  /// Returns the next block; empty at the end. Calls `waiting` now and then while it waits. Valid until the
  /// next call. Throws `failure`, and what the input throws.
  std::span<char> next(callback waiting);
  /// Goes on after the end at `cut_state::stop`, up to that of the input. No other thread decodes.
  void go_on();
  /// Returns whether the next part ended by an exception, which `next` throws for good.
  bool failed() noexcept;
  /// Returns the offset in the input after what was decoded for the blocks handed out last.
  std::uint64_t used() const noexcept;
  /// Returns how many bytes lie before the part that is read.
  std::uint64_t before_part() const noexcept;
  /// Leaves the threads, and what they use, to the process that this one was forked from.
  void abandon() noexcept;

 private:
  struct shared;
  std::unique_ptr<shared> shared_;
};

/// A part owns each record that follows a delimiter in it; the first part of a file the first record too. So
/// what it reads begins at a member, and goes on into the next part until a record ends.
class part_reader {
 public:
  /// `from`, which outlives this, stands at the first member of the split and stops at its end.
  part_reader(decode_ahead& from, const detail::split_records& part)
      : from_(from), delimiter_(*part.records.delimiter), owns_(part.split.begin == 0) {}

  /// Returns the next bytes; empty at the end. Throws as `decode_ahead::next`.
  std::span<char> next(callback waiting);

 private:
  decode_ahead& from_;
  char delimiter_;
  bool owns_;              // the next byte belongs to a record of this part
  bool past_end_ = false;  // it lies in the next part
  bool ended_ = false;
};

}  // namespace riffle::inline v0::decode
