/// The options of every command that reads files, and how such a command goes through its files.
#pragma once

#include <riffle/input.hpp>
#include <riffle/options.hpp>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.hpp"
#include "text/numbers.hpp"

namespace riffle::cli {

/// What `--method --block-size --queue-depth --whole-file --decode --max-size --no-cache --threads --json
/// FILE...` were given, besides the options of progress.
struct reading_arguments : progress_arguments {
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
           .help =
               "Read the files whose names stand in the file LIST, one on each line, before those that are "
               "named; '-' is standard input",
           .set = add_to<&reading_arguments::lists>},
    progress_options[0], progress_options[1]};

/// How they are read, which few people need to say.
inline constexpr auto reading_options = in_group(
    "Reading",
    std::array{option{.name = "method",
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
               option{.name = "whole-file",
                      .help = "Map the whole file at once with the method mmap",
                      .set = set_to<true, &reading_arguments::options, &read_options::whole_file>},
               option{.name = "max-size",
                      .argument = "SIZE",
                      .help = "Fail if more bytes than this are read from a file, decoded or not",
                      .set = set_by<text::size_within<0, std::uint64_t{1} << 62U>,
                                    &reading_arguments::options, &read_options::max_size>},
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

/// Options that mean something only with the option `needs`.
template <std::size_t size>
consteval std::array<option, size> needing(const char* needs, std::array<option, size> options) {
  for (option& each : options) each.needs = needs;
  return options;
}

/// The input that a name on the command line means; "-" is standard input.
input input_of(const std::string& name);

}  // namespace riffle::cli
