/// What Windows tells of descriptors, volumes, processors and memory, and its errors by the numbers of other
/// platforms.
#include "os/windows/calls.hpp"  // before the other headers of the system

#include <io.h>
#include <winioctl.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <limits>
#include <string>
#include <thread>
#include <utility>

#include "os/facts.hpp"
#include "os/file.hpp"

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

// As _dosmaperr of the C library, with the errors of pipes, volumes and mappings.
constexpr std::array<std::pair<DWORD, int>, 42> numbers{{
    {ERROR_INVALID_FUNCTION, EINVAL},
    {ERROR_FILE_NOT_FOUND, ENOENT},
    {ERROR_PATH_NOT_FOUND, ENOENT},
    {ERROR_TOO_MANY_OPEN_FILES, EMFILE},
    {ERROR_ACCESS_DENIED, EACCES},
    {ERROR_INVALID_HANDLE, EBADF},
    {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
    {ERROR_INVALID_ACCESS, EACCES},
    {ERROR_OUTOFMEMORY, ENOMEM},
    {ERROR_INVALID_DRIVE, ENOENT},
    {ERROR_WRITE_PROTECT, EROFS},
    {ERROR_NOT_READY, ENXIO},
    {ERROR_SHARING_VIOLATION, EACCES},
    {ERROR_LOCK_VIOLATION, EACCES},
    {ERROR_NOT_SUPPORTED, ENOTSUP},
    {ERROR_BAD_NETPATH, ENOENT},
    {ERROR_BAD_NET_NAME, ENOENT},
    {ERROR_FILE_EXISTS, EEXIST},
    {ERROR_INVALID_PARAMETER, EINVAL},
    {ERROR_BROKEN_PIPE, EPIPE},
    {ERROR_DISK_FULL, ENOSPC},
    {ERROR_HANDLE_DISK_FULL, ENOSPC},
    {ERROR_INVALID_NAME, ENOENT},
    {ERROR_NEGATIVE_SEEK, EINVAL},
    {ERROR_BUSY, EBUSY},
    {ERROR_BAD_PATHNAME, ENOENT},
    {ERROR_ALREADY_EXISTS, EEXIST},
    {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG},
    {ERROR_PIPE_BUSY, EBUSY},
    {ERROR_NO_DATA, EPIPE},
    {ERROR_PIPE_NOT_CONNECTED, EPIPE},
    {ERROR_DIRECTORY, ENOTDIR},
    {ERROR_FILE_TOO_LARGE, EFBIG},
    {ERROR_OPERATION_ABORTED, EINTR},
    {ERROR_NOACCESS, EFAULT},
    {ERROR_INVALID_ADDRESS, ENOMEM},
    {ERROR_NO_SYSTEM_RESOURCES, ENOMEM},
    {ERROR_COMMITMENT_LIMIT, ENOMEM},
    {ERROR_USER_MAPPED_FILE, EBUSY},
    {ERROR_WORKING_SET_QUOTA, ENOMEM},
    {ERROR_CANT_RESOLVE_FILENAME, ELOOP},
    {ERROR_FILE_INVALID, EINVAL},
}};

const std::pair<DWORD, int>* row_of(DWORD code) noexcept {
  return std::find_if(numbers.begin(), numbers.end(), [code](const auto& row) { return row.first == code; });
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

std::optional<std::uint64_t> resident_pages(const file&, std::uint64_t, std::uint64_t) {
  return std::nullopt;
}

std::optional<double> resident_share(const file&, std::uint64_t, std::uint64_t) {
  return std::nullopt;
}

HANDLE handle_of(int descriptor) noexcept {
  if (descriptor < 0) return INVALID_HANDLE_VALUE;
  constexpr std::intptr_t no_stream = -2;  // a standard descriptor of a program without a console
  const std::intptr_t handle = _get_osfhandle(descriptor);
  return handle == no_stream ? INVALID_HANDLE_VALUE : reinterpret_cast<HANDLE>(handle);
}

int errno_of(DWORD code) noexcept {
  const auto* row = row_of(code);
  return row != numbers.end() ? row->second : EIO;
}

void fail_with(DWORD code, std::string_view operation, std::string_view name,
               std::optional<std::uint64_t> offset, std::string_view detail) {
  if (!detail.empty() || row_of(code) != numbers.end()) fail(operation, name, offset, errno_of(code), detail);
  fail(operation, name, offset, EIO, "error " + std::to_string(code) + " of Windows");
}

}  // namespace riffle::os
