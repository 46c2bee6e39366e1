/// The meter, signals, the page cache and slow storage.
#include "bench/host/system.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <csignal>
#include <ctime>
#include <fstream>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "bench/host/command.hpp"
#include "os/facts.hpp"
#include "os/mapping.hpp"

namespace riffle::os {

namespace {

double in_seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

// Returns the number after `before` in a file of /proc, which Linux alone has; 0 if it is not there. The file
// stays open: looking falls into what is measured, and to open it each time took 35 us.
double number_in(int file, std::string_view before) {
  std::array<char, 512> text;
  const ssize_t size = pread(file, text.data(), text.size(), 0);
  if (size <= 0) return 0;
  const std::string_view all(text.data(), static_cast<std::size_t>(size));
  const std::size_t at = all.find(before);
  std::uint64_t value = 0;
  if (at != std::string_view::npos)
    std::from_chars(all.data() + at + before.size(), all.data() + all.size(), value);
  return static_cast<double>(value);
}

std::atomic<std::time_t> noted_at = 0;
std::atomic<int> noted_signal = 0;
static_assert(std::atomic<std::time_t>::is_always_lock_free);  // or a signal handler may not touch it

// timeout(1) signals the program and then its group, so the first signal may come twice at once.
void note(int signal) {
  constexpr std::time_t at_once = 1;  // seconds
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  const std::time_t first = noted_at;
  if (first == 0) {
    noted_signal = signal;
    noted_at = now.tv_sec + 1;  // never 0
  } else if (now.tv_sec + 1 - first > at_once) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

}  // namespace

void add_usage(bench::usage& to, const rusage& used) {
  to.user_seconds += in_seconds(used.ru_utime);
  to.system_seconds += in_seconds(used.ru_stime);
  to.minor_faults += static_cast<double>(used.ru_minflt);
  to.major_faults += static_cast<double>(used.ru_majflt);
}

bench::usage usage_so_far() {
  bench::usage all;
  for (const int whose : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage used{};
    if (getrusage(whose, &used) == 0) add_usage(all, used);
  }
  static const int counters = open("/proc/self/io", O_RDONLY | O_CLOEXEC);
  static const int times = open("/proc/self/schedstat", O_RDONLY | O_CLOEXEC);
  all.bytes_read =
      number_in(counters, "read_bytes: ");  // of threads and ended children too; see proc_pid_io(5)
  all.delayed_seconds = number_in(times, " ") * 1e-9;  // the second number; see sched-stats of the OS kernel
  return all;
}

void note_interrupts() {
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, note);
  if (std::signal(SIGHUP, note) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);  // as nohup(1) had it
}

void outlive_readers() {
  std::signal(SIGPIPE, [](int) {});  // not SIG_IGN, which the programs that are run would inherit
}

bool interrupted() noexcept {
  return noted_at != 0;
}

void end_by_signal() noexcept {
  const int signal = noted_signal;
  std::signal(signal, SIG_DFL);
  std::raise(signal);
  std::_Exit(128 + signal);  // if the signal is blocked: its status in a shell
}

}  // namespace riffle::os

namespace riffle::bench {

namespace {

using std::filesystem::path;

/// Nothing if the OS does not tell.
std::optional<bool> all_resident(const os::file& file, std::uint64_t measured) {
  const std::uint64_t size = std::min(file.status().size, measured);
  const auto resident = os::resident_pages(file, 0, size);
  if (!resident) return std::nullopt;
  return *resident >= os::page_count(size);
}

// POSIX_FADV_DONTNEED, for root too: it takes 1 ms for 256 MiB and leaves nothing resident, and the cold runs
// after it are as slow as those after drop_caches. That took 390 ms with 4 GiB cached, all of which it took
// away from every other program, the contenders that are programs of their own included.
void evict(const os::file& file) {
  fsync(file.descriptor());  // dirty pages are not given up
  file.drop_cache(0, 0);
}

// Only root may, and not in every container.
bool evict_all_files() {
  return static_cast<bool>(std::ofstream("/proc/sys/vm/drop_caches") << '3' << std::flush);
}

// 8 KiB is what std::ofstream writes at a time. As with reading, larger pieces make larger folios: 16 faults
// per MiB up to 64 KiB, the smallest that fault-around allows, then 8 for 128 KiB and 1.2 for 1 MiB.
void write_anew(const path& name, const os::file& old) {
  const path fresh = name.string() + ".riffle-fresh";  // in a directory that is removed whatever happens
  const os::file out = os::file::open(fresh, os::open_mode::create);
  std::array<char, 8 << 10> piece;
  std::uint64_t offset = 0;
  while (const std::size_t count = old.read_at(piece, offset)) {
    out.write({piece.data(), count});
    offset += count;
  }
  fsync(out.descriptor());  // or the OS kernel would write while others are timed
  std::filesystem::rename(fresh, name);
}

[[noreturn]] void fail_to_evict(const path& name, const std::string& file_system, bool told) {
  const std::string remedy =
      !told ? "use a copy that you own, as the OS does not tell whether its pages left the page cache"
      : os::in_memory(file_system)
          ? "use a file on a disk, as " + file_system + " keeps files in memory and has no cold state"
          : "its pages stay in the page cache; stop the programs that map or write it, or use a copy";
  throw error(
      std::make_error_code(told ? std::errc::device_or_resource_busy : std::errc::operation_not_permitted),
      "evict", name.string(), std::nullopt, remedy);
}

void empty(const path& name, const os::file& file) {
  const std::uint64_t size = file.status().size;
  evict(file);
  auto resident = os::resident_pages(file, 0, size);
  if (resident == 0U) return;
  const std::string file_system = os::file_system_of(file);
  if (!os::in_memory(file_system) && evict_all_files()) resident = os::resident_pages(file, 0, size);
  if (resident != 0U) fail_to_evict(name, file_system, resident.has_value());
}

/// A file, and what it was when it was last looked at.
struct watched_file {
  path name;
  os::file_status seen;

