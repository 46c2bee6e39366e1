/// The streams of std::cin, by which nvwa's programs read. `sync_with_stdio` concerns std::cin alone and
/// cannot be undone, so these streams are built on the same stream buffers that libstdc++ puts under std::cin
/// before and after sync_with_stdio(false).
#pragma once

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <istream>
#include <optional>
#include <string>

#if __has_include(<ext/stdio_filebuf.h>)
#include <ext/stdio_filebuf.h>
#include <ext/stdio_sync_filebuf.h>
#endif

#include "bench/contenders/raw_input.hpp"
#include "bench/data/contender.hpp"

namespace riffle::bench {

#if __has_include(<ext/stdio_filebuf.h>)

/// Reads as std::cin does at first: every byte by getc on a FILE.
using synced_buffer = __gnu_cxx::stdio_sync_filebuf<char>;
/// Reads as std::cin does after sync_with_stdio(false): read(2) into a buffer of its own.
struct unsynced_buffer : __gnu_cxx::stdio_filebuf<char> {
  explicit unsynced_buffer(std::FILE* file) : stdio_filebuf(file, std::ios::in | std::ios::binary) {}
};

inline std::optional<std::string> no_stdin_streams(input_files) {
  return std::nullopt;
}

#else

/// Other libraries do not open those stream buffers to programs. Nothing reads these.
struct synced_buffer : std::streambuf {
  explicit synced_buffer(std::FILE*) {}
};
using unsynced_buffer = synced_buffer;

inline std::optional<std::string> no_stdin_streams(input_files) {
  return "riffle was not built with libstdc++, whose std::cin this is";
}

#endif

}  // namespace riffle::bench
