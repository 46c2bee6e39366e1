/// Asks the system for its facts, which Linux tells in /proc and /sys, the compiler and the library.
#include "bench/host/machine.hpp"

#include <fmt/core.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <fstream>
#include <iterator>
#include <riffle/error.hpp>
#include <riffle/kernels.hpp>
#include <riffle/version.hpp>
#include <sstream>
#include <thread>

#include "bench/host/system.hpp"
#include "os/facts.hpp"
#include "os/mapping.hpp"
#include "text/typed.hpp"

namespace riffle::bench {

namespace {

using std::filesystem::path;

#if defined(__clang__)
constexpr const char* compiler = "clang " __clang_version__;
#elif defined(__GNUC__)
constexpr const char* compiler = "g++ " __VERSION__;
#else
constexpr const char* compiler = "unknown compiler";
#endif

// Empty if it cannot be read.
std::string text_of_file(const path& name) {
  std::ifstream in(name, std::ios::binary);
  return std::string(text::trimmed(std::string(std::istreambuf_iterator<char>(in), {})));
}

std::string os_release() {
  utsname facts{};
  if (uname(&facts) != 0) return "unknown kernel";
  // The user mode of qemu gives what it runs its own name.
  const std::string name = text_of_file("/proc/self/comm");
  return fmt::format("{} {}{}", facts.sysname, facts.release,
                     name.starts_with("qemu-") ? " (" + name + ")" : "");
}

// Of all processors together, in the columns of /proc/stat: user, nice, system, idle, iowait, irq, softirq,
// steal; see proc_stat(5).
std::array<double, 8> processor_seconds() {
  std::array<double, 8> columns{};
  std::ifstream in("/proc/stat");
  std::string name;
  in >> name;
  for (double& each : columns) {
    if (in >> each) each /= static_cast<double>(sysconf(_SC_CLK_TCK));
  }
  return columns;
}

double busy_seconds() {
  const auto [user, nice, system, idle, waiting, interrupts, soft_interrupts, stolen] = processor_seconds();
  return user + nice + system + interrupts + soft_interrupts;
}

// By the descriptor's mount, not by stat's device: btrfs gives its subvolumes devices that no list knows.
mount mount_of(const os::file& opened) {
  const path info = path("/proc/self/fdinfo") / std::to_string(opened.descriptor());
  return mount_in(text_of_file("/proc/self/mountinfo"), field_of(text_of_file(info), "mnt_id"));
}

// The directory of the device in /sys; empty if there is none. A file system over several devices, or over
// none, has the major number 0; its source may still be one.
path directory_of(const mount& mounted) {
  std::string numbers = mounted.numbers;
  struct stat facts{};
  if (numbers.starts_with("0:") && mounted.source.starts_with('/') &&
      stat(mounted.source.c_str(), &facts) == 0 && S_ISBLK(facts.st_mode))
    numbers = fmt::format("{}:{}", major(facts.st_rdev), minor(facts.st_rdev));
  std::error_code failure;
  const path found = std::filesystem::canonical("/sys/dev/block/" + numbers, failure);
  return numbers.empty() || failure ? path() : found;
}

std::string device_in(const path& directory) {
  std::error_code ignored;
  const bool partition = std::filesystem::exists(directory / "partition", ignored);
  const path whole = partition ? directory.parent_path() : directory;
  return device_text(directory.filename(), text_of_file(whole / "device/model"),
                     std::filesystem::read_symlink(whole / "device/driver", ignored).filename(),
                     text_of_file(whole / "queue/rotational"));
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

// An input that cannot be opened is someone else's error to report.
void add_storage(const path& input, machine& to) try {
  const os::file opened = os::file::open(input);
  const mount mounted = mount_of(opened);
  const path directory = directory_of(mounted);
  to.file_system = mounted.file_system.empty() ? os::file_system_of(opened) : mounted.file_system;
  if (!directory.empty()) to.device = device_in(directory);
  to.read_ahead = read_ahead_of(directory, mounted);
} catch (const error&) {
  to.file_system.clear();
}

}  // namespace

machine this_machine(const path& input) {
  machine facts{.processor = processor_name(),
                .processors = os::usable_processors(),
                .processors_online = static_cast<unsigned>(std::max(sysconf(_SC_NPROCESSORS_ONLN), 1L)),
                .caches = cache_sizes(),
                .memory_available = memory_available(),
                .os_release = os_release(),
                .governor = text_of_file("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
                .compiler = compiler,
                .flags = RIFFLE_FLAGS,
                .version = std::string(version()),
                .active_kernel = riffle::active_kernel().description};
  add_storage(input, facts);
  return facts;
}

std::string processor_name() {
  const std::string facts = text_of_file("/proc/cpuinfo");
  if (std::string name = field_of(facts, "model name"); !name.empty()) return name;
  const std::string implementer = field_of(facts, "CPU implementer");  // ARM has numbers alone
  if (implementer.empty()) return "unknown processor";
  return "ARM processor of " + implementer + ", part " + field_of(facts, "CPU part");
}

std::vector<std::string> cache_sizes() {
  std::vector<std::string> caches;
  for (int index = 0;; ++index) {
    const path cache = fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}", index);
    const std::string level = text_of_file(cache / "level");
    if (level.empty()) return caches;
    std::string text = cache_text(level, text_of_file(cache / "type"), text_of_file(cache / "size"));
    if (!text.empty()) caches.push_back(std::move(text));
  }
}

std::uint64_t memory_available() {
  return bytes_of(field_of(text_of_file("/proc/meminfo"), "MemAvailable"));
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
  return processor_seconds().back();
}

std::optional<double> faults_per_mib(const path& file) try {
  constexpr std::uint64_t most = 64 << 20;
  const os::file input = os::file::open(file);
  const auto size = static_cast<std::size_t>(std::min(input.status().size, most));
  if (size == 0) return std::nullopt;
  read_through(input, size);  // a page that has to be fetched is a fault of another kind
  const os::mapping pages(input, 0, size, os::protection::read, {.populate = false}, true);
  const volatile char* const bytes = pages.bytes().data();
  const double before = os::usage_so_far().minor_faults;
  for (std::size_t at = 0; at < size; at += os::page_size()) static_cast<void>(bytes[at]);
  return (os::usage_so_far().minor_faults - before) / (static_cast<double>(size) / (1 << 20));
} catch (const error&) {
  return std::nullopt;
}

std::string field_of(std::string_view text, std::string_view name) {
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(':');
    if (colon != std::string::npos && text::trimmed(std::string_view(line).substr(0, colon)) == name)
      return std::string(text::trimmed(std::string_view(line).substr(colon + 1)));
  }
  return {};
}

std::uint64_t bytes_of(std::string_view size) {
  constexpr std::string_view units = "KMG";
  std::uint64_t number = 0;
  const auto [end, failure] = std::from_chars(size.data(), size.data() + size.size(), number);
  if (failure != std::errc()) return 0;
  const std::string_view unit = text::trimmed(size.substr(static_cast<std::size_t>(end - size.data())));
  if (unit.empty()) return number;
  const std::size_t power = units.find(unit.front() == 'k' ? 'K' : unit.front());
  return power == std::string_view::npos ? 0 : number << 10 * (power + 1);
}

// Three figures: "32 KiB", "1.25 MiB", "35.8 MiB".
std::string cache_text(std::string_view level, std::string_view type, std::string_view size) {
  const std::uint64_t bytes = bytes_of(size);
  if (level.empty() || bytes == 0 || type == "Instruction") return {};
  const bool large = bytes >= text::mib;
  return fmt::format("L{}{} {:.3g} {}", level, type == "Data" ? "d" : "",
                     static_cast<double>(bytes) / static_cast<double>(large ? text::mib : text::kib),
                     large ? "MiB" : "KiB");
}

std::string device_text(const std::string& name, const std::string& model, const std::string& driver,
                        std::string_view rotational) {
  std::string about = model.empty() ? driver : model;
  if (!rotational.empty()) {
    about += about.empty() ? "" : ", ";
    about += rotational == "0" ? "not rotational" : "rotational";
  }
  return about.empty() ? name : name + " (" + about + ")";
}

// number parent major:minor root point options [optional fields ...] - type source super-options
mount mount_in(std::string_view mountinfo, std::string_view number) {
  std::istringstream lines{std::string(mountinfo)};
  for (std::string line; std::getline(lines, line);) {
    mount found;
    std::string own;
    std::string parent;
    std::istringstream(line) >> own >> parent >> found.numbers;
    const std::size_t dash = line.find(" - ");
    if (own != number || dash == std::string::npos) continue;
    std::istringstream(line.substr(dash + 3)) >> found.file_system >> found.source;
    return found;
  }
  return {};
}

}  // namespace riffle::bench
