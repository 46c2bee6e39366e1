/// Makes the streams of Windows pass bytes, asks the console, and makes files.
#include "os/windows/calls.hpp"  // before the other headers of the system

#include <fcntl.h>
#include <io.h>
#include <shellapi.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "cli/os/system.hpp"

namespace riffle::os {

void outlive_full_files() noexcept {}

namespace {

UINT console_before = 0;

void restore_console() noexcept {
  if (console_before != 0) SetConsoleOutputCP(console_before);
}

// Ctrl-C ends the program without a call of what atexit was given.
BOOL WINAPI restore_at_control(DWORD) {
  restore_console();
  return FALSE;
}

// The console is the user's, so it gets its code page back.
void let_console_show_utf8() {
  const UINT now = GetConsoleOutputCP();
  if (now == 0 || now == CP_UTF8 || SetConsoleOutputCP(CP_UTF8) == 0) return;
  console_before = now;
  std::atexit(restore_console);
  SetConsoleCtrlHandler(restore_at_control, TRUE);
}

std::string in_utf8(const wchar_t* text) {
  const int size = WideCharToMultiByte(CP_UTF8, 0, text, -1, nullptr, 0, nullptr, nullptr);
  std::string utf8(static_cast<std::size_t>(size), '\0');
  WideCharToMultiByte(CP_UTF8, 0, text, -1, utf8.data(), size, nullptr, nullptr);
  utf8.pop_back();  // the zero
  return utf8;
}

// "C:\bin\WC.EXE" is the program wc, as its messages name it.
std::string program_name(std::string path) {
  path.erase(0, path.find_last_of("\\/:") + 1);
  constexpr std::size_t extension = 4;
  if (path.size() > extension &&
      CompareStringA(LOCALE_INVARIANT, NORM_IGNORECASE, path.data() + path.size() - extension, extension,
                     ".exe", extension) == CSTR_EQUAL) {
    path.resize(path.size() - extension);
  }
  return path;
}

}  // namespace

std::span<char*> start_program(int, char**) {
  for (const int stream : {0, 1, 2}) _setmode(stream, _O_BINARY);
  let_console_show_utf8();
  static std::vector<std::string> texts;
  static std::vector<char*> words;
  int count = 0;
  const std::unique_ptr<wchar_t*, decltype(&LocalFree)> wide(CommandLineToArgvW(GetCommandLineW(), &count),
                                                             LocalFree);
  for (int i = 0; wide && i != count; ++i) texts.push_back(in_utf8(wide.get()[i]));
  if (!texts.empty()) texts.front() = program_name(std::move(texts.front()));
  for (std::string& text : texts) words.push_back(text.data());
  words.push_back(nullptr);
  return std::span(words).first(texts.size());
}

namespace {

std::array<std::atomic<void (*)()>, 2> last_calls = {};

// The handlers before this one end the program.
BOOL WINAPI on_control(DWORD event) {
  if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT) return FALSE;
  for (const auto& last : last_calls) {
    if (last != nullptr) last.load()();
  }
  return FALSE;
}

}  // namespace

void write_to_terminal(std::string_view text) noexcept {
  DWORD written = 0;  // what the console does not take is lost
  WriteFile(GetStdHandle(STD_ERROR_HANDLE), text.data(), static_cast<DWORD>(text.size()), &written, nullptr);
}

void call_before_the_end(void (*last)()) noexcept {
  const bool first = last_calls[0] == nullptr;
  last_calls[first ? 0 : 1] = last;
  if (first) SetConsoleCtrlHandler(on_control, TRUE);
}

void take_end_signals(bool /*taken*/) noexcept {}

}  // namespace riffle::os