  explicit watched_file(path file) : name(std::move(file)), seen(os::file::open(name).status()) {}

  // The first time, and before each run.
  void bring(cache_mode mode, std::uint64_t measured, bool first) {
    const os::file file = os::file::open(name);
    const os::file_status now = file.status();
    if (now.size != seen.size || now.modified != seen.modified) {
      throw error(errc::invalid_argument, "measure", name.string(), std::nullopt,
                  "it changed during the measurement; use a copy that no program writes");
    }
    if (mode == cache_mode::cold) return empty(name, file);
    if (mode == cache_mode::hot) {
      if (first) evict(file);  // on tmpfs nothing happens, and there is nothing to gain
      // Where the system does not tell what is resident, one more reading is the only way to be sure.
      if (first || !all_resident(file, measured).value_or(false)) read_through(file, measured);
    } else if (first || !all_resident(file, measured).value_or(true)) {
      write_anew(name, file);
      *this = watched_file(name);
    }
  }
};

constexpr const char* program_name = "riffle-slow-fs";

// As a word of any shell; text::shell_quoted is for those of today.
std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char each : word) text += each == '\'' ? "'\\''" : std::string(1, each);
  return text + "'";
}

}  // namespace

std::function<void()> prepare_cache(cache_mode mode, input_files files, std::uint64_t measured,
                                    bool left_as_written) {
  std::vector<watched_file> watched(files.begin(), files.end());
  const bool filled = left_as_written && mode == cache_mode::written;  // by another program
  const auto bring = [=](std::vector<watched_file>& all, bool first) {
    for (watched_file& each : all) each.bring(filled ? cache_mode::hot : mode, measured, first && !filled);
  };
  bring(watched, true);
  return [bring, watched]() mutable { bring(watched, false); };
}

void evict(input_files files) {
  for (const path& name : files) evict(os::file::open(name));
}

// The size of the reads decides how large the folios become that readahead makes, on Linux 6.18 with ext4:
// 0.7 faults per MiB of a mapping after reads of 4 KiB, 1.0 after 16 KiB, 1.6 after 128 KiB, 4.4 after 1 MiB.
void read_through(const os::file& file, std::uint64_t measured) {
  std::array<char, 16 << 10> piece;
  for (std::uint64_t offset = 0; offset < measured;) {
    const std::size_t count = file.read_at(piece, offset);
    if (count == 0) return;
    offset += count;
  }
}

std::filesystem::path find_slow_fs() {
  std::error_code ignored;
  const auto folder = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const auto& place : {folder, folder.parent_path() / "libexec" / "riffle"}) {
    if (std::filesystem::is_regular_file(place / program_name, ignored)) return place / program_name;
  }
  if (std::optional<std::string> found = os::find_program(program_name)) return *std::move(found);
  throw error(
      std::make_error_code(std::errc::no_such_file_or_directory), "find", program_name, std::nullopt,
      "install the package riffle-slow-fs, build riffle with libfuse 3.12 or later, or put it on PATH");
}

std::string in_words(const slow_storage& storage) {
  return fmt::format("{}, {} us a request, {} at once", program_name, storage.latency, storage.served);
}

served_file::served_file(const std::filesystem::path& file, const slow_storage& storage,
                         const std::filesystem::path& place)
    : folder_(place) {
  const std::string command =
      fmt::format("exec {} --attached=1 --latency={} --served={} {} {} 2>&1",
                  quoted(storage.program.string()), storage.latency, storage.served,
                  quoted(std::filesystem::absolute(file).string()), quoted(folder_.path().string()));
  program_.reset(popen(command.c_str(), "r"));
  std::string said;
  std::array<char, 4096> line{};
  while (program_ && std::fgets(line.data(), line.size(), program_.get()) != nullptr) {
    said += line.data();
    if (said.find(" a request, ") != std::string::npos) return;
  }
  throw error(std::make_error_code(std::errc::not_supported), "mount", folder_.path().string(), std::nullopt,
              said.empty() ? std::string(program_name) + " ended at once"
                           : said.substr(0, said.find_last_not_of('\n') + 1));
}

}  // namespace riffle::bench
