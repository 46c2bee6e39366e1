/// The environment of a process that is started, and its end in words.
#include "bench/host/os/spawn.hpp"

#include "bench/host/os/command.hpp"

#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>

namespace riffle::os {

std::vector<std::string> environment_with(const std::vector<std::string>& own) {
  std::vector<std::string> variables = own;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view text(*each);
    const std::string_view name = text.substr(0, text.find('=') + 1);
    if (name.empty() ||
        std::ranges::none_of(own, [&](const std::string& other) { return other.starts_with(name); }))
      variables.emplace_back(text);
  }
  return variables;
}

std::string failure_in_words(int status, std::string errors) {
  std::string text;
  if (WIFSIGNALED(status)) text = std::string("ended by a signal: ") + strsignal(WTERMSIG(status));
  if (WIFEXITED(status) && WEXITSTATUS(status) != 0)
    text = "exit status " + std::to_string(WEXITSTATUS(status));
  while (errors.ends_with('\n')) errors.pop_back();
  for (std::size_t at = 0; (at = errors.find('\n', at)) != std::string::npos;) errors.replace(at, 1, "; ");
  return text.empty() || errors.empty() ? text : text + ": " + errors;
}

bool keep_errors(int reading, std::string& errors) {
  constexpr std::size_t most = 1000;
  std::array<char, 4096> part;
  const ssize_t count = ::read(reading, part.data(), part.size());
  if (count > 0) errors.append(part.data(), std::min(most - errors.size(), static_cast<std::size_t>(count)));
  return count != 0;
}

std::optional<std::string> find_program(std::string_view program) {
  const char* const variable = std::getenv("PATH");
  std::string_view rest = variable == nullptr ? "/usr/bin:/bin" : variable;
  while (!rest.empty()) {
    const std::size_t colon = rest.find(':');
    std::string candidate(rest.substr(0, colon));
    candidate.append("/").append(program);
    std::error_code ignored;  // a directory may have X_OK too
    if (access(candidate.c_str(), X_OK) == 0 && std::filesystem::is_regular_file(candidate, ignored))
      return candidate;
    rest = colon == std::string_view::npos ? std::string_view{} : rest.substr(colon + 1);
  }
  return std::nullopt;
}

}  // namespace riffle::os
