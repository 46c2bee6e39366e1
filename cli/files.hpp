/// Many files are read side by side by several threads, and
/// what comes out is what one thread would have written.
#ifndef RIFFLE_CLI_FILES_HPP
#define RIFFLE_CLI_FILES_HPP

#include <riffle/parallel.hpp>
#include <riffle/source.hpp>

#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/output.hpp"
#include "cli/reading.hpp"

namespace riffle::cli {

/// Calls `work(i)` for every i below `count`, on several threads at once, the calling one among them; and
/// `finish(i)` as soon as all up to i are worked on: in order, never two at a time. `work` must not throw;
/// what `finish` throws stops all, and is thrown again here.
void in_order(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& work,
              const std::function<void(std::size_t)>& finish);

/// Whether a file, just opened, is one of those that are read side by side: it has positions, and is not so
/// large that all threads should share it.
bool side_by_side(const source& opened);

/// What a subcommand does with each file. A result is filled as the file is read, so that after a failure it
/// holds what was right before; it has a value as soon as the file is open.
template <class Result>
struct file_work {
  /// Reads to the end. Called on several threads at once.
  std::function<void(source& from, std::optional<Result>& result)> read;
  /// Reads to the end by so many threads. Called when all files before are finished.
  std::function<void(const input& from, unsigned threads, std::optional<Result>& result)> share;
  /// Called in the order of the command line, with no value where the file could not be read at all. A
  /// failure is told after it.
  std::function<void(const std::string& name, const std::optional<Result>& result)> finish;
  /// Called when all files before are finished and one is next that may take long: nothing is to be held
  /// back.
  std::function<void()> catch_up = [] {};
};

/// Does the work on all files of the command line. What is not to be read side by side (standard input, a
/// pipe, a device, a large file) is read when all files before it are finished. Errors, too, are told in the
/// order of the command line. Returns the exit status; throws what `finish` does.
template <class Result>
int for_each_file(const reading_arguments& reading, const file_work<Result>& work) {
  struct file_state {
    bool shared = false;           // to be read by all threads in its turn
    std::optional<source> opened;  // to be read by one in its turn: a pipe cannot be opened twice
    std::optional<Result> result;
    std::exception_ptr failure;
  };
  const std::vector<std::string>& files = reading.files;
  const unsigned threads = detail::thread_count(reading.threads);
  std::vector<file_state> states(threads == 1 ? 1 : files.size());
  const auto state_of = [&](std::size_t index) -> file_state& { return states[index % states.size()]; };
  const auto guarded = [](file_state& file, const auto& reads) {
    try {
      reads();
    } catch (...) {
      file.failure = std::current_exception();
    }
  };
  int status = success;
  in_order(
      files.size(), threads,
      [&](std::size_t index) {
        file_state& file = state_of(index);
        file.shared = threads != 1 && (files[index] == "-" || files.size() == 1);
        if (file.shared) return;
        guarded(file, [&] {
          source from(input_of(files[index]), reading.options);
          if (side_by_side(from)) return work.read(from, file.result);
          file.shared = from.seekable() && threads != 1;
          if (!file.shared) file.opened = std::move(from);
        });
      },
      [&](std::size_t index) {
        file_state& file = state_of(index);
        if (file.shared || file.opened) work.catch_up();
        guarded(file, [&] {
          if (file.shared) work.share(input_of(files[index]), threads, file.result);
          if (file.opened) work.read(*file.opened, file.result);
        });
        work.finish(files[index], file.result);
        if (file.failure) {
          status = failure;
          complain_of_file(file.failure);
        }
        file = {};
      });
  return status;
}

}  // namespace riffle::cli

#endif
