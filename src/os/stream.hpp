/// C and C++ streams on an open descriptor, which no standard offers.
#ifndef RIFFLE_OS_STREAM_HPP
#define RIFFLE_OS_STREAM_HPP

#include <cstdint>
#include <cstdio>
#include <memory>
#include <streambuf>
#include <string_view>

#include "os/file.hpp"

namespace riffle::os {

struct close_stdio {
  void operator()(std::FILE* stream) const noexcept { std::fclose(stream); }
};
using stdio_stream = std::unique_ptr<std::FILE, close_stdio>;

/// A stream that reads the descriptor, and owns it.
stdio_stream open_stdio(file from);
void seek_stdio(std::FILE* stream, std::uint64_t offset, std::string_view name);
/// Where the stream stands; 0 for what has no position.
std::uint64_t position_of(std::FILE* stream) noexcept;
/// What the stream reads from; -1 where it is not a file (fmemopen).
int descriptor_of(std::FILE* stream) noexcept;

bool is_terminal(std::FILE* stream) noexcept;

/// The buffer of a std::ifstream, likewise.
std::unique_ptr<std::streambuf> open_filebuf(file from);

}  // namespace riffle::os

#endif
