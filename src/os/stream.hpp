/// Opens C and C++ streams on a descriptor, for which there is no standard function in C++.
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
  void operator()(std::FILE* stream) const noexcept;
};
using stdio_stream = std::unique_ptr<std::FILE, close_stdio>;

/// Opens a stream that reads the descriptor and owns it.
stdio_stream open_stdio(file from);
/// Moves a stream to `offset`, in bytes from the start of the file.
void seek_stdio(std::FILE* stream, std::uint64_t offset, std::string_view name);
/// Returns the position of the stream in bytes; 0 if it has none.
std::uint64_t position_of(std::FILE* stream) noexcept;
/// Returns the descriptor that the stream reads; -1 if it has none (fmemopen).
int descriptor_of(std::FILE* stream) noexcept;

bool is_terminal(std::FILE* stream) noexcept;

/// Opens the buffer of a std::ifstream that reads the descriptor and owns it.
std::unique_ptr<std::streambuf> open_filebuf(file from);

}  // namespace riffle::os

#endif
