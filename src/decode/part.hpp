/// Hands out the records that start in a part of a compressed file.
#pragma once

#include <riffle/file_split.hpp>
#include <riffle/options.hpp>

#include <span>

#include "decode/ahead.hpp"

namespace riffle::inline v0::decode {

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
