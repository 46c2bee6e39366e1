/// Starts it in a job of this process, which ends with it, however it ends.
#include "bench/host/os/background_program.hpp"

#include "bench/host/os/windows/start.hpp"  // before the other headers of the system

#include <fcntl.h>
#include <io.h>

#include <cstdint>
#include <system_error>
#include <utility>

namespace riffle::os {

namespace {

// Its handle is closed when this process ends.
HANDLE job_of_this_process() {
  static HANDLE const job = [] {
    HANDLE const made = CreateJobObjectW(nullptr, nullptr);
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    SetInformationJobObject(made, JobObjectExtendedLimitInformation, &limits, sizeof limits);
    return made;
  }();
  return job;
}

}  // namespace

background_program::background_program(std::vector<std::string> arguments) {
  started_program started(arguments, {}, {.flags = CREATE_NEW_PROCESS_GROUP, .errors_too = true});
  if (started.code != ERROR_SUCCESS) {
    throw std::system_error(errno_of(started.code), std::generic_category(), arguments[0]);
  }
  AssignProcessToJobObject(job_of_this_process(), started.process);
  HANDLE const output = std::exchange(started.output, nullptr);
  output_ = descriptor(_open_osfhandle(reinterpret_cast<std::intptr_t>(output), _O_RDONLY | _O_BINARY));
  process_ = reinterpret_cast<pid_t>(std::exchange(started.process, nullptr));
}

background_program::~background_program() {
  const owned_handle process(reinterpret_cast<HANDLE>(process_));
  TerminateProcess(process.get(), 1);
  WaitForSingleObject(process.get(), INFINITE);
}

std::optional<std::string> background_program::next_line() {
  std::string line;
  char byte = 0;
  while (_read(output_.number(), &byte, 1) > 0) {
    if (byte == '\n') return line;
    if (byte != '\r') line += byte;
  }
  return line.empty() ? std::nullopt : std::optional(line);
}

}  // namespace riffle::os
