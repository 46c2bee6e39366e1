/// Frames of LZ4 by liblz4.
#include <lz4frame.h>

#include <new>

#include "decode/format.hpp"

namespace riffle::inline v0::decode {

namespace {

class lz4 final : public codec {
 public:
  lz4() {
    if (LZ4F_isError(LZ4F_createDecompressionContext(&state_, LZ4F_VERSION)) != 0) throw std::bad_alloc();
  }
  ~lz4() override { LZ4F_freeDecompressionContext(state_); }

  void start() override { LZ4F_resetDecompressionContext(state_); }
  step decode(std::string_view from, std::span<char> to) override {
    std::size_t read = from.size();
    std::size_t written = to.size();
    const std::size_t left = LZ4F_decompress(state_, to.data(), &written, from.data(), &read, nullptr);
    if (LZ4F_isError(left) != 0) fail(LZ4F_getErrorName(left));
    return {read, written, left == 0};
  }

 private:
  [[noreturn]] static void fail(std::string_view name) {
    if (name == "ERROR_allocation_failed") throw std::bad_alloc();
    if (name.ends_with("Checksum_invalid"))
      throw damage(errc::bad_compression, "its checksum does not match");
    throw damage(errc::bad_compression, damaged);
  }

  LZ4F_dctx* state_ = nullptr;
};

}  // namespace

std::unique_ptr<codec> open_lz4(unsigned /*threads*/) {
  return std::make_unique<lz4>();
}

}  // namespace riffle::inline v0::decode
