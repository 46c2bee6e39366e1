/// What texts need of the system: the locale of the user, files that take the place of others, and the
/// terminal.
#pragma once

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string_view>

#include "os/file.hpp"

namespace riffle::os {

/// Sets the locale of the program to the one that LC_ALL, LC_CTYPE or LANG names, for characters alone. It
/// stays the C locale if there is no such locale, and on Windows. Call it before there are threads.
void set_locale_of_characters();

/// The locale of the environment, for the calling thread only. If a part of it is missing, all of it is C.
class environment_locale {
 public:
  environment_locale();
  environment_locale(const environment_locale&) = delete;
  environment_locale& operator=(const environment_locale&) = delete;
  ~environment_locale();

  [[nodiscard]] bool is_utf8() const;

  /// The first character of a text, or a byte or the rest of the text that is none.
  struct character {
    std::string_view bytes;
    bool printable;
  };
  [[nodiscard]] character first_of(std::string_view text) const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

/// Makes a file of a new name, which is to replace `target`. If that is a regular file of the same owner, and
/// no link, the new one gets its permissions, but no set-user-ID and the like, and never has more. If its
/// group differs, that may do no more than everyone. Other files are made as the umask has it. Windows gives
/// a file the permissions of its folder.
file create_to_replace(const std::filesystem::path& target, const std::filesystem::path& name);

/// Closes a descriptor. Returns the errno of a failure, such as that of bytes that a file server did not
/// take; 0: none.
int close_descriptor(int descriptor) noexcept;

/// Returns whether what is written to the stream goes to a terminal.
bool is_terminal(std::FILE* stream) noexcept;
/// Returns whether another program reads what is written to the stream: from a pipe or a socket.
bool is_pipe(std::FILE* stream) noexcept;
/// Returns how many columns the terminal of the stream has now; 80 if it does not tell, or if it is none. A
/// signal handler may call it.
std::size_t columns_of_terminal(std::FILE* stream) noexcept;

}  // namespace riffle::os
