/// Asks how much of a file is in the page cache.
#pragma once

#include <cstdint>
#include <optional>

#include "os/file.hpp"

namespace riffle::os {

/// Returns the number of pages of the range that are in the page cache; `std::nullopt` if the system does not
/// tell, as for a file of another user. `offset` is a multiple of the page size. It looks at every page: by
/// one cachestat call (Linux 6.5), else by the slower mincore.
std::optional<std::uint64_t> resident_pages(const file& file, std::uint64_t offset, std::uint64_t length);

/// Returns the share of `size` bytes of a file from `begin` on that is in the page cache, 0 to 1;
/// `std::nullopt` if it is unknown. It looks at two to eight samples, unlike `resident_pages`.
std::optional<double> resident_share(const file& file, std::uint64_t size, std::uint64_t begin = 0);

}  // namespace riffle::os
