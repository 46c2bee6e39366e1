/// The options of every command that reads files, and how such a command goes through its files.
#pragma once

#include <riffle/input.hpp>
#include <riffle/options.hpp>
#include <riffle/parallel.hpp>
#include <riffle/parallel_files.hpp>
#include <riffle/source.hpp>

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "cli/command.hpp"
#include "cli/output.hpp"
#include "text/typed.hpp"

namespace riffle::cli {

/// The most bytes in a part whose result waits for those of the parts before: it may take four times the
/// memory.
inline constexpr std::uint64_t largest_waiting_part = std::uint64_t{512} << 10U;

/// Returns how many threads may read these files, side by side or one that is large together: those `asked`
/// for by --threads, or those that were measured to help. docs/choosing.md has the rules and the
/// measurements.
unsigned threads_for(std::span<const std::string> files, std::optional<unsigned> asked);
/// Returns how an input is split for so many of these threads, at most.
riffle::thread_options splitting_for(const source& opened, std::optional<unsigned> asked, unsigned granted);

/// What `--method --block-size --queue-depth --whole-file --decode --max-size --no-cache --threads --json
/// FILE...` were given, besides the options of progress.
struct reading_arguments : arguments {
  read_options options;
  bool decode_typed = false;  // -z or --decode, which say what is decoded
  std::optional<unsigned> threads;
  bool json = false;
  std::vector<std::string> files;
  std::vector<std::string> lists;  // of --files-from: with one, no FILE is not standard input
};

/// Larger blocks only cost memory.
inline constexpr std::uint64_t largest_block = text::gib;

/// "none", "automatic" and each format.
std::vector<std::string_view> decoding_names();
/// "automatic" and each method.
std::vector<std::string_view> method_names();
/// The method of that name. Throws text::usage_error, which lists the names.
method parse_method(std::string_view name);

/// The format of that name. Throws as `parse_method`.
decoding parse_decoding(std::string_view name);
/// The setters of -z and of --decode.
void set_decompress(arguments& given, std::string_view value);
void set_decode(arguments& given, std::string_view value);
/// Lets a command that gives records decode what begins as a known format, unless an option says otherwise.
void decode_records(reading_arguments& given);
/// The setter of --threads.
void set_threads(arguments& given, std::string_view value);
/// Puts the files that --files-from lists before those that are named. Throws `riffle::error` if a list
/// cannot be read.
void add_listed_files(reading_arguments& given);
/// Whether files were listed.
bool are_files_listed(const arguments& given);

inline constexpr std::array thread_options{
    option{.name = "threads",
           .argument = "N",
           .help = "Threads for a large file or many files, 0 to 1024; 0: one for each processor",
           .preset = "automatic",
           .set = set_threads}};

inline constexpr std::array json_options{option{.name = "json",
                                                .help = "Print each row as a line of JSON",
                                                .set = set_to<true, &reading_arguments::json>}};

/// Which files are read, and what they are.
inline constexpr std::array input_options{
    option{.name = "decompress",
           .short_form = 'z',
           .help = "Decode what is compressed, as --decode automatic",
           .set = set_decompress},
    option{.name = "decode",
           .argument = "FORMAT",
           .help = "Format to decode",
           .preset = "automatic for lines and rows, none for bytes",
           .words = decoding_names,
           .set = set_decode},
    option{.name = "files-from",
           .argument = "LIST",
           .help = "Read the files whose names stand in the file LIST, one on each line, before those that "
                   "are named; '-' is standard input",
           .set = add_to<&reading_arguments::lists>},
    progress_options[0], progress_options[1]};

/// How they are read, which few people need to say.
inline constexpr auto reading_options = in_group(
    "Reading",
    std::array{
        option{.name = "method",
               .argument = "NAME",
               .help = "Method of reading",
               .words = method_names,
               .set = set_by<parse_method, &reading_arguments::options, &read_options::method>},
        option{.name = "block-size",
               .argument = "SIZE",
               .help = "Size of a block, such as 64K or 1MiB; at most 1G",
               .set = set_by<text::size_within<0, largest_block>, &reading_arguments::options,
                             &read_options::block_size>},
        option{.name = "queue-depth",
               .argument = "N",
               .help = "Reads in flight with the methods uring and direct; at most 4096",
               .set = set_by<text::number_within<0, 4096>, &reading_arguments::options,
                             &read_options::queue_depth>},
        option{
            .name = "whole-file",
            .help = "Map the whole file at once with the method mmap",
            .set =
                set_to<true, &reading_arguments::options, &read_options::mapping, &read_mapping::whole_file>},
        option{.name = "max-size",
               .argument = "SIZE",
               .help = "Fail if more bytes than this are read from a file, decoded or not",
               .set = set_by<text::size_within<0, std::uint64_t{1} << 62U>, &reading_arguments::options,
                             &read_options::max_size>},
        option{.name = "no-cache",
               .help = "Drop what riffle has read from the page cache",
               .set = set_to<false, &reading_arguments::options, &read_options::keep_cache>}});

inline constexpr operand files_to_read{.name = "FILE",
                                       .help = "Files to read; '-' or no FILE: standard input",
                                       .preset = "-",
                                       .has_others = are_files_listed,
                                       .set = add_to<&reading_arguments::files>};

/// Options that may not be abbreviated, beside those of another program.
template <std::size_t size>
consteval std::array<option, size> in_full(std::array<option, size> options) {
  for (option& each : options) each.in_full = true;
  return options;
}

/// Options that mean something only with the option `needs`, or those that they need already.
template <std::size_t size>
consteval std::array<option, size> needing(const char* needs, std::array<option, size> options) {
  for (option& each : options) each.needs = each.needs == nullptr ? needs : each.needs;
  return options;
}

/// The input that a name on the command line means; "-" is standard input.
input input_of(const std::string& name);

/// "1.2 GiB of 4.0 GiB (30 %), 512.0 MiB/s, 0:05 left" in at most so many columns: without its last parts, if
/// they are too few. The bytes were read in so many seconds. `total` is 0 if it is unknown.
std::string progress_text(std::uint64_t bytes, std::uint64_t total, double seconds, std::size_t columns);

/// Shows the line while it exists, from the first second on. Ctrl-C and SIGTERM remove the line, and end the
/// program as ever. A program has one such object at a time.
class reading_progress {
 public:
  /// Lets what is read by these options be progress: of compressed files, the compressed bytes. `total` is 0
  /// if it is unknown.
  reading_progress(read_options& reading, std::uint64_t total);
  ~reading_progress();
  reading_progress(const reading_progress&) = delete;
  reading_progress& operator=(const reading_progress&) = delete;

