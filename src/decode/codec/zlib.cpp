/// gzip and zlib by zlib.
#include <zlib.h>

#include <new>

#include "decode/format.hpp"

namespace riffle::inline v0::decode {

namespace {

constexpr int largest_window = 15;

class zlib final : public codec {
 public:
  explicit zlib(int window) {
    if (inflateInit2(&state_, window) != Z_OK) throw std::bad_alloc();
  }
  ~zlib() override { inflateEnd(&state_); }

  void start() override { inflateReset(&state_); }
  step decode(std::string_view from, std::span<char> to) override {
    const auto given = fitting<uInt>(from.size());
    const auto room = fitting<uInt>(to.size());
    state_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(from.data()));
    state_.avail_in = given;
    state_.next_out = reinterpret_cast<Bytef*>(to.data());
    state_.avail_out = room;
    const int outcome = inflate(&state_, Z_NO_FLUSH);
    if (outcome == Z_MEM_ERROR) throw std::bad_alloc();
    if (outcome == Z_NEED_DICT)
      throw damage(errc::bad_compression, "it needs a dictionary, which riffle lacks");
    if (outcome == Z_DATA_ERROR) fail(static_cast<std::ptrdiff_t>(given - state_.avail_in));
    return {given - state_.avail_in, room - state_.avail_out, outcome == Z_STREAM_END};
  }

 private:
  // The checksum stands at the start of the trailer, and the size of gzip after it.
  [[noreturn]] void fail(std::ptrdiff_t read) const {
    const std::string_view reason = state_.msg != nullptr ? state_.msg : "";
    if (reason == "incorrect data check")
      throw damage(errc::bad_compression, "its checksum does not match", read - 4);
    if (reason == "incorrect length check")
      throw damage(errc::bad_compression, "its size does not match", read - 8);
    throw damage(errc::bad_compression, damaged, read);
  }

  z_stream state_ = {};
};

}  // namespace

std::unique_ptr<codec> open_inflate(unsigned /*threads*/) {
  constexpr int with_gzip_header = 16;
  return std::make_unique<zlib>(largest_window + with_gzip_header);
}
std::unique_ptr<codec> open_zlib(unsigned /*threads*/) {
  return std::make_unique<zlib>(largest_window);
}

}  // namespace riffle::inline v0::decode
