/// Why this file exists: many files are read side by side by several threads, and what comes out is what one
/// thread would have written.
#ifndef RIFFLE_CLI_FILES_HPP
#define RIFFLE_CLI_FILES_HPP

#include <cstdint>
#include <exception>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"

namespace riffle::cli {

/// What one look at a name tells, before its file is opened.
struct glance {
  std::filesystem::file_type type = std::filesystem::file_type::not_found;
  std::uint64_t size = 0;  ///< of a regular file, in bytes; a hint
};

/// Looks at each file of the command line, with one system call for each.
std::vector<glance> look_at(const reading_arguments& reading);

/// Calls `work(i)` for every i below `count`, on several threads at once, the calling one among them; and
/// `finish(i)` as soon as all up to i are worked on, in order, never two at a time. `work` must not throw;
/// what `finish` throws stops all, and is thrown again here.
void in_order(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& work,
              const std::function<void(std::size_t)>& finish);

/// Where the list of files stops being read side by side.
struct file_run {
  std::size_t end = 0;       ///< the index after its last file
  bool side_by_side = true;  ///< if not, it is one file, which gets all threads
};

/// The run that starts at `begin`. Pipes, devices and standard input are alone, so that they are opened and
/// read in their turn; a file of more than `longest` bytes, or the only one, is alone so that all threads
/// share it. Without glances all files are one run.
file_run run_from(std::size_t begin, const std::vector<std::string>& names,
                  const std::vector<glance>& glances, std::uint64_t longest);

/// The number of threads that `--threads` means.
unsigned thread_count(const reading_arguments& reading);

/// Larger files are split among threads: one split of `parallel_reduce` is 4 MiB.
inline constexpr std::uint64_t largest_whole_file = std::uint64_t{4} << 20U;

/// Calls `read(name, threads, result)` for each file and then `print(name, *result)` in the order of the
/// command line. `read` runs on several threads at once, and fills `result`, a std::optional<Result>; where
/// it throws, what is in `result` is printed first. Files of at most `longest` bytes are read by one thread
/// each.
///
/// Errors, too, are told in the order of the command line. Returns the exit status; throws what `print` does.
/// `glances` may be what `look_at` told before.
template <class Result, class Read, class Print>
int read_files(const reading_arguments& reading, const Read& read, const Print& print,
               std::vector<glance> glances = {}, std::uint64_t longest = largest_whole_file) {
  struct outcome {
    std::optional<Result> result;
    std::exception_ptr failure;
  };
  const unsigned threads = thread_count(reading);
  if (glances.empty() && threads > 1 && reading.files.size() > 1) glances = look_at(reading);
  int status = success;
  for (std::size_t begin = 0; begin != reading.files.size();) {
    const file_run run = run_from(begin, reading.files, glances, longest);
    const unsigned takers = run.side_by_side ? threads : 1;
    const unsigned sharers = run.side_by_side ? 1 : threads;
    std::vector<outcome> outcomes(takers == 1 ? 1 : run.end - begin);
    in_order(
        run.end - begin, takers,
        [&](std::size_t index) {
          outcome& of = outcomes[index % outcomes.size()];
          try {
            read(reading.files[begin + index], sharers, of.result);
          } catch (...) {
            of.failure = std::current_exception();
          }
        },
        [&](std::size_t index) {
          outcome& of = outcomes[index % outcomes.size()];
          if (of.result) print(reading.files[begin + index], *of.result);
          if (of.failure) {
            status = failure;
            complain_of_file(of.failure);
          }
          of = {};
        });
    begin = run.end;
  }
  return status;
}

}  // namespace riffle::cli

#endif
