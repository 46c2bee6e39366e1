/// The facts about the machine and its storage that Linux tells, from /proc and /sys.
#include <sched.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <initializer_list>
#include <thread>
#include <vector>

#include "bench/host/os/machine.hpp"
#include "bench/host/os/machine_texts.hpp"
#include "os/file_system.hpp"

namespace riffle::os {

namespace {

using std::filesystem::path;

// By the descriptor's mount, not by stat's device: btrfs gives its subvolumes devices that no list knows.
mount mount_of(const file& opened) {
  const path info = path("/proc/self/fdinfo") / std::to_string(opened.descriptor());
  return mount_in(text_of_file("/proc/self/mountinfo"), field_of(text_of_file(info), "mnt_id"));
}

// A file system over several devices, or over none, has the major number 0; its source may still be one.
std::string block_device_of(const mount& mounted) {
  if (!mounted.numbers.starts_with("0:")) return mounted.numbers;
  struct stat facts{};
  if (!mounted.source.starts_with('/') || stat(mounted.source.c_str(), &facts) != 0) return {};
  if (!S_ISBLK(facts.st_mode)) return {};
  return std::to_string(major(facts.st_rdev)) + ":" + std::to_string(minor(facts.st_rdev));
}

// The directory of the device in /sys; empty if there is none.
path directory_of(const std::string& numbers) {
  std::error_code failure;
  const path found = std::filesystem::canonical("/sys/dev/block/" + numbers, failure);
  return numbers.empty() || failure ? path() : found;
}

std::string device_in(const path& directory) {
  std::error_code ignored;
  const bool partition = std::filesystem::exists(directory / "partition", ignored);
  const path whole = partition ? directory.parent_path() : directory;
  const path driver = std::filesystem::read_symlink(whole / "device/driver", ignored);
  return device_text({.name = directory.filename(),
                      .model = text_of_file(whole / "device/model"),
                      .driver = driver.filename(),
                      .rotational = text_of_file(whole / "queue/rotational")});
}

// A partition has the queue of its disk; a file system without a block device may have a limit of its own.
std::uint64_t read_ahead_of(const path& directory, const mount& mounted) {
  std::vector<path> places{path("/sys/class/bdi") / mounted.numbers};
  if (!directory.empty()) places = {directory / "queue", directory.parent_path() / "queue", places.front()};
  for (const path& place : places) {
    const std::string text = text_of_file(place / "read_ahead_kb");
    if (!text.empty()) return bytes_of(text + "K");
  }
  return 0;
}

// A function, because a path that is made at each start costs page faults.
std::filesystem::path of_processors(const char* file) {
  return std::filesystem::path("/sys/devices/system/cpu") / file;
}

// The names in a directory, sorted, as the OS kernel gives
// them in any order; none if there is no directory.
std::vector<std::filesystem::path> entries(const std::filesystem::path& directory) {
  std::vector<std::filesystem::path> found;
  std::error_code failure;
  for (std::filesystem::directory_iterator at(directory, failure), end; !failure && at != end;
       at.increment(failure)) {
    found.push_back(at->path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

// "qemu-aarch64" if the user mode of qemu runs this program, which Linux calls by qemu's name; else empty.
std::string emulator() {
  std::string name = text_of_file("/proc/self/comm");
  return name.starts_with("qemu-") ? name : std::string();
}

// Seconds of all processors together, which /proc/stat has in ticks:
// "cpu user nice system idle iowait irq softirq steal ..."; see proc_stat(5).
double processor_seconds(std::initializer_list<std::size_t> columns) {
  const long ticks_a_second = sysconf(_SC_CLK_TCK);
  if (ticks_a_second <= 0) return 0;
  const std::string facts = text_of_file("/proc/stat");
  double ticks = 0;
  for (const std::size_t column : columns) ticks += number_at(facts, column);
  return ticks / static_cast<double>(ticks_a_second);
}

double busy_seconds() {
  return processor_seconds({1, 2, 3, 6, 7});
}

}  // namespace

std::string processor_name() {
  const std::string facts = text_of_file("/proc/cpuinfo");
  if (std::string name = field_of(facts, "model name"); !name.empty()) return name;
  const std::string implementer = field_of(facts, "CPU implementer");  // ARM has numbers alone
  if (implementer.empty()) return "unknown processor";
  return "ARM processor of " + implementer + ", part " + field_of(facts, "CPU part");
}

unsigned processor_count() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return 1;
  return static_cast<unsigned>(CPU_COUNT(&allowed));
}

unsigned processors_online() {
  const long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online < 1 ? 1 : static_cast<unsigned>(online);
}

std::string os_release() {
  utsname facts{};
  if (uname(&facts) != 0) return "unknown kernel";
  const std::string by = emulator();
  return std::string(facts.sysname) + " " + facts.release + (by.empty() ? "" : " (" + by + ")");
}

std::uint64_t memory_size() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page = sysconf(_SC_PAGESIZE);
  return pages < 0 || page < 0 ? 0 : static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page);
}

std::uint64_t memory_available() {
  return bytes_of(field_of(text_of_file("/proc/meminfo"), "MemAvailable"));
}

std::vector<std::string> cache_sizes() {
  std::vector<std::string> caches;
  for (const auto& entry : entries(of_processors("cpu0/cache"))) {
    const std::string cache =
        cache_text(text_of_file(entry / "level"), text_of_file(entry / "type"), text_of_file(entry / "size"));
    if (!cache.empty()) caches.push_back(cache);
  }
  return caches;
}

std::string frequency_governor() {
  return text_of_file(of_processors("cpu0/cpufreq/scaling_governor"));
}

// The load average would count what ended just before, such as the build of this program.
double load_of_others() {
  const double busy = busy_seconds();
  const auto start = std::chrono::steady_clock::now();
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - start;
  return (busy_seconds() - busy) / waited.count();
}

double stolen_seconds() {
  return processor_seconds({8});
}

storage storage_of(const file& opened) {
  const mount mounted = mount_of(opened);
  const path directory = directory_of(block_device_of(mounted));
  return {.file_system = mounted.file_system.empty() ? file_system_of(opened) : mounted.file_system,
          .device = directory.empty() ? std::string() : device_in(directory),
          .read_ahead = read_ahead_of(directory, mounted)};
}

}  // namespace riffle::os
