/// Offers the memory that columns lie in, which outlives the reading.
#pragma once

#include <cstddef>
#include <memory>

namespace riffle::python::arrow {

/// Memory that all batches with bytes in it share. The last of them gives it back, in whichever thread.
using chunk = std::shared_ptr<char>;

/// The size of the chunks that are used again, in bytes: a huge page of x86-64.
inline constexpr std::size_t chunk_size = std::size_t{2} << 20U;

/// Returns memory of `size` bytes, aligned to 64 bytes as Arrow recommends. Fresh memory is of huge pages if
/// asked for: they save most of the faults of a large column, and waste memory for a small one. Throws
/// `std::bad_alloc`. Thread safety: any number of threads may call it, and so may the child of a fork.
chunk take_chunk(std::size_t size, bool huge_pages);

}  // namespace riffle::python::arrow
