/// `riffle wc`: counts lines, words, characters and bytes. Rows, messages and offsets are those of GNU wc.
#include "cli/wc/wc.hpp"

#include <riffle/error.hpp>
#include <riffle/kernels.hpp>
#include <riffle/version.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <span>

#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/output.hpp"
#include "cli/reading.hpp"
#include "text/shown.hpp"

namespace riffle::cli {

namespace {

using fault = option_refused::fault;
using text::quotes;
using text::shell_quoted;

// GNU wc's messages begin so, whatever folder it was called in. Those of getopt_long begin with the whole
// name.
constexpr std::string_view gnu_name = "wc";

bool is_of_system(const error& failure) {
  return failure.code().category() == std::generic_category() ||
         failure.code().category() == std::system_category();
}

std::string reason_of(const error& failure) {
  return is_of_system(failure) ? failure.code().message() : failure.what();
}

// The words of GNU's --total for an argument that it does not take.
std::string wrong_total(const std::string& typed) {
  std::size_t candidates = 0;
  for (const std::string_view word : total_words) candidates += word.starts_with(typed) ? 1U : 0U;
  std::string text =
      fmt::format("{} argument {} for {}\nValid arguments are:", candidates == 0 ? "invalid" : "ambiguous",
                  text::locale_quoted(typed), text::locale_quoted("--total"));
  for (const std::string_view word : total_words) {
    text += fmt::format("\n  - {}", text::locale_quoted(word));
  }
  return text;
}

// As the C library's getopt_long says it.
std::string in_gnu_words(const option_refused& wrong) {
  if (wrong.why == fault::unknown) {
    const bool is_long = wrong.word.starts_with("--") && wrong.word != "--";  // which is the '-' of "-l-"
    return is_long ? fmt::format("unrecognized option '{}'", wrong.word)
                   : fmt::format("invalid option -- '{}'", wrong.word.substr(1));
  }
  if (wrong.why == fault::surplus_argument) {
    return fmt::format("option '{}' doesn't allow an argument", wrong.option);
  }
  if (wrong.why == fault::missing_argument) {
    return fmt::format("option '{}' requires an argument", wrong.option);
  }
  if (wrong.why == fault::ambiguous) {
    std::string text = fmt::format("option '{}' is ambiguous; possibilities:", wrong.word);
    for (const std::string& each : wrong.candidates) text += fmt::format(" '{}'", each);
    return text;
  }
  return wrong.option == "--total" ? wrong_total(wrong.word) : wrong.what();
}

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
      if (!given.lists.empty()) add_listed_files(given);
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

void wc_messages::say(std::string_view text) const {
  say_as(gnu_name, text);
}

void wc_messages::say_as(std::string_view name, std::string_view text) const {
  flush_output();
  if (!as_gnu()) return complain(fmt::format("riffle: {}", text));
  write_error(fmt::format("{}: {}\n", name, text));
}

void wc_messages::file_failed(const std::string& name, const std::exception_ptr& failure,
                              const cli::arguments& given) const {
  flush_output();
  try {
    if (as_gnu()) std::rethrow_exception(failure);
  } catch (const output_lost&) {
    throw;
  } catch (const error& told) {
    if (!is_of_system(told)) return say(as_typed(told, given));  // which GNU wc has no words for
    return say(fmt::format("{}: {}", shell_quoted(name.empty() ? "standard input" : name), reason_of(told)));
  } catch (const std::bad_alloc&) {
    return say("memory exhausted");
  }
  complain_of_file(name.empty() ? "-" : name, failure, given);
}

void wc_messages::list_failed(list_step step, const std::string& list, const error& failure) const {
  const std::string quoted = shell_quoted(list, quotes::always);
  say(!as_gnu()                    ? failure.what()
      : step == list_step::opening ? fmt::format("cannot open {} for reading: {}", quoted, reason_of(failure))
      : step == list_step::at_once
          ? fmt::format("cannot read file names from {}", quoted)
          : fmt::format("{}: read error: {}", shell_quoted(list), reason_of(failure)));
}

void wc_messages::input_closed() const {
  if (as_gnu()) say(fmt::format("-: {}", std::make_error_code(std::errc::bad_file_descriptor).message()));
}

int wc_messages::try_help(std::string_view name, const std::string& text) const {
  say_as(name, as_gnu() ? fmt::format("{}\nTry '{} --help' for more information.", text, called_)
                        : fmt::format("{} (see riffle wc --help)", text));
  return failure;
}

int wc_messages::refused(const text::usage_error& wrong) const {
  const auto* const option = dynamic_cast<const option_refused*>(&wrong);
  if (!as_gnu() || option == nullptr) return try_help(gnu_name, wrong.what());
  return try_help(option->why == fault::bad_argument ? gnu_name : called_, in_gnu_words(*option));
}

int wc_messages::extra_operand(const std::string& operand) const {
  return try_help(gnu_name,
                  fmt::format("extra operand {}{}file operands cannot be combined with --files0-from",
                              shell_quoted(operand, quotes::always), as_gnu() ? "\n" : "; "));
}

int wc_messages::lost(const output_lost& failure) const {
  write_error(as_gnu() ? fmt::format("{}: write error: {}\n", gnu_name, reason_of(failure))
                       : fmt::format("riffle: {}\n", failure.what()));
  return cli::failure;
}

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
