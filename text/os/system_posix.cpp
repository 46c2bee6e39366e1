/// The locale, files that replace others, and the terminal, on POSIX systems.
#include <langinfo.h>
#include <locale.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <clocale>
#include <cstdlib>
#include <cwchar>
#include <cwctype>

#include "text/os/system.hpp"

// macOS declares here what the headers above have for a locale_t.
#if __has_include(<xlocale.h>)
#include <xlocale.h>
#endif

namespace riffle::os {

namespace {

const char* set_variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr || *value == '\0' ? nullptr : value;
}

bool is_c(std::string_view name) {
  return name == "C" || name == "POSIX";
}

// Returns whether every category that a variable names has this locale. To load it for one then tells that
// all can be loaded.
bool names_all_categories(std::string_view locale) {
  constexpr std::array variables{"LC_COLLATE",   "LC_MONETARY",    "LC_NUMERIC",        "LC_TIME",
                                 "LC_MESSAGES",  "LC_PAPER",       "LC_NAME",           "LC_ADDRESS",
                                 "LC_TELEPHONE", "LC_MEASUREMENT", "LC_IDENTIFICATION", "LANG"};
  return std::ranges::all_of(variables, [locale](const char* variable) {
    const char* const value = set_variable(variable);
    return value == nullptr || value == locale || is_c(value);
  });
}

// A static program takes what decodes an encoding other than UTF-8 from the system's C library. If that is of
// another version, the program may end by a signal, so a child process tries it.
bool can_decode() {
  const std::string_view encoding = ::nl_langinfo(CODESET);
  if (!RIFFLE_STATIC_LIBC || encoding == "UTF-8" || encoding == "ANSI_X3.4-1968") return true;
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(STDERR_FILENO);
    static_cast<void>(std::btowc(0xA0));
    ::_exit(0);
  }
  int status = -1;
  while (child > 0 && ::waitpid(child, &status, 0) == -1 && errno == EINTR) status = -1;
  return status == 0;
}

// Returns whether the new file has the permissions of the old one. File systems without any refuse a change.
bool has_permissions(int made, const struct stat& old) {
  struct stat now{};
  if (fstat(made, &now) != 0) return false;
  mode_t wanted = old.st_mode & 0777U;
  if (now.st_gid != old.st_gid) wanted &= 0707U | (wanted & 07U) << 3U;
  return (now.st_mode & 0777U) == wanted || fchmod(made, wanted) == 0;
}

}  // namespace

// As GNU wc does, it stays in the C locale if any category names a locale that is not there. Setting a locale
// reads its files, a dozen for all categories, so riffle asks for no more than the variables do.
void set_locale_of_characters() {
  const char* const all = set_variable("LC_ALL");
  const char* const name = all != nullptr ? all : set_variable("LC_CTYPE");
  const char* const wanted = name != nullptr ? name : set_variable("LANG");
  if (wanted == nullptr || is_c(wanted)) return;
  if (all == nullptr && !names_all_categories(wanted)) {
    if (std::setlocale(LC_ALL, "") == nullptr) return;
    static_cast<void>(std::setlocale(LC_ALL, "C"));  // numbers and messages stay as they are
  }
  static_cast<void>(std::setlocale(LC_CTYPE, wanted));
  if (!can_decode()) static_cast<void>(std::setlocale(LC_CTYPE, "C"));
}

struct environment_locale::state {
  locale_t loaded;
  locale_t before;
};

environment_locale::environment_locale() {
  const locale_t loaded = newlocale(LC_ALL_MASK, "", nullptr);
  if (loaded == nullptr) return;
  const locale_t before = uselocale(loaded);
  if (can_decode()) {
    state_ = std::make_unique<state>(state{loaded, before});
  } else {
    uselocale(before);
    freelocale(loaded);
  }
}

environment_locale::~environment_locale() {
  if (!state_) return;
  uselocale(state_->before);
  freelocale(state_->loaded);
}

bool environment_locale::is_utf8() const {
  return state_ && std::string_view(nl_langinfo_l(CODESET, state_->loaded)) == "UTF-8";
}

environment_locale::character environment_locale::first_of(std::string_view text) const {
  std::mbstate_t shift{};
  wchar_t found = 0;
  const std::size_t size = std::mbrtowc(&found, text.data(), text.size(), &shift);
  if (size == static_cast<std::size_t>(-2)) return {text, false};
  if (size == static_cast<std::size_t>(-1) || size == 0) return {text.substr(0, 1), false};
  return {text.substr(0, size), std::iswprint(static_cast<std::wint_t>(found)) != 0};
}

file create_to_replace(const std::filesystem::path& target, const std::filesystem::path& name) {
  struct stat old{};
  const bool keeps = lstat(target.c_str(), &old) == 0 && S_ISREG(old.st_mode) && old.st_uid == geteuid();
  file made = file::open(name, keeps ? open_mode::create_private : open_mode::create_new);
  if (keeps && !has_permissions(made.descriptor(), old)) {
    const int code = errno;
    unlink(name.c_str());
    fail("create", made.name(), std::nullopt, code, "it cannot get the permissions of the file it replaces");
  }
  return made;
}

// Linux closes the descriptor also if a signal interrupts the call.
int close_descriptor(int descriptor) noexcept {
  return ::close(descriptor) == 0 || errno == EINTR ? 0 : errno;
}

bool is_terminal(std::FILE* stream) noexcept {
  return isatty(fileno(stream)) == 1;
}

bool is_pipe(std::FILE* stream) noexcept {
  struct stat found{};
  return fstat(fileno(stream), &found) == 0 && (S_ISFIFO(found.st_mode) || S_ISSOCK(found.st_mode));
}

std::size_t columns_of_terminal(std::FILE* stream) noexcept {
  winsize size{};
  return ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col != 0 ? size.ws_col : 80;
}

}  // namespace riffle::os
