/// Tells how much a C or C++ stream gives without waiting, by what the standard libraries show of their
/// streams.
#include "os/stream.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <fstream>

#if __has_include(<ext/stdio_sync_filebuf.h>)
#include <ext/stdio_sync_filebuf.h>
#else
#include <iostream>
#endif

namespace riffle::os {

bool may_wait(std::FILE* stream) noexcept {
  try {
    return file::borrow(descriptor_of(stream), {}).status().size == 0;
  } catch (const std::exception&) {
    return true;  // it has no descriptor (fopencookie)
  }
}

std::size_t ready_bytes(std::FILE* stream) noexcept {
  const int descriptor = descriptor_of(stream);
  return buffered_bytes(stream) + (descriptor < 0 ? 0 : ready_bytes(descriptor));
}

namespace {

// As dynamic_cast, but null for a class that was compiled with -fno-rtti. In the Itanium ABI, which every
// compiler here has, the type stands before the table of functions.
template <class Buffer>
Buffer* cast_to(std::streambuf& bytes) noexcept {
  const void* const* functions = nullptr;
  std::memcpy(static_cast<void*>(&functions), static_cast<const void*>(&bytes), sizeof functions);
  return functions[-1] == nullptr ? nullptr : dynamic_cast<Buffer*>(&bytes);
}

}  // namespace

#if __has_include(<ext/stdio_sync_filebuf.h>)

std::FILE* stdio_behind(std::streambuf& bytes) noexcept {
  auto* const synchronised = cast_to<__gnu_cxx::stdio_sync_filebuf<char>>(bytes);
  return synchronised != nullptr ? synchronised->file() : nullptr;
}

// It asks its descriptor itself.
bool may_wait(std::streambuf& /*bytes*/) noexcept {
  return true;
}

#else

// libc++ has one class for it, without a name. It reads stdin without a buffer of its own in any case.
static const std::streambuf* const standard_input = std::cin.rdbuf();

std::FILE* stdio_behind(std::streambuf& bytes) noexcept {
  return &bytes == standard_input ? stdin : nullptr;
}

// A small piece comes no earlier than a whole block, if the stream waits until its buffer is full.
bool may_wait(std::streambuf& bytes) noexcept {
  return !is_filebuf(bytes) || bytes.pubseekoff(0, std::ios::cur, std::ios::in) < 0;
}

#endif

bool is_filebuf(std::streambuf& bytes) noexcept {
  return cast_to<std::filebuf>(bytes) != nullptr;
}

std::size_t ready_bytes(std::streambuf& bytes) {
  return static_cast<std::size_t>(std::max<std::streamsize>(bytes.in_avail(), 0));
}

}  // namespace riffle::os
