/// What all subcommands share: the options for reading, the list of files, and how errors end.
#ifndef RIFFLE_CLI_COMMAND_HPP
#define RIFFLE_CLI_COMMAND_HPP

#include <riffle/input.hpp>
#include <riffle/options.hpp>

#include <CLI/CLI.hpp>
#include <exception>
#include <functional>
#include <string>
#include <vector>

namespace riffle::cli {

/// The exit statuses: all went well; something could not be read or written; the command line was wrong.
enum exit_status : int { success = 0, failure = 1, usage = 2 };

/// What `--method --block-size --queue-depth --whole-file --no-cache --threads FILE...` were given.
struct reading_arguments {
  read_options options;
  unsigned threads = 1;
  std::vector<std::string> files = {"-"};
};

/// Adds `FILE...` and the options for reading to a subcommand; `threads` adds `--threads` too.
void add_reading(CLI::App& command, reading_arguments& arguments, bool threads);

/// Adds the subcommands to the tool. Each stores how it ended in `status`.
void add_wc(CLI::App& tool, int& status);
void add_count(CLI::App& tool, int& status);
void add_sum(CLI::App& tool, int& status);
void add_cat(CLI::App& tool, int& status);
void add_bench(CLI::App& tool, int& status);
void add_advise(CLI::App& tool, int& status);
void add_methods(CLI::App& tool, int& status);

/// The input that a name on the command line means; "-" is standard input.
input input_of(const std::string& name);

/// Runs `work` on each file. One that fails is named on standard error in one line; the others are still
/// done. Returns the exit status.
int for_each_file(const std::vector<std::string>& files, const std::function<void(const std::string&)>& work);

/// Prints the text as one line on standard error, with nothing in it that a terminal would obey. A standard
/// error that is closed or full is no failure.
void complain(const std::string& text);
/// The same, as "riffle: ...".
void complain(const std::exception& failure);
/// The same for a failure to read a file; any other failure is thrown again.
void complain_of_file(const std::exception_ptr& failure);

/// Writes to standard output; throws `riffle::error` when that fails (a full disk, a closed pipe).
void write(std::string_view text);
/// Writes out what is still buffered. Returns whether all output has arrived so far.
bool flushed();
/// The same; throws like `write` when not.
void flush_output();

/// The byte that an argument means: one character, or \n \r \t \0 \\ \xHH. Throws CLI::ValidationError.
char parse_byte(const std::string& text);

/// Turns a size such as 64K or 1MiB into bytes, for `transform`.
extern const CLI::Validator as_size;

/// Accepts a number of seconds above 0, for `check`.
extern const CLI::Validator is_seconds;

/// The method of that name. Throws CLI::ValidationError, which lists the names.
method parse_method(const std::string& name);

}  // namespace riffle::cli

#endif
