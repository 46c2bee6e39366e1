/// Starts a program by CreateProcess, without a shell, and collects its output.
#include "bench/host/os/process.hpp"

#include "bench/host/os/windows/start.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <riffle/input.hpp>
#include <stdexcept>

namespace riffle::os {

namespace {

using std::filesystem::path;

[[noreturn]] void fail(const std::string& program, const std::string& why) {
  throw std::runtime_error("cannot run '" + program + "': " + why);
}

// Null characters between the variables, and one more at the end. Windows wants them sorted, and takes them
// unsorted.
std::wstring environment() {
  std::wstring all = L"LC_ALL=C";
  all.append(1, L'\0').append(L"POSIXLY_CORRECT=1").append(1, L'\0');
  const std::unique_ptr<wchar_t, decltype(&FreeEnvironmentStringsW)> own(GetEnvironmentStringsW(),
                                                                         FreeEnvironmentStringsW);
  for (const wchar_t* at = own.get(); at != nullptr && *at != L'\0';) {
    const std::wstring_view variable = at;
    if (!variable.starts_with(L"LC_ALL=") && !variable.starts_with(L"POSIXLY_CORRECT="))
      all.append(variable).append(1, L'\0');
    at += variable.size() + 1;
  }
  return all;
}

void read_all(HANDLE from, const std::function<void(std::string_view)>& use) {
  std::array<char, 4096> part{};
  DWORD count = 0;
  while (ReadFile(from, part.data(), part.size(), &count, nullptr) != 0) use({part.data(), count});
}

}  // namespace

std::optional<std::string> find_program(std::string_view program) {
  const wchar_t* const variable = _wgetenv(L"PATH");
  std::wstring_view rest = variable == nullptr ? std::wstring_view() : variable;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(L';'), rest.size());
    path candidate = path(rest.substr(0, end)) / detail::path_of(program);
    candidate += ".exe";
    std::error_code failure;
    if (candidate.is_absolute() && std::filesystem::is_regular_file(candidate, failure))
      return candidate.string();
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return std::nullopt;
}

std::string output_of(const std::vector<std::string>& arguments) {
  std::string text;
  read_output(arguments, [&](std::string_view part) { text += part; });
  return text;
}

void read_output(const std::vector<std::string>& arguments,
                 const std::function<void(std::string_view)>& use) {
  const std::string& program = arguments.front();
  started_program started(arguments, environment());
  if (started.code != ERROR_SUCCESS)
    fail(program, std::system_category().message(static_cast<int>(started.code)));
  read_all(started.output, use);
  WaitForSingleObject(started.process, INFINITE);
  DWORD status = 0;
  GetExitCodeProcess(started.process, &status);
  if (status != 0) fail(program, "exit status " + std::to_string(status));
}

}  // namespace riffle::os
