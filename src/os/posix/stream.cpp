/// Opens streams on a descriptor, on POSIX systems with libstdc++ or libc++.
#include "os/stream.hpp"

#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <new>

#include "os/posix/calls.hpp"

#if __has_include(<ext/stdio_filebuf.h>)
#include <ext/stdio_filebuf.h>
#define RIFFLE_HAS_STDIO_FILEBUF 1
#endif

namespace riffle::os {

// Discards what is in the buffer. POSIX, and glibc from 2.41 on, let fclose move the position back to what
// was read of it, and a parent process shares that position.
void close_stdio::operator()(std::FILE* stream) const noexcept {
  discard_buffer(stream);
  std::fclose(stream);
}

stdio_stream open_stdio(file from) {
  stdio_stream stream(fdopen(from.descriptor(), "rb"));
  if (!stream) fail("open", from.name());
  from.release();
  return stream;
}

void seek_stdio(std::FILE* stream, std::uint64_t offset, std::string_view name) {
  if (fseeko(stream, static_cast<off_t>(offset), SEEK_SET) == 0) return;
  // EINVAL: no file of this file system reaches so far, so its end is as good, if it lies before.
  const bool at_end = errno == EINVAL && fseeko(stream, 0, SEEK_END) == 0 && position_of(stream) <= offset;
  if (!at_end) fail("seek in", name, offset);
}

std::uint64_t position_of(std::FILE* stream) noexcept {
  const off_t position = ftello(stream);
  return position < 0 ? 0 : static_cast<std::uint64_t>(position);
}

int descriptor_of(std::FILE* stream) noexcept {
  return fileno(stream);
}
bool is_terminal(std::FILE* stream) noexcept {
  return isatty(fileno(stream)) == 1;
}

#ifdef RIFFLE_HAS_STDIO_FILEBUF

std::unique_ptr<std::streambuf> open_filebuf(file from) {
  using filebuf = __gnu_cxx::stdio_filebuf<char>;
  auto buffer = std::make_unique<filebuf>();
  try {
    *buffer = filebuf(from.descriptor(), std::ios::in | std::ios::binary);
  } catch (const std::bad_alloc&) {
    from.release();  // it has closed the descriptor
    throw;
  }
  if (!buffer->is_open()) fail("open", from.name());
  from.release();
  return buffer;
}

#else

// The standard has no stream on a descriptor; this is the one of libc++, by fdopen(3).
std::unique_ptr<std::streambuf> open_filebuf(file from) {
  auto buffer = std::make_unique<std::filebuf>();
  if (buffer->__open(from.descriptor(), std::ios::in | std::ios::binary) == nullptr)
    fail("open", from.name());
  from.release();
  return buffer;
}

#endif

}  // namespace riffle::os
