/// Opens C and C++ streams on a descriptor, for which there is no standard function in C++.
#pragma once

#include <cstddef>
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

/// Opens the buffer of a std::ifstream that reads the descriptor and owns it.
std::unique_ptr<std::streambuf> open_filebuf(file from);

/// Return whether a read may wait for a writer. A file that reports a size always has its bytes, or its end.
bool may_wait(std::FILE* stream) noexcept;
bool may_wait(std::streambuf& bytes) noexcept;

/// Returns whether it is the buffer of a std::fstream.
bool is_filebuf(std::streambuf& bytes) noexcept;

/// Returns the stream that a std::cin reads that is synchronised with stdio, which has no buffer of its own;
/// null for other buffers.
std::FILE* stdio_behind(std::streambuf& bytes) noexcept;

/// Return how many bytes a read gives without waiting: of the buffer, and of what the descriptor has ready. 0
/// if there are none, or it is unknown. A buffer of the user's may throw what it likes.
std::size_t ready_bytes(std::FILE* stream) noexcept;
std::size_t ready_bytes(std::streambuf& bytes);

/// The two parts of them. The system may not tell of either.
std::size_t buffered_bytes(std::FILE* stream) noexcept;
std::size_t ready_bytes(int descriptor) noexcept;

}  // namespace riffle::os
