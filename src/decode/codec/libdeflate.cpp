/// Whole members of gzip by libdeflate: the blocks of BGZF.
#include <libdeflate.h>

#include <new>

#include "decode/bgzf.hpp"
#include "decode/codec.hpp"

namespace riffle::inline v0::decode {

namespace {

class whole_members final : public codec {
 public:
  whole_members() {
    if (!state_) throw std::bad_alloc();
  }

  void start() override {}
  step decode(std::string_view from, std::span<char> to) override {
    step made{.ended = true};
    switch (libdeflate_gzip_decompress_ex(state_.get(), from.data(), from.size(), to.data(), to.size(),
                                          &made.read, &made.written)) {
      case LIBDEFLATE_SUCCESS:
        return made;
      case LIBDEFLATE_INSUFFICIENT_SPACE:
        throw damage(errc::bad_compression, "a block of BGZF holds more than 64 KiB");
      default:
        throw damage(errc::bad_compression, damaged);
    }
  }
  std::size_t room() const noexcept override { return bgzf_block; }

 private:
  struct free {
    void operator()(libdeflate_decompressor* state) const noexcept { libdeflate_free_decompressor(state); }
  };
  std::unique_ptr<libdeflate_decompressor, free> state_{libdeflate_alloc_decompressor()};
};

}  // namespace

std::unique_ptr<codec> open_libdeflate(unsigned /*threads*/) {
  return std::make_unique<whole_members>();
}

}  // namespace riffle::inline v0::decode
