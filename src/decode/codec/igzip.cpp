/// gzip by the igzip of ISA-L, the fastest decoder of a member that is read in order.
#include <isa-l/igzip_lib.h>

#include <algorithm>

#include "decode/format.hpp"

namespace riffle::inline v0::decode {

namespace {

class igzip final : public codec {
 public:
  void start() override {
    isal_inflate_init(&state_);
    state_.crc_flag = ISAL_GZIP_NO_HDR_VER;
    isal_gzip_header_init(&header_);
    in_header_ = true;
  }
  step decode(std::string_view from, std::span<char> to) override {
    const auto given = fitting<std::uint32_t>(from.size());
    const auto room = fitting<std::uint32_t>(to.size());
    state_.next_in = reinterpret_cast<std::uint8_t*>(const_cast<char*>(from.data()));
    state_.avail_in = given;
    state_.next_out = reinterpret_cast<std::uint8_t*>(to.data());
    state_.avail_out = room;
    const int outcome = inflate();
    // Before it finds damage, igzip may count more bytes than it was given.
    const auto read = static_cast<std::ptrdiff_t>(std::min(given - state_.avail_in, given));
    if (outcome == ISAL_INCORRECT_CHECKSUM) {
      constexpr std::ptrdiff_t trailer = 8;
      throw damage(errc::bad_compression, "its checksum or size does not match", read - trailer);
    }
    if (outcome != ISAL_DECOMP_OK && outcome != ISAL_END_INPUT)
      throw damage(errc::bad_compression, damaged, read);
    return {given - state_.avail_in, room - state_.avail_out, state_.block_state == ISAL_BLOCK_FINISH};
  }

 private:
  // isal_inflate would forget what it knew of a header that ends in a later call.
  int inflate() {
    if (in_header_) {
      const int outcome = isal_read_gzip_header(&state_, &header_);
      if (outcome != ISAL_DECOMP_OK) return outcome;
      constexpr unsigned reserved = 0xE0;  // RFC 1952 says to refuse them
      if ((header_.flags & reserved) != 0) return ISAL_UNSUPPORTED_METHOD;
      in_header_ = false;
    }
    return isal_inflate(&state_);
  }

  inflate_state state_ = {};
  isal_gzip_header header_ = {};
  bool in_header_ = true;
};

}  // namespace

std::unique_ptr<codec> open_igzip(unsigned /*threads*/) {
  return std::make_unique<igzip>();
}

}  // namespace riffle::inline v0::decode
