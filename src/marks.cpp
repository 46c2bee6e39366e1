/// Why this file exists: the finding of marks is one call through the active kernel table per batch.
#include <riffle/detail/mark_scan.hpp>

#include "kernel/kernels.hpp"

namespace riffle::detail {

std::size_t match_delimiter::operator()(std::string_view batch, mark* marks) const {
  return kernel::active().find_byte(batch.data(), batch.size(), delimiter, marks);
}

std::size_t match_word_edges::operator()(std::string_view batch, mark* marks) {
  return kernel::active().find_word_edges(batch.data(), batch.size(), in_word, marks);
}

}  // namespace riffle::detail
