/// Decodes an input in order in the thread that reads it, and measures whether another thread would help.
#pragma once

#include <riffle/options.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <span>

#include "decode/compressed_input.hpp"
#include "decode/format.hpp"
#include "decode/members.hpp"
#include "method/buffer.hpp"

namespace riffle::inline v0::decode {

/// Decodes an input member by member, in order.
class in_order {
 public:
  /// Drops the first `skipped` decoded bytes. `first`: no member was met yet.
  in_order(const format& of, compressed_input& from, unsigned threads, bool first, std::uint64_t skipped)
      : codec_(of.open(threads)), memory_(copied_block), reader_(of, from, *codec_, first), left_(skipped) {}

  /// Returns the next decoded bytes, none at the end. `before_block` is called before it decodes on to pass
  /// what is dropped. Valid until the next call. Throws as `member_reader::read`.
  std::span<char> next(const callback& before_block) {
    const std::span<char> space = memory_.space();
    while (true) {
      const std::span<char> block = space.first(reader_.read(space));
      const auto skipped = static_cast<std::size_t>(std::min<std::uint64_t>(left_, block.size()));
      left_ -= skipped;
      if (skipped != block.size() || block.empty()) return block.subspan(skipped);
      if (before_block) before_block();
    }
  }
  member_reader& reader() noexcept { return reader_; }
  /// Leaves the threads of the codec, which are in another process.
  void abandon() noexcept { static_cast<void>(codec_.release()); }

 private:
  std::unique_ptr<codec> codec_;
  buffer memory_;
  member_reader reader_;
  std::uint64_t left_;  // of those to be dropped
};

/// Says whether the reader is slow enough for a thread that decodes ahead. To hand a block to another
/// processor costs about an eighth of decoding it, so that thread has to save more.
class pace {
 public:
  /// Notes that the reader asks for a block. Returns true, once in a while, if it took more than a quarter of
  /// the time of decoding for the last ones.
  bool asked() {
    asked_ = clock::now();
    if (blocks_ != 0) reading_ += asked_ - returned_;
    if (blocks_ != blocks_of_look) return false;
    const bool slow = reading_ > decoding_ / 4;
    blocks_ = 0;
    decoding_ = reading_ = {};
    return slow;
  }
  /// Notes that the block was decoded.
  void returned() {
    returned_ = clock::now();
    decoding_ += returned_ - asked_;
    ++blocks_;
  }

 private:
  using clock = std::chrono::steady_clock;
  static constexpr unsigned blocks_of_look = 16;
  unsigned blocks_ = 0;
  clock::time_point asked_;
  clock::time_point returned_;
  clock::duration decoding_{};
  clock::duration reading_{};
};

}  // namespace riffle::inline v0::decode
