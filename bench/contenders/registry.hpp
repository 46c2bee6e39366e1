/// The one list of all contenders, to which each program adds its own.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <riffle/options.hpp>
#include <riffle/parallel.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/data/contender.hpp"

namespace riffle::bench {

/// What is varied of the contenders.
struct contender_options {
  read_options reading = {};  // for riffle's contenders; a method named here is the only one they use
  std::vector<std::size_t> block_sizes = {};  // riffle's contenders once for each; empty: reading.block_size
  std::vector<unsigned> threads = {
      1};  // riffle's contenders and the limit once for each; the others have one
  std::vector<std::vector<std::string>> commands = {};  // of the task `commands`, as os::command takes them
  bool any_output = false;                              // they may write different output
  bool ignore_failure = false;                          // a run that fails counts
  double most_seconds = 100;                            // for one run of a command
};

/// Every contender of a task, the limits first: those that decode files of `reading.decode` if
/// that is a format.
std::vector<contender> contenders_of(task which, const contender_options& options);

/// Returns whether `glob` (`*` and `?`) matches all of `text`.
bool matches_glob(const std::string& glob, const std::string& text);

// Each appends its contenders of the task.
void add_decoded(task which, const contender_options& options, std::vector<contender>& to);
void add_limit(task which, const contender_options& options, std::vector<contender>& to);
void add_decode_limit(task which, const contender_options& options, std::vector<contender>& to);
void add_text_programs(task which, std::vector<contender>& to);
void add_readahead(task which, std::vector<contender>& to);
void add_value_programs(task which, std::vector<contender>& to);
void add_commands(const contender_options& options, std::vector<contender>& to);
void add_processes(task which, std::vector<contender>& to);
void add_riffle(task which, const contender_options& options, std::vector<contender>& to);

/// The C++ statements, on one line, that do the task on `path` as riffle's contender of that name, method and
/// number of threads does. A name that riffle does not have stands for the main form of the task. `options`:
/// "{.method = ...}", or empty.
std::string code_of(task which, std::string_view name, std::string_view method, unsigned threads,
                    std::string_view options);

/// Loops as they were published, which read nothing and so have no answer to give: `contenders_of` leaves
/// them out, as they join no race.
void add_walks(task which, std::vector<contender>& to);

using by = riffle::method;  // for rows: "fread", by::stdio

/// A contender that treats one file at a time, as a line of a table.
struct row {
  const char* name;
  riffle::method method;
  const char* description;
  answer (*one)(const std::filesystem::path&);
  std::size_t block_size = 0;
  std::optional<std::string> (*unavailable)(input_files) = nullptr;  // as of a contender
};

/// For `row::unavailable`: the files cannot be read past the page cache.
std::optional<std::string> no_direct(input_files files);

/// Appends a contender for each row.
void add_rows(task which, std::string_view program, std::span<const row> rows, std::vector<contender>& to,
              bool for_storage = false);

/// The sum of the answers of `one` over all files: how nearly every contender treats several files.
template <class One>
std::function<answer(input_files)> each_file(One one) {
  return [one = std::move(one)](input_files files) {
    answer total;
    for (const std::filesystem::path& file : files) total += one(file);
    return total;
  };
}

}  // namespace riffle::bench
