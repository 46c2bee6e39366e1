/// The facts about the machine that Windows tells, and Wine, which says so.
#include "bench/host/os/machine.hpp"

#include "os/windows/calls.hpp"  // before the other headers of the system

#include <winternl.h>

#include <algorithm>
#include <array>
#include <bit>

#include "bench/host/os/machine_texts.hpp"
#include "os/file_system.hpp"

namespace riffle::os {

namespace {

constexpr const wchar_t* processor_key = L"HARDWARE\\DESCRIPTION\\System\\CentralProcessor\\0";

// A text of the registry; empty if there is none.
std::string registry_text(const wchar_t* key, const wchar_t* name) {
  std::array<wchar_t, 256> wide{};
  DWORD size = sizeof(wide);
  if (RegGetValueW(HKEY_LOCAL_MACHINE, key, name, RRF_RT_REG_SZ, nullptr, wide.data(), &size) !=
      ERROR_SUCCESS)
    return {};
  std::array<char, 1024> text{};
  WideCharToMultiByte(CP_UTF8, 0, wide.data(), -1, text.data(), static_cast<int>(text.size()), nullptr,
                      nullptr);
  const std::string found = text.data();
  return found.substr(0, found.find_last_not_of(' ') + 1);
}

// "Wine 8.0"; empty on Windows.
std::string wine() {
  const auto version = function_named<const char*()>(L"ntdll.dll", "wine_get_version");
  return version == nullptr ? std::string() : std::string("Wine ") + version();
}

MEMORYSTATUSEX memory() {
  MEMORYSTATUSEX status{};
  status.dwLength = sizeof status;
  GlobalMemoryStatusEx(&status);
  return status;
}

std::vector<SYSTEM_LOGICAL_PROCESSOR_INFORMATION> processor_facts() {
  DWORD size = 0;
  GetLogicalProcessorInformation(nullptr, &size);
  std::vector<SYSTEM_LOGICAL_PROCESSOR_INFORMATION> facts(size /
                                                          sizeof(SYSTEM_LOGICAL_PROCESSOR_INFORMATION));
  if (GetLogicalProcessorInformation(facts.data(), &size) == 0) facts.clear();
  return facts;
}

std::string cache_text_of(const CACHE_DESCRIPTOR& cache) {
  const char* const type = cache.Type == CacheData      ? "Data"
                           : cache.Type == CacheUnified ? "Unified"
                                                        : "Instruction";
  return cache_text(std::to_string(cache.Level), type, std::to_string(cache.Size / 1024) + "K");
}

}  // namespace

std::string processor_name() {
  const std::string name = registry_text(processor_key, L"ProcessorNameString");
  return name.empty() ? std::string(unknown_processor) : name;
}

unsigned processor_count() {
  DWORD_PTR allowed = 0;
  DWORD_PTR present = 0;
  // The masks are 0 if the process has threads in several groups of 64 processors.
  if (GetProcessAffinityMask(GetCurrentProcess(), &allowed, &present) == 0 || allowed == 0)
    return processors_online();
  return static_cast<unsigned>(std::popcount(std::uint64_t{allowed}));
}

unsigned processors_online() {
  return std::max(1U, static_cast<unsigned>(GetActiveProcessorCount(ALL_PROCESSOR_GROUPS)));
}

// GetVersionEx gives the version that the program's manifest asks for.
std::string os_release() {
  RTL_OSVERSIONINFOW version{};
  version.dwOSVersionInfoSize = sizeof version;
  const auto get = function_named<LONG WINAPI(RTL_OSVERSIONINFOW*)>(L"ntdll.dll", "RtlGetVersion");
  if (get == nullptr || get(&version) != 0) return "Windows";
  const std::string number = std::to_string(version.dwMajorVersion) + "." +
                             std::to_string(version.dwMinorVersion) + "." +
                             std::to_string(version.dwBuildNumber);
  return "Windows " + number + (wine().empty() ? "" : " (" + wine() + ")");
}

std::uint64_t memory_size() {
  return memory().ullTotalPhys;
}

std::uint64_t memory_available() {
  return memory().ullAvailPhys;
}

std::vector<std::string> cache_sizes() {
  std::vector<std::string> caches;
  for (const SYSTEM_LOGICAL_PROCESSOR_INFORMATION& each : processor_facts()) {
    if (each.Relationship != RelationCache || (each.ProcessorMask & 1U) == 0) continue;
    std::string cache = cache_text_of(each.Cache);
    if (!cache.empty()) caches.push_back(std::move(cache));
  }
  std::ranges::sort(caches);
  return caches;
}

std::string frequency_governor() {
  return {};
}

double load_of_others() {
  return 0;
}

double stolen_seconds() {
  return 0;
}

// No system call gives the rest for a file.
storage storage_of(const file& opened) {
  return {.file_system = file_system_of(opened)};
}

}  // namespace riffle::os
