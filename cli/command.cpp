/// The options and the error handling that all subcommands share.
#include "cli/command.hpp"

#include <fmt/core.h>
#include <riffle/error.hpp>
#include <riffle/methods.hpp>

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "text/columns.hpp"

namespace riffle::cli {

namespace {

// The errno of the first write to standard output that failed: what fails after it clears the buffer, and
// knows no reason.
int lost_output = 0;

std::string method_names() {
  std::string names = "automatic";
  for (const method_info& info : methods()) names.append(", ").append(info.name);
  return names;
}

}  // namespace

// The table of units is made when a size is given, not whenever the tool starts.
const CLI::Validator as_size(
    [](std::string& text) {
      CLI::AsSizeValue units(false);
      return units(text);
    },
    "SIZE");

const CLI::Validator is_seconds(
    [](const std::string& text) {
      double seconds = 0;
      const char* const last = text.data() + text.size();
      const auto [end, error] = std::from_chars(text.data(), last, seconds);
      const bool fine = error == std::errc() && end == last && seconds > 0 && std::isfinite(seconds);
      return fine ? std::string() : fmt::format("'{}' is not a number of seconds above 0", text);
    },
    "SECONDS");

void add_reading(CLI::App& command, reading_arguments& arguments, bool threads) {
  command.add_option("FILE", arguments.files, "Files to read; '-' or none: standard input");
  auto& options = arguments.options;
  command
      .add_option_function<std::string>(
          "--method", [&options](const std::string& name) { options.method = parse_method(name); },
          "How to read: " + method_names())
      ->type_name("NAME");
  command.add_option("--block-size", options.block_size, "Bytes handed out at a time: 64K, 1MiB")
      ->transform(as_size)
      ->type_name("SIZE");
  command.add_option("--queue-depth", options.queue_depth, "Reads in flight, for uring and direct")
      ->type_name("N");
  command.add_flag("--whole-file", options.whole_file, "One mapping of the whole file, for mmap");
  command.add_flag_callback(
      "--no-cache", [&options] { options.keep_cache = false; },
      "Leave nothing of the files in the page cache");
  if (threads) {
    command
        .add_option("--threads", arguments.threads,
                    "Threads, for a large file or many files; 0: as many as the machine runs at once")
        ->type_name("N")
        ->check(CLI::Range(0U, 1024U));
  }
}

method parse_method(const std::string& name) {
  if (const auto found = method_named(name)) return *found;
  throw CLI::ValidationError("--method", fmt::format("no method '{}': one of {}", name, method_names()));
}

input input_of(const std::string& name) {
  if (name == "-") return input(0);
  return input(name);
}

int for_each_file(const std::vector<std::string>& files,
                  const std::function<void(const std::string&)>& work) {
  int status = success;
  for (const std::string& file : files) {
    try {
      work(file);
    } catch (...) {
      complain_of_file(std::current_exception());
      status = failure;
    }
  }
  return status;
}

void complain(const std::string& text) {
  const std::string line = text::printable(text) + "\n";
  flushed();  // what was right before comes first
  std::fwrite(line.data(), 1, line.size(), stderr);
}

void complain(const std::exception& failure) {
  complain(std::string("riffle: ") + failure.what());
}

void complain_of_file(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const error& told) {
    if (told.operation() == "write") throw;  // the output is lost: nothing is left to do
    complain(told);
  }
}

void write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size()) return;
  throw error({errno, std::generic_category()}, "write", "standard output");
}

bool flushed() {
  if (std::ferror(stdout) == 0) errno = 0;  // else it is of the write that failed just now
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return true;
  if (lost_output == 0) lost_output = errno != 0 ? errno : EIO;
  return false;
}

void flush_output() {
  if (!flushed()) throw error({lost_output, std::generic_category()}, "write", "standard output");
}

char parse_byte(const std::string& text) {
  if (text.size() == 1) return text[0];
  if (text == "\\n") return '\n';
  if (text == "\\r") return '\r';
  if (text == "\\t") return '\t';
  if (text == "\\0") return '\0';
  if (text == "\\\\") return '\\';
  if (text.size() == 4 && text.starts_with("\\x")) {
    char* end = nullptr;
    const unsigned long value = std::strtoul(text.c_str() + 2, &end, 16);
    if (*end == '\0') return static_cast<char>(value);
  }
  throw CLI::ValidationError(
      fmt::format("'{}' is not one byte: write a character, or \\n \\r \\t \\0 \\\\ \\xHH", text));
}

}  // namespace riffle::cli
