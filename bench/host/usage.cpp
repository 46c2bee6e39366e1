/// `os::usage` by getrusage(2).
#include "bench/host/usage.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <string_view>

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

// Counts what threads and ended children caused too; see proc_pid_io(5).
double bytes_from_storage() {
  static const int counters = open("/proc/self/io", O_RDONLY | O_CLOEXEC);
  return number_in(counters, "read_bytes: ");
}

// The second of three numbers, in nanoseconds; see sched-stats of the OS kernel.
double seconds_delayed() {
  static const int times = open("/proc/self/schedstat", O_RDONLY | O_CLOEXEC);
  return number_in(times, " ") * 1e-9;
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
  all.bytes_read = bytes_from_storage();
  all.delayed_seconds = seconds_delayed();
  return all;
}

}  // namespace riffle::os
