/// `riffle wc`: counts lines, words, characters and bytes. Rows, messages and offsets are those of GNU wc.
#include <fmt/core.h>
#include <riffle/kernels.hpp>
#include <riffle/version.hpp>

#include <algorithm>
#include <functional>
#include <span>

#include "cli/command_line.hpp"
#include "cli/commands.hpp"
#include "cli/files.hpp"
#include "cli/total.hpp"
#include "cli/wc/messages.hpp"
#include "cli/wc/run.hpp"
#include "cli/wc/table.hpp"

namespace riffle::cli {

namespace {

// In the order of GNU wc's own table, which is that of its messages.
constexpr std::array own_options{
    option{.name = "bytes",
           .short_form = 'c',
           .help = "Count bytes",
           .set = set_to<true, &wc_arguments::what, &wanted::bytes>},
    option{.name = "chars",
           .short_form = 'm',
           .help = "Count characters of the locale",
           .set = set_to<true, &wc_arguments::what, &wanted::characters>},
    option{.name = "lines",
           .short_form = 'l',
           .help = "Count newlines",
           .set = set_to<true, &wc_arguments::what, &wanted::lines>},
    option{.name = "words",
           .short_form = 'w',
           .help = "Count words: runs of bytes that are not white space",
           .set = set_to<true, &wc_arguments::what, &wanted::words>},
    option{.name = "debug",
           .help = "Say which SIMD kernels are used",
           .set = set_to<true, &wc_arguments::debug>},
    option{.name = "files0-from",
           .argument = "F",
           .help = "Read the files named in F, each name ended by a NUL byte; '-': names on standard input",
           .set = set_by<std::identity{}, &wc_arguments::list>},
    option{.name = "max-line-length",
           .short_form = 'L',
           .help = "Print the display width of the widest line",
           .set = set_to<true, &wc_arguments::what, &wanted::longest_line>},
    option{.name = "total",
           .argument = "WHEN",
           .help = "When to print a row of totals",
           .preset = "auto",
           .words = words_of_total,
           .set = set_by<parse_total, &wc_arguments::total>}};
constexpr option version_option{.name = "version", .help = "Print the version and exit"};
constexpr auto options =
    concatenated(own_options, in_full(thread_options), in_full(json_options), in_full(input_options),
                 std::array{version_option}, in_full(reading_options));

int run_wc(const command& self, std::span<char*> words) {
  const wc_messages messages(&self == &wc_called_command ? words.front() : nullptr);
  wc_arguments given;
  int status = success;
  try {
    const option* const ended = parse(self, words, given);
    if (ended == self.help) {
      status = print_help(self, messages.command());
    } else if (ended != nullptr) {
      write(fmt::format("wc (riffle) {}\n", version()));
    } else if (kernel_is_known()) {
      if (given.debug) messages.say(fmt::format("SIMD kernel: {}", active_kernel().name));
      add_listed_files(given);
      status = count_files(given, messages);
    } else {
      status = self.usage_status;
    }
  } catch (const text::usage_error& wrong) {
    return messages.refused(wrong);
  }
  flush_output();
  return status;
}

constexpr operand files_to_count{.name = "FILE", .help = files_to_read.help, .set = files_to_read.set};

constexpr std::array variables{definition{
    "LC_ALL, LC_CTYPE, LANG",
    "the locale of wc, by the first of them that is set: what characters, white space and widths are"}};

// GNU wc has no short form of it.
constexpr option long_help{.name = "help", .help = help_option.help};

}  // namespace

constexpr command wc_command{
    .name = "wc",
    .summary = "Count lines, words, characters and bytes",
    .options = options,
    .operands = files_to_count,
    .notes =
        "Without -l, -w, -m, -c and -L, riffle counts lines, words and bytes. LC_ALL, LC_CTYPE or LANG names "
        "the locale, which says what characters, white space and widths are.\n"
        "You can abbreviate the long options of GNU wc. You must spell riffle's own options, such as "
        "--method, in full.\n"
        "--json prints JSON Lines: an object with \"file\" for each row, and one with \"total\":true.\n"
        "Threads share many files or one large file. The output does not depend on their number.\n"
        "If riffle is called as wc, by a link of that name, its messages are those of GNU wc.",
    .examples =
        "  riffle wc access.log\n"
        "  riffle wc -l --threads 0 *.csv\n"
        "  riffle wc -z *.gz\n"
        "  find . -name '*.txt' -print0 | riffle wc --files0-from=- --total=only\n"
        "  riffle wc --json *.log | jq 'select(.lines > 1000) | .file'\n"
        "  riffle wc --method mmap --block-size 1MiB book.txt\n",
    .variables = variables,
    .usage_status = failure,
    .run = run_wc};

// `wc -z` is as invalid as it is to GNU wc.
constexpr auto options_of_wc = [] {
  auto all = options;
  for (option& each : all) {
    if (each.short_form == 'z') each.short_form = '\0';
  }
  return all;
}();

constexpr command wc_called_command = [] {
  command called = wc_command;
  called.options = options_of_wc;
  called.help = &long_help;
  return called;
}();

}  // namespace riffle::cli
