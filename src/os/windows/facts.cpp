/// What Windows tells of descriptors, volumes, processors and memory, and what it has no call for.
#include "os/windows/calls.hpp"  // before the other headers of the system

#include <winioctl.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <string>
#include <thread>

#include "os/calls.hpp"
#include "os/file_system.hpp"
#include "os/machine.hpp"

namespace riffle::os {

namespace {

// The limits of the job object that holds this process, as a container does.
template <class Limits>
Limits job_limits(JOBOBJECTINFOCLASS kind) noexcept {
  Limits limits{};
  if (QueryInformationJobObject(nullptr, kind, &limits, sizeof limits, nullptr) == 0) return {};
  return limits;
}

std::uint64_t job_memory() noexcept {
  const auto limits = job_limits<JOBOBJECT_EXTENDED_LIMIT_INFORMATION>(JobObjectExtendedLimitInformation);
  const DWORD set = limits.BasicLimitInformation.LimitFlags;
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  if ((set & JOB_OBJECT_LIMIT_JOB_MEMORY) != 0) least = std::min<std::uint64_t>(least, limits.JobMemoryLimit);
  if ((set & JOB_OBJECT_LIMIT_PROCESS_MEMORY) != 0) {
    least = std::min<std::uint64_t>(least, limits.ProcessMemoryLimit);
  }
  return least;
}

// A hard limit of the rate counts in 1/100 % of all processors.
unsigned job_processors() noexcept {
  const auto limits = job_limits<JOBOBJECT_CPU_RATE_CONTROL_INFORMATION>(JobObjectCpuRateControlInformation);
  constexpr DWORD hard = JOB_OBJECT_CPU_RATE_CONTROL_ENABLE | JOB_OBJECT_CPU_RATE_CONTROL_HARD_CAP;
  if ((limits.ControlFlags & hard) != hard) return std::numeric_limits<unsigned>::max();
  constexpr std::uint64_t whole = 10'000;
  const std::uint64_t all = GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
  return static_cast<unsigned>(std::max<std::uint64_t>((all * limits.CpuRate + whole - 1) / whole, 1));
}

// A process whose threads may run in several groups of 64 processors has a mask of 0.
unsigned processors_of_mask() noexcept {
  DWORD_PTR allowed = 0;
  DWORD_PTR all = 0;
  const bool known = GetProcessAffinityMask(GetCurrentProcess(), &allowed, &all) != 0 && allowed != 0;
  if (known) return static_cast<unsigned>(std::popcount(allowed));
  return std::max(std::thread::hardware_concurrency(), 1U);
}

}  // namespace

std::uint64_t memory_for_cache() {
  static const std::uint64_t bytes = [] {
    MEMORYSTATUSEX memory{};
    memory.dwLength = sizeof memory;
    const bool known = GlobalMemoryStatusEx(&memory) != 0;
    return std::min(known ? memory.ullAvailPhys : std::numeric_limits<std::uint64_t>::max(), job_memory());
  }();
  return bytes;
}

unsigned usable_processors() noexcept {
  static const unsigned by_rate = job_processors();
  return std::min(processors_of_mask(), by_rate);
}

std::uint64_t waits_of_thread() noexcept {
  return 0;
}

std::size_t free_descriptors() noexcept {
  constexpr std::size_t of_the_c_library = 2048;
  return of_the_c_library / 2;  // how many are open it does not tell
}

void separate_descriptors() noexcept {}

std::optional<std::string> direct_unavailable() {
  return "riffle does not go past the page cache of Windows";
}
std::size_t direct_alignment(int) {
  return 4096;
}

std::uint64_t block_device_size(int descriptor) {
  GET_LENGTH_INFORMATION length{};
  DWORD size = 0;
  const BOOL known = DeviceIoControl(handle_of(descriptor), IOCTL_DISK_GET_LENGTH_INFO, nullptr, 0, &length,
                                     sizeof length, &size, nullptr);
  return known != 0 ? static_cast<std::uint64_t>(length.Length.QuadPart) : 0;
}

// The system gives a mapped page its room on the disk when the file gets its size.
int cannot_allocate(int, std::uint64_t, std::size_t) noexcept {
  return 0;
}

void widen_pipe(int) noexcept {}

request_sizes request_sizes_of(std::uint64_t) {
  return {};
}

std::string file_system_of(const file& file) {
  std::wstring name(MAX_PATH + 1, L'\0');
  if (GetVolumeInformationByHandleW(handle_of(file.descriptor()), nullptr, 0, nullptr, nullptr, nullptr,
                                    name.data(), static_cast<DWORD>(name.size())) == 0) {
    return {};
  }
  name.resize(name.find(L'\0'));
  return name_of(name);
}

// These decide whether `automatic` maps, which it never does here.
bool in_memory(std::string_view) noexcept {
  return false;
}
bool served_elsewhere(std::string_view) noexcept {
  return false;
}
bool is_layered(std::string_view) noexcept {
  return false;
}

// PrefetchVirtualMemory does not tell which page is bad, and the fault guard cannot replace one page of a
// view.
bool can_populate() {
  return false;
}

}  // namespace riffle::os
