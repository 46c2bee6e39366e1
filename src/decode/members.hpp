/// Decodes the members of an input in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>

#include "decode/format.hpp"

namespace riffle::inline v0::decode {

/// Says where an input was damaged.
class failure : public damage {
 public:
  failure(const damage& what, std::uint64_t compressed_offset, std::uint64_t verified)
      : damage(what), compressed_offset_(compressed_offset), verified_(verified) {}
  std::uint64_t compressed_offset() const noexcept { return compressed_offset_; }
  /// Returns how many of the decoded bytes had a right checksum, or belong to members that have none.
  std::uint64_t verified() const noexcept { return verified_; }

 private:
  std::uint64_t compressed_offset_;
  std::uint64_t verified_;
};

/// Says that the compressed bytes could not be read on.
class read_failure : public error {
 public:
  read_failure(const error& problem, std::uint64_t verified) : error(problem), verified_(verified) {}
  /// Returns the same as that of a `failure`: what the system gave before may be no bytes of the file.
  std::uint64_t verified() const noexcept { return verified_; }

 private:
  std::uint64_t verified_;
};

/// Decodes from a member on. The codec and the input outlive it.
class member_reader {
 public:
  /// `first`: the input may begin with something else than a member of this format, which is an error.
  member_reader(const format& of, compressed_input& from, codec& by, bool first)
      : format_(of), from_(from), codec_(by), way_{.first = first} {}

  /// Decodes what fits into `to` and can be had without waiting for more input. Returns the number of bytes,
  /// 0 at the end. Throws `failure`, and the errors of the input; the bytes decoded before that come first.
  std::size_t read(std::span<char> to);
  /// Returns how many of the decoded bytes had a right checksum, or belong to members that have none.
  std::uint64_t verified() const noexcept { return verified_; }
  /// Lets `read` end before a member that can be cut off, which it puts into `part`, and at `state.stop`.
  void stop_before_part(cut_part& part, cut_state& state) noexcept {
    part_ = &part;
    cut_ = &state;
  }

 private:
  std::exception_ptr lost() const noexcept;
  bool begin_member();
  std::size_t decode(std::span<char> to);

  const format& format_;
  compressed_input& from_;
  codec& codec_;
  way_to_member way_;
  bool inside_ = false;
  bool ended_ = false;
  cut_part* part_ = nullptr;
  cut_state* cut_ = nullptr;
  bool began_ = false;  // a member
  std::uint64_t written_ = 0;
  std::uint64_t verified_ = 0;
  std::exception_ptr later_;  // what is thrown once the bytes before it were handed out
};

}  // namespace riffle::inline v0::decode