  /// Removes the line. There is none while the result exists: call this before you write to the terminal.
  [[nodiscard]] static std::unique_lock<std::mutex> removed();

 private:
  void show();

  std::atomic<std::uint64_t> bytes_ = 0;
  std::uint64_t total_;
  std::atomic<bool> stop_ = false;
  std::condition_variable stopped_;
  std::thread thread_;
};
/// Returns the progress of what is read by `given.options`, if `text::shows_progress`; else null. The files
/// of `given` are all that are read, if they are known. A command `writes_as_it_reads` if it prints before
/// the end of a file.
std::unique_ptr<reading_progress> shown_progress(reading_arguments& given, bool writes_as_it_reads = false);

/// Looks at an open input of which nothing was read yet; `name` is as it was typed. Returns whether a command
/// that `takes_text` may get UTF-16. `note` gets what to say of the end of an input that is decoded. Throws
/// `riffle::error` if `-z` was typed, and a file whose name says that it is compressed is not.
bool look_at(const std::string& name, const source& opened, const reading_arguments& given, bool takes_text,
             std::string& note);
/// Returns what to say of a compressed file of which the bytes were taken, as no option says what is decoded:
/// if standard error is a terminal, or if reading it failed; empty: nothing.
std::string note_of_format(const std::string& name, bool failed, const reading_arguments& given);
/// Returns what to say of a regular file that begins as UTF-16 does; empty: nothing.
std::string note_of_encoding(const std::string& name, const read_options& reading);

/// The result of a command that writes as it reads.
struct no_result {};

/// What a command does with each of its files.
template <class Result>
struct file_steps {
  /// Reads an input, and fills the result as it goes: after a failure it holds what was read before.
  std::function<void(const std::string& name, source opened, const riffle::thread_options& splitting,
                     std::optional<Result>& result)>
      read;
  /// Gets the name and the result of each file, in the order of the command line, and what opening or `read`
  /// threw, or null. The result has no value if the file could not be opened. May be empty. A problem that it
  /// clears is not reported.
  std::function<void(const std::string& name, std::optional<Result>& result, std::exception_ptr& problem)>
      finish = {};
  /// Reports the problem of a file, after `finish`; empty: by `complain_of_file`.
  std::function<void(const std::string& name, const std::exception_ptr& problem)> complain = {};
  /// Says something else of a file, after that.
  std::function<void(const std::string& text)> note = [](const std::string& text) {
    riffle::cli::complain("riffle: " + text);
  };
  /// It takes the bytes for text, so the result of another encoding is wrong.
  bool takes_text = false;
  /// Passes on what was held back, before a wait for the next file.
  std::function<void()> catch_up = flush_output;
};

/// Opens and reads each file by `given.options` for a command. `threads` are those that --threads asks for: 1
/// for a command without it. Returns the exit status; throws what the steps throw, but `read`.
template <class Result>
int for_each_file(const reading_arguments& given, std::span<const std::string> names,
                  std::optional<unsigned> threads, const file_steps<Result>& steps) {
  std::vector<input> inputs;
  inputs.reserve(names.size());
  for (const std::string& name : names) inputs.push_back(input_of(name));
  std::vector<std::optional<Result>> results(inputs.size());
  std::vector<std::string> notes(inputs.size());
  std::vector<char> may_be_utf_16(inputs.size());  // not of bool, as threads share it
  int status = success;
  const file_work work{
      .read =
          [&](std::size_t index, source opened, unsigned granted) {
            may_be_utf_16[index] = look_at(names[index], opened, given, steps.takes_text, notes[index]);
            const riffle::thread_options splitting = splitting_for(opened, threads, granted);
            steps.read(names[index], std::move(opened), splitting, results[index]);
          },
      .finish =
          [&](std::size_t index, std::exception_ptr problem) {
            if (steps.finish) steps.finish(names[index], results[index], problem);
            results[index].reset();
            flush_before_next(names.size());
            if (problem) {
              status = failure;
              if (steps.complain) {
                steps.complain(names[index], problem);
              } else {
                complain_of_file(names[index], problem, given);
              }
            } else if (!notes[index].empty()) {
              steps.note(notes[index]);
            }
            const std::string format = note_of_format(names[index], problem != nullptr, given);
            if (!format.empty()) return steps.note(format);
            if (!problem && may_be_utf_16[index] == 0) return;
            const std::string encoding = note_of_encoding(names[index], given.options);
            if (!encoding.empty()) steps.note(encoding);
          },
      .catch_up = steps.catch_up};
  detail::each_file(inputs, work, threads_for(names, threads), given.options, true);
  return status;
}

}  // namespace riffle::cli
