/// Cuts Zstandard into frames, as far as they are small enough to be decoded side by side.
#include <zstd.h>

#include "decode/format.hpp"

namespace riffle::inline v0::decode {

namespace {

// pzstd and the seekable format write frames of up to 8 MiB.
constexpr std::size_t largest_part = (std::size_t{8} << 20U) + (std::size_t{64} << 10U);
constexpr std::size_t longest_header = 18;

bool may_be_small(std::string_view bytes) {
  const unsigned long long size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  return size != ZSTD_CONTENTSIZE_ERROR && (size == ZSTD_CONTENTSIZE_UNKNOWN || size <= largest_part);
}

}  // namespace

// Each look at the frame walks over its blocks anew, so that twice as much is gathered for the next one.
bool cut_zstd(compressed_input& from, std::vector<char>& part, cut_state& /*state*/) {
  if (!may_be_small(from.gather(longest_header))) return false;
  for (std::size_t wanted = std::size_t{16} << 10U;; wanted *= 2) {
    const std::string_view bytes = from.gather(wanted);
    const std::size_t size = ZSTD_findFrameCompressedSize(bytes.data(), bytes.size());
    if (ZSTD_isError(size) == 0) {
      part.assign(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
      from.skip(size);
      return true;
    }
    if (bytes.size() < wanted || wanted > largest_part) return false;
  }
}

}  // namespace riffle::inline v0::decode
