/// xz by liblzma, with its threads if the file has several blocks.
#include <lzma.h>

#include <new>

#include "decode/format.hpp"
#include "os/threads.hpp"

namespace riffle::inline v0::decode {

namespace {

// A dictionary of 256 MiB, and what liblzma needs beside it.
constexpr std::uint64_t most_memory = std::uint64_t{260} << 20U;
// Each thread holds a block: 24 MiB at the default level of `xz -T`, and as much for its decoded bytes.
constexpr std::uint64_t memory_of_thread = std::uint64_t{96} << 20U;

class xz final : public codec {
 public:
  explicit xz(unsigned threads) : threads_(threads) {}
  ~xz() override {
    const os::uncancelled joining;
    lzma_end(&state_);
  }

  void start() override {
    lzma_mt how = {};
    how.flags = LZMA_TELL_UNSUPPORTED_CHECK;
    how.threads = threads_;
    how.memlimit_threading = memory_of_thread * threads_;
    how.memlimit_stop = most_memory;
    const lzma_ret outcome = threads_ > 1 ? lzma_stream_decoder_mt(&state_, &how)
                                          : lzma_stream_decoder(&state_, most_memory, how.flags);
    if (outcome != LZMA_OK) fail(LZMA_MEM_ERROR);
  }
  step decode(std::string_view from, std::span<char> to) override {
    state_.next_in = reinterpret_cast<const std::uint8_t*>(from.data());
    state_.avail_in = from.size();
    state_.next_out = reinterpret_cast<std::uint8_t*>(to.data());
    state_.avail_out = to.size();
    const lzma_ret outcome = lzma_code(&state_, LZMA_RUN);
    if (outcome != LZMA_OK && outcome != LZMA_BUF_ERROR && outcome != LZMA_STREAM_END) fail(outcome);
    return {from.size() - state_.avail_in, to.size() - state_.avail_out, outcome == LZMA_STREAM_END};
  }

 private:
  [[noreturn]] void fail(lzma_ret outcome) const {
    switch (outcome) {
      case LZMA_MEM_ERROR:  // liblzma says so if the system refuses a thread, too
        if (threads_ > 1) throw no_threads();
        throw std::bad_alloc();
      case LZMA_MEMLIMIT_ERROR:
        throw damage(errc::too_large, "its dictionary exceeds 256 MiB; read the output of `xz -dc`");
      case LZMA_UNSUPPORTED_CHECK:
        throw damage(errc::bad_compression, "its checksum is of a kind that liblzma does not know");
      case LZMA_OPTIONS_ERROR:
        throw damage(errc::bad_compression, "it uses a filter that liblzma does not know");
      default:
        throw damage(errc::bad_compression, damaged);
    }
  }

  unsigned threads_;
  lzma_stream state_ = LZMA_STREAM_INIT;
};

}  // namespace

std::unique_ptr<codec> open_xz(unsigned threads) {
  return std::make_unique<xz>(threads);
}

}  // namespace riffle::inline v0::decode
