/// The options of every command that reads files, and how such a command goes through its files.
#ifndef RIFFLE_CLI_READING_HPP
#define RIFFLE_CLI_READING_HPP

#include <riffle/input.hpp>
#include <riffle/options.hpp>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.hpp"
#include "cli/progress/options.hpp"
#include "text/numbers.hpp"

namespace riffle::cli {

/// What `--method --block-size --queue-depth --whole-file --decode --max-size --no-cache --threads --json
/// FILE...` were given, besides the options of progress.
struct reading_arguments : progress_arguments {
  read_options options;
  std::optional<unsigned> threads;
  bool json = false;
  std::vector<std::string> files;
};

/// Larger blocks only cost memory.
inline constexpr std::uint64_t largest_block = text::gib;

/// "none", "automatic" and each format.
std::vector<std::string_view> decoding_names();
/// "automatic" and each method.
std::vector<std::string_view> method_names();
/// The method of that name. Throws text::usage_error, which lists the names.
method parse_method(std::string_view name);

// The setters of the options below. `given` must be reading_arguments.
void set_method(arguments& given, std::string_view value);
void set_block_size(arguments& given, std::string_view value);
void set_queue_depth(arguments& given, std::string_view value);
void set_whole_file(arguments& given, std::string_view value);
void set_decompress(arguments& given, std::string_view value);
void set_decode(arguments& given, std::string_view value);
void set_max_size(arguments& given, std::string_view value);
void set_no_cache(arguments& given, std::string_view value);
void set_threads(arguments& given, std::string_view value);
void set_json(arguments& given, std::string_view value);
void add_file(arguments& given, std::string_view value);

inline constexpr std::array reading_options{
    option{.name = "method",
           .value = takes::argument,
           .argument = "NAME",
           .help = "Method of reading",
           .words = method_names,
           .set = set_method},
    option{.name = "block-size",
           .value = takes::argument,
           .argument = "SIZE",
           .help = "Size of a block, such as 64K or 1MiB; at most 1G",
           .set = set_block_size},
    option{.name = "queue-depth",
           .value = takes::argument,
           .argument = "N",
           .help = "Reads in flight with the methods uring and direct; at most 4096",
           .set = set_queue_depth},
    option{.name = "whole-file",
           .help = "Map the whole file at once with the method mmap",
           .set = set_whole_file},
    option{.name = "decompress",
           .short_form = 'z',
           .help = "Decode what is compressed, as --decode automatic",
           .set = set_decompress},
    option{.name = "decode",
           .value = takes::argument,
           .argument = "FORMAT",
           .help = "Format to decode",
           .preset = "none",
           .words = decoding_names,
           .set = set_decode},
    option{.name = "max-size",
           .value = takes::argument,
           .argument = "SIZE",
           .help = "Fail if more bytes than this are read from a file, decoded or not",
           .set = set_max_size},
    option{.name = "no-cache", .help = "Drop what riffle has read from the page cache", .set = set_no_cache},
    progress_options[0],
    progress_options[1]};

inline constexpr std::array thread_options{
    option{.name = "threads",
           .value = takes::argument,
           .argument = "N",
           .help = "Threads for a large file or many files, 0 to 1024; 0: one for each processor",
           .preset = "automatic",
           .set = set_threads}};

inline constexpr std::array json_options{
    option{.name = "json", .help = "Print each row as a line of JSON", .set = set_json}};

inline constexpr operand files_to_read{
    .name = "FILE", .help = "Files to read; '-' or no FILE: standard input", .preset = "-", .set = add_file};

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

#endif
