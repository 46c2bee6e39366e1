/// Sets and checks the state of the page cache before every run: whether a file is in it, and how it got
/// there, changes the result.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>

#include "bench/data/task.hpp"
#include "os/file.hpp"

namespace riffle::bench {

/// Brings the files into the state, once: written files are written anew, by themselves. Returns what has to
/// be called before each run: it evicts the files, or looks whether they are still in the cache and fills it
/// again where the system has evicted some; it may do so while a run lasts, which its `bytes_read` shows.
/// `measured`: how many bytes of each file are read in a run; no more than these are brought into the cache.
/// `left_as_written`: written files are left as they are, and read again if pages were evicted.
/// Both throw riffle::error, which names the file, if that state is impossible: a file that stays in the
/// cache (on tmpfs, or mapped or dirty elsewhere) cannot be cold; and if another program changed the file, as
/// what was measured before and after cannot be compared.
std::function<void()> prepare_cache(cache_mode mode, input_files files,
                                    std::uint64_t measured = std::numeric_limits<std::uint64_t>::max(),
                                    bool left_as_written = false);

/// Asks the OS kernel to evict what it holds of the files, or of the devices, and looks at nothing. Throws
/// riffle::error if one cannot be opened.
void evict(input_files files);

/// Reads so many bytes, or to the end, as a program would that fills the cache.
void read_through(const os::file& file, std::uint64_t measured);

}  // namespace riffle::bench
