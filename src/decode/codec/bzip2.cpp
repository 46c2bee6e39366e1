/// bzip2 by libbz2.
#include <bzlib.h>

#include <new>

#include "decode/format.hpp"

namespace riffle::inline v0::decode {

namespace {

class bzip2 final : public codec {
 public:
  ~bzip2() override { BZ2_bzDecompressEnd(&state_); }

  void start() override {
    BZ2_bzDecompressEnd(&state_);
    state_ = {};
    if (BZ2_bzDecompressInit(&state_, 0, 0) != BZ_OK) throw std::bad_alloc();
  }
  step decode(std::string_view from, std::span<char> to) override {
    const auto given = fitting<unsigned>(from.size());
    const auto room = fitting<unsigned>(to.size());
    state_.next_in = const_cast<char*>(from.data());
    state_.avail_in = given;
    state_.next_out = to.data();
    state_.avail_out = room;
    const int outcome = BZ2_bzDecompress(&state_);
    if (outcome == BZ_MEM_ERROR) throw std::bad_alloc();
    if (outcome != BZ_OK && outcome != BZ_STREAM_END) throw damage(errc::bad_compression, damaged);
    return {given - state_.avail_in, room - state_.avail_out, outcome == BZ_STREAM_END};
  }

 private:
  bz_stream state_ = {};
};

}  // namespace

std::unique_ptr<codec> open_bzip2(unsigned /*threads*/) {
  return std::make_unique<bzip2>();
}

}  // namespace riffle::inline v0::decode
