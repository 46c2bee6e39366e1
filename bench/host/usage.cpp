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

}  // namespace riffle::os
