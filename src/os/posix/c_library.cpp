/// Opens streams on a descriptor with libstdc++ or libc++, and asks the C library for what its locale says.
#include <langinfo.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <clocale>
#include <cstdlib>
#include <cwchar>
#include <cwctype>
#include <ios>
#include <new>
#include <streambuf>
#include <utility>

#include "os/locale.hpp"
#include "os/posix/calls.hpp"
#include "os/stream.hpp"
#include "os/threads.hpp"

#if __has_include(<ext/stdio_filebuf.h>)
#include <ext/stdio_filebuf.h>
#define RIFFLE_HAS_STDIO_FILEBUF 1
#endif

namespace riffle::os {

// Discards what is in the buffer. POSIX, and glibc from 2.41 on, let fclose move the position back to what
// was read of it, and a parent process shares that position.
void close_stdio::operator()(std::FILE* stream) const noexcept {
  const uncancelled closing;
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

// In a pipe, a socket, or the lines that were typed at a terminal.
std::size_t ready_bytes(int descriptor) noexcept {
  int count = 0;
  return ioctl(descriptor, FIONREAD, &count) == 0 && count > 0 ? static_cast<std::size_t>(count) : 0;
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

namespace {

// Reads a descriptor as the stream of libstdc++ does. That of libc++ takes a failing read for the end.
class descriptor_buffer final : public std::streambuf {
 public:
  explicit descriptor_buffer(file from) : file_(std::move(from)) {}

 protected:
  int_type underflow() override {
    const std::size_t count = read(bytes_.data(), bytes_.size());
    setg(bytes_.data(), bytes_.data(), bytes_.data() + count);
    return count == 0 ? traits_type::eof() : traits_type::to_int_type(bytes_[0]);
  }

  std::streamsize xsgetn(char* to, std::streamsize size) override {
    std::streamsize done = std::min<std::streamsize>(size, egptr() - gptr());
    std::copy_n(gptr(), done, to);
    setg(eback(), gptr() + done, egptr());
    while (done != size) {
      const std::size_t count = read(to + done, static_cast<std::size_t>(size - done));
      if (count == 0) break;
      done += static_cast<std::streamsize>(count);
    }
    return done;
  }

  pos_type seekoff(off_type offset, std::ios::seekdir from, std::ios::openmode /*which*/) override {
    if (from == std::ios::cur) offset -= egptr() - gptr();
    const int whence = from == std::ios::beg ? SEEK_SET : from == std::ios::cur ? SEEK_CUR : SEEK_END;
    const off_t position = lseek(file_.descriptor(), static_cast<off_t>(offset), whence);
    if (position >= 0) setg(nullptr, nullptr, nullptr);
    return position;
  }
  pos_type seekpos(pos_type position, std::ios::openmode which) override {
    return seekoff(position, std::ios::beg, which);
  }

 private:
  // Throws if it fails, and leaves errno behind.
  std::size_t read(char* to, std::size_t size) {
    const ssize_t count =
        uninterrupted([&] { return ::read(file_.descriptor(), to, std::min(size, longest_read)); });
    if (count < 0) throw std::ios_base::failure("read", std::error_code(errno, std::generic_category()));
    return static_cast<std::size_t>(count);
  }

  static constexpr std::size_t longest_read = 1 << 30;

  file file_;
  std::array<char, 8192> bytes_;
};

}  // namespace

std::unique_ptr<std::streambuf> open_filebuf(file from) {
  return std::make_unique<descriptor_buffer>(std::move(from));
}

#endif

locale_kind kind_of_locale() {
  const std::string_view name = std::setlocale(LC_CTYPE, nullptr);
  if (name == "C" || name == "POSIX") return locale_kind::c;
  if (MB_CUR_MAX == 1) return locale_kind::bytes;
  return std::string_view(::nl_langinfo(CODESET)) == "UTF-8" ? locale_kind::utf8 : locale_kind::multibyte;
}

bool is_white_space(char32_t character) noexcept {
  return std::iswspace(static_cast<std::wint_t>(character)) != 0;
}

int columns_of(char32_t character) noexcept {
  return ::wcwidth(static_cast<wchar_t>(character));
}

decoded_character decode_by_library(std::string_view utf8) noexcept {
  std::mbstate_t state{};
  wchar_t character = 0;
  const std::size_t size = std::mbrtowc(&character, utf8.data(), utf8.size(), &state);
  if (size > utf8.size()) return {};
  return {static_cast<char32_t>(character), size};
}

}  // namespace riffle::os
