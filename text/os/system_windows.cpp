/// The locale, files that replace others, and the terminal, on Windows.
#include <riffle/scan.hpp>

#include <io.h>

#include <cerrno>

#include "os/locale.hpp"
#include "os/windows/calls.hpp"
#include "text/os/system.hpp"

namespace riffle::os {

void set_locale_of_characters() {}

struct environment_locale::state {
  bool utf8;
};

environment_locale::environment_locale() : state_(new state{kind_of_locale() == locale_kind::utf8}) {}

environment_locale::~environment_locale() = default;

bool environment_locale::is_utf8() const {
  return state_->utf8;
}

environment_locale::character environment_locale::first_of(std::string_view text) const {
  const scan::character found = scan::decode_utf8(text);
  if (found.size == 0 || (found.size > 1 && !is_utf8())) return {text.substr(0, 1), false};
  return {text.substr(0, found.size), columns_of(found.value) >= 0 && found.value != 0};
}

file create_to_replace(const std::filesystem::path& /*target*/, const std::filesystem::path& name) {
  return file::open(name, open_mode::create_new);
}

int close_descriptor(int descriptor) noexcept {
  return ::_close(descriptor) == 0 ? 0 : errno;
}

bool is_terminal(std::FILE* stream) noexcept {
  return is_console(handle_of(_fileno(stream)));
}

bool is_pipe(std::FILE* stream) noexcept {
  return GetFileType(handle_of(_fileno(stream))) == FILE_TYPE_PIPE;
}

std::size_t columns_of_terminal(std::FILE* stream) noexcept {
  CONSOLE_SCREEN_BUFFER_INFO console{};
  if (GetConsoleScreenBufferInfo(handle_of(_fileno(stream)), &console) == 0) return 80;
  return static_cast<std::size_t>(console.srWindow.Right - console.srWindow.Left + 1);
}

}  // namespace riffle::os
