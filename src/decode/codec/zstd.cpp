/// Zstandard by libzstd.
#include <zstd.h>
#include <zstd_errors.h>

#include <new>

#include "decode/format.hpp"

namespace riffle::inline v0::decode {

namespace {

[[noreturn]] void fail(std::size_t code) {
  switch (ZSTD_getErrorCode(code)) {
    case ZSTD_error_memory_allocation:
      throw std::bad_alloc();
    case ZSTD_error_frameParameter_windowTooLarge:
      throw damage(errc::too_large, "its window exceeds 128 MiB; read the output of `zstd -dc --long=31`");
    case ZSTD_error_checksum_wrong:
      throw damage(errc::bad_compression, "its checksum does not match");
    case ZSTD_error_dictionary_wrong:
      throw damage(errc::bad_compression,
                   "it needs a dictionary; read the output of `zstd -dc -D DICTIONARY`");
    default:
      throw damage(errc::bad_compression, damaged);
  }
}

class zstd final : public codec {
 public:
  zstd() {
    if (!state_) throw std::bad_alloc();
  }

  void start() override { ZSTD_DCtx_reset(state_.get(), ZSTD_reset_session_only); }
  step decode(std::string_view from, std::span<char> to) override {
    ZSTD_inBuffer in{from.data(), from.size(), 0};
    ZSTD_outBuffer out{to.data(), to.size(), 0};
    const std::size_t left = ZSTD_decompressStream(state_.get(), &out, &in);
    if (ZSTD_isError(left) != 0) fail(left);
    return {in.pos, out.pos, left == 0};
  }

 private:
  struct free {
    void operator()(ZSTD_DCtx* state) const noexcept { ZSTD_freeDCtx(state); }
  };
  std::unique_ptr<ZSTD_DCtx, free> state_{ZSTD_createDCtx()};
};

}  // namespace

std::unique_ptr<codec> open_zstd(unsigned /*threads*/) {
  return std::make_unique<zstd>();
}

}  // namespace riffle::inline v0::decode
