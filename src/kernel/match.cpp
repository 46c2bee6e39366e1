/// Matches a batch by one call through the active table of SIMD kernels.
#include <riffle/detail/match_scan.hpp>
#include <riffle/detail/place_scan.hpp>

#include "kernel/kernels.hpp"

namespace riffle::inline v0::detail {

std::size_t match_delimiter::operator()(std::string_view batch, std::uint16_t* places) const {
  return kernel::active().match_delimiter(batch.data(), batch.size(), delimiter, places);
}

std::uint64_t match_word_edges::operator()(std::string_view batch, std::uint64_t* masks) {
  return kernel::active().match_word_edges(batch.data(), batch.size(), in_word, masks);
}

}  // namespace riffle::inline v0::detail
