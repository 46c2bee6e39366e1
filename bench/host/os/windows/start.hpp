/// Starts a program whose output goes into a pipe, and whose input is empty.
#ifndef RIFFLE_BENCH_HOST_OS_WINDOWS_START_HPP
#define RIFFLE_BENCH_HOST_OS_WINDOWS_START_HPP

#include "os/windows/calls.hpp"  // before the other headers of the system

#include <string>
#include <vector>

namespace riffle::os {

/// A program that runs, unless `code` is an error of Windows.
class started_program {
 public:
  /// `arguments` are in UTF-8, the first is the full path.
  started_program(const std::vector<std::string>& arguments, std::wstring environment);

  started_program(const started_program&) = delete;
  started_program& operator=(const started_program&) = delete;
  ~started_program();

  HANDLE output = nullptr;
  HANDLE process = nullptr;
  DWORD code = ERROR_SUCCESS;
};

}  // namespace riffle::os

#endif
