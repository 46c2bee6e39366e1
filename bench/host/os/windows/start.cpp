/// Puts a command line together that the C library of the program takes apart again.
#include "bench/host/os/windows/start.hpp"

#include <riffle/input.hpp>

#include <algorithm>
#include <string_view>

namespace riffle::os {

namespace {

// Backslashes mean themselves, unless a quotation mark follows them: then two stand for each.
std::wstring quoted(const std::wstring& word) {
  if (!word.empty() && word.find_first_of(L" \t\n\v\"") == std::wstring::npos) return word;
  std::wstring text = L"\"";
  std::size_t backslashes = 0;
  for (const wchar_t each : word) {
    if (each == L'"') text.append(backslashes + 1, L'\\');
    text += each;
    backslashes = each == L'\\' ? backslashes + 1 : 0;
  }
  return text.append(backslashes, L'\\') + L"\"";
}

std::wstring command_line(const std::vector<std::string>& arguments) {
  std::wstring line;
  for (const std::string& each : arguments) {
    if (!line.empty()) line += L' ';
    line += quoted(detail::path_of(each).native());
  }
  return line;
}

/// The list of the only handles that a program inherits: a pipe that another one inherited too would not end.
class inherited {
 public:
  inherited(HANDLE* handles, std::size_t count) {
    SIZE_T size = 0;
    InitializeProcThreadAttributeList(nullptr, 1, 0, &size);
    memory_.resize(size);
    InitializeProcThreadAttributeList(list(), 1, 0, &size);
    UpdateProcThreadAttribute(list(), 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, handles, count * sizeof(HANDLE),
                              nullptr, nullptr);
  }
  inherited(const inherited&) = delete;
  inherited& operator=(const inherited&) = delete;
  ~inherited() { DeleteProcThreadAttributeList(list()); }
  LPPROC_THREAD_ATTRIBUTE_LIST list() {
    return reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(memory_.data());
  }

 private:
  std::vector<char> memory_;
};

SECURITY_ATTRIBUTES inheritable() {
  return {sizeof(SECURITY_ATTRIBUTES), nullptr, TRUE};
}

HANDLE open_nothing() {
  SECURITY_ATTRIBUTES attributes = inheritable();
  return CreateFileW(L"NUL", GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE, &attributes, OPEN_EXISTING, 0,
                     nullptr);
}

}  // namespace

started_program::started_program(const std::vector<std::string>& arguments, std::wstring environment) {
  SECURITY_ATTRIBUTES attributes = inheritable();
  HANDLE ends[2] = {};
  if (CreatePipe(&ends[0], &ends[1], &attributes, 0) == 0) {
    code = GetLastError();
    return;
  }
  output = ends[0];
  SetHandleInformation(ends[0], HANDLE_FLAG_INHERIT, 0);
  const owned_handle writing(ends[1]);
  const owned_handle nothing(open_nothing());
  HANDLE const errors = GetStdHandle(STD_ERROR_HANDLE);  // which may be closed
  const bool other = SetHandleInformation(errors, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT) != 0;
  HANDLE handles[] = {writing.get(), nothing.get(), errors};
  inherited list(handles, other ? 3 : 2);
  STARTUPINFOEXW start{};
  start.StartupInfo.cb = sizeof start;
  start.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
  start.StartupInfo.hStdInput = nothing.get();
  start.StartupInfo.hStdOutput = writing.get();
  start.StartupInfo.hStdError = errors;
  start.lpAttributeList = list.list();
  std::wstring line = command_line(arguments);
  PROCESS_INFORMATION made{};
  constexpr DWORD flags = EXTENDED_STARTUPINFO_PRESENT | CREATE_UNICODE_ENVIRONMENT;
  if (CreateProcessW(detail::path_of(arguments.front()).c_str(), line.data(), nullptr, nullptr, TRUE, flags,
                     environment.data(), nullptr, &start.StartupInfo, &made) == 0) {
    code = GetLastError();
    return;
  }
  CloseHandle(made.hThread);
  process = made.hProcess;
}

started_program::~started_program() {
  if (output != nullptr) CloseHandle(output);
  if (process != nullptr) CloseHandle(process);
}

}  // namespace riffle::os
