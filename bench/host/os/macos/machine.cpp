/// The facts about the machine that macOS tells, by sysctl(3) and statfs(2).
#include "bench/host/os/machine.hpp"

#include <sys/types.h>

#include <sys/mount.h>
#include <sys/param.h>
#include <sys/sysctl.h>  // needs sys/types.h
#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <limits>

#include "bench/host/os/machine_texts.hpp"
#include "os/file.hpp"
#include "os/machine.hpp"

namespace riffle::os {

namespace {

// Empty, or 0, if there is no such name.
std::string text_of(const char* name) {
  std::array<char, 256> text{};
  std::size_t size = text.size() - 1;
  return sysctlbyname(name, text.data(), &size, nullptr, 0) == 0 ? text.data() : std::string();
}

std::uint64_t number_of(const char* name) {
  std::array<std::uint32_t, 2> parts{};  // of 32 or 64 bits; every machine of these systems is little-endian
  std::size_t size = sizeof parts;
  if (sysctlbyname(name, parts.data(), &size, nullptr, 0) != 0) return 0;
  return parts[0] | std::uint64_t{parts[1]} << 32U;
}

}  // namespace

std::string processor_name() {
  for (const char* const name : {"machdep.cpu.brand_string", "hw.model"}) {
    if (std::string found = text_of(name); !found.empty()) return found;
  }
  return std::string(unknown_processor);
}

unsigned processor_count() {
  return usable_processors();
}

unsigned processors_online() {
  const long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online < 1 ? 1 : static_cast<unsigned>(online);
}

std::string os_release() {
  utsname facts{};
  if (uname(&facts) != 0) return "unknown kernel";
  return std::string(facts.sysname) + " " + facts.release;
}

std::uint64_t memory_size() {
  const std::uint64_t size = number_of("hw.memsize");
  return size != 0 ? size : number_of("hw.physmem");
}

std::uint64_t memory_available() {
  const std::uint64_t available = memory_for_cache();
  return available == std::numeric_limits<std::uint64_t>::max() ? 0 : available;
}

std::vector<std::string> cache_sizes() {
  struct level {
    const char* name;
    const char* number;
    const char* type;
  };
  std::vector<std::string> caches;
  for (const auto& [name, number, type] : {level{"hw.l1dcachesize", "1", "Data"},
                                           {"hw.l2cachesize", "2", "Unified"},
                                           {"hw.l3cachesize", "3", "Unified"}}) {
    const std::string cache = cache_text(number, type, std::to_string(number_of(name)));
    if (!cache.empty()) caches.push_back(cache);
  }
  return caches;
}

std::string frequency_governor() {
  return {};
}

double load_of_others() {
  double load = 0;
  return getloadavg(&load, 1) == 1 ? load : 0;
}

double stolen_seconds() {
  return 0;
}

// The OS kernel does not tell how far it reads ahead.
storage storage_of(const file& opened) {
  struct statfs facts{};
  if (fstatfs(opened.descriptor(), &facts) != 0) return {};
  return {.file_system = facts.f_fstypename, .device = facts.f_mntfromname};
}

}  // namespace riffle::os
