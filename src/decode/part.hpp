/// Hands out the records that start in a part of a compressed file.
#ifndef RIFFLE_DECODE_PART_HPP
#define RIFFLE_DECODE_PART_HPP

#include <riffle/file_split.hpp>

#include <span>

#include "decode/members.hpp"

namespace riffle::inline v0::decode {

/// A part owns each record that follows a delimiter in it; the first part of a file the first record too. So
/// what it reads begins at a member, and goes on into the next part until a record ends.
class part_reader {
 public:
  /// `from`, which outlives this, stands at the first member of the split.
  part_reader(member_reader& from, const detail::split_records& part)
      : from_(from), delimiter_(*part.records.delimiter), owns_(part.split.begin == 0) {
    from_.stop_at(part.split.end);
  }

  /// Decodes into `space`, and returns what is left of it; empty at the end. Throws as `member_reader::read`.
  std::span<char> next(std::span<char> space);

 private:
  member_reader& from_;
  char delimiter_;
  bool owns_;              // the next byte belongs to a record of this part
  bool past_end_ = false;  // it lies in the next part
  bool ended_ = false;
};

}  // namespace riffle::inline v0::decode

#endif
