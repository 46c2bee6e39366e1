/// Opens streams on a descriptor with offsets of 64 bits, and has the UTF-8 that the C library of Windows
/// lacks.
#include <fcntl.h>
#include <io.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <new>
#include <string>

#include "os/locale.hpp"
#include "os/stream.hpp"
#include "os/windows/calls.hpp"

#if __has_include(<ext/stdio_filebuf.h>)
#include <ext/stdio_filebuf.h>
#define RIFFLE_HAS_STDIO_FILEBUF 1
#endif

namespace riffle::os {

void close_stdio::operator()(std::FILE* stream) const noexcept {
  std::fclose(stream);
}

stdio_stream open_stdio(file from) {
  _setmode(from.descriptor(), _O_BINARY);
  stdio_stream stream(_fdopen(from.descriptor(), "rb"));
  if (!stream) fail("open", from.name());
  from.release();
  return stream;
}

void seek_stdio(std::FILE* stream, std::uint64_t offset, std::string_view name) {
  if (_fseeki64(stream, static_cast<std::int64_t>(offset), SEEK_SET) != 0) fail("seek in", name, offset);
}

std::uint64_t position_of(std::FILE* stream) noexcept {
  const std::int64_t position = _ftelli64(stream);
  return position < 0 ? 0 : static_cast<std::uint64_t>(position);
}

int descriptor_of(std::FILE* stream) noexcept {
  return _fileno(stream);
}

// The C library does not tell, so a reader that was faster than its writer takes these bytes one by one.
std::size_t buffered_bytes(std::FILE*) noexcept {
  return 0;
}

std::size_t ready_bytes(int descriptor) noexcept {
  DWORD count = 0;
  return PeekNamedPipe(handle_of(descriptor), nullptr, 0, nullptr, &count, nullptr) != 0 ? count : 0;
}

#ifdef RIFFLE_HAS_STDIO_FILEBUF

std::unique_ptr<std::streambuf> open_filebuf(file from) {
  using filebuf = __gnu_cxx::stdio_filebuf<char>;
  auto buffer = std::make_unique<filebuf>();
  _setmode(from.descriptor(), _O_BINARY);
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

// The standard has no stream on a descriptor, so the file is opened once more, by the path that the system
// has.
std::unique_ptr<std::streambuf> open_filebuf(file from) {
  std::wstring path(32'768, L'\0');
  const DWORD length = GetFinalPathNameByHandleW(handle_of(from.descriptor()), path.data(),
                                                 static_cast<DWORD>(path.size()), FILE_NAME_NORMALIZED);
  if (length == 0 || length >= path.size()) fail_with(GetLastError(), "open", from.name());
  path.resize(length);
  auto buffer = std::make_unique<std::filebuf>();
  if (buffer->open(std::filesystem::path(path), std::ios::in | std::ios::binary) == nullptr) {
    fail("open", from.name());
  }
  buffer->pubseekpos(static_cast<std::streamoff>(from.position().value_or(0)));
  return buffer;
}

#endif

locale_kind kind_of_locale() {
  for (const char* const name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* const value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    const std::string_view locale = value;
    return locale == "C" || locale == "POSIX" ? locale_kind::c : locale_kind::utf8;
  }
  return locale_kind::utf8;
}

bool is_white_space(char32_t character) noexcept {
  return glibc::is_white_space(character);
}

int columns_of(char32_t character) noexcept {
  return glibc::columns_of(character);
}

decoded_character decode_by_library(std::string_view /*utf8*/) noexcept {
  return {};
}

}  // namespace riffle::os
