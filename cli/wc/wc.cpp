/// `riffle wc`: counts lines, words, characters and bytes. Rows, messages and offsets are those of GNU wc.
#include <fmt/core.h>
#include <riffle/kernels.hpp>
#include <riffle/parallel.hpp>
#include <riffle/version.hpp>

#include <algorithm>
#include <exception>
#include <functional>
#include <span>
#include <utility>

#include "cli/command_line.hpp"
#include "cli/commands.hpp"
#include "cli/files.hpp"
#include "cli/os/descriptor.hpp"
#include "cli/progress/progress.hpp"
#include "cli/reading.hpp"
#include "cli/wc/count.hpp"
#include "cli/wc/messages.hpp"
#include "cli/wc/table.hpp"
#include "text/quoted.hpp"

namespace riffle::cli {

namespace {

// What `riffle wc` was given.
struct wc_arguments : reading_arguments {
  wanted what;
  total_row total = total_row::automatic;
  std::optional<std::string> list;  // the file of --files0-from
  bool debug = false;
};

struct file_counts {
  counts sum;                         // of what was read before a failure
  std::optional<std::uint64_t> size;  // of a file that was read to its end
};

bool input_is_open() {
  std::error_code failure;
  static_cast<void>(os::size_of(0, failure));
  return failure != std::errc::bad_file_descriptor;
}

// The bytes that GNU wc -c does not read, because the size of the file tells them. `from` is then after
// them. A size that is a whole number of pages can be wrong, as in /proc and /sys: the last part is read. So
// is a file of more than `most` bytes, which is an error.
std::uint64_t skip_by_size(source& from, std::uint64_t most) {
  constexpr std::uint64_t page = 4096;
  std::uint64_t end = from.size_hint();
  if (from.kind() != input_kind::regular_file || end <= from.start()) return 0;
  if (end % page == 0) end -= end % (page + 1);
  if (end <= from.start() || end - from.start() > most || !from.seekable()) return 0;
  from.seek(end);
  return end - from.start();
}

// The end of standard input is read, as its position is then there for others.
bool is_whole(const source& from, std::uint64_t skipped) {
  return skipped != 0 && from.start() + skipped == from.size_hint() && from.descriptor() != 0;
}

// Reads the names of --files0-from, each ended by a NUL byte. It hands them on as they come, because the
// program that writes them may wait for the row of the last.
class wc_names {
 public:
  // Opens the list; "-" is standard input. Throws `riffle::error`.
  // A directory, or a closed standard input, is refused to GNU wc when it reads.
  explicit wc_names(const std::string& list) {
    try {
      list_.emplace(input_of(list));
      at_once_ = list_->kind() == input_kind::regular_file && list_->size_hint() <= most_at_once;
    } catch (const error& told) {
      if (list != "-" && told.code() != std::errc::is_a_directory) throw;
      failure_ = told;
      ended_ = true;
    }
  }

  // Whether `next` gives all names at once: the list is a regular file of at most 10 MiB, as for GNU wc.
  bool at_once() const { return at_once_; }
  // The next names, without waiting for more than one; none at the end. An empty name is among them. Throws
  // `riffle::error` if reading fails, after all names before.
  std::vector<std::string> next() {
    while (!ended_ && (at_once_ || unread_.find('\0') == std::string::npos)) ended_ = !fill();
    // Where standard input is closed the list has its number, by which a name "-" would find the list.
    if (ended_) list_.reset();
    std::vector<std::string> names;
    std::size_t begin = 0;
    for (std::size_t end = 0; (end = unread_.find('\0', begin)) != std::string::npos; begin = end + 1) {
      names.push_back(unread_.substr(begin, end - begin));
    }
    unread_.erase(0, begin);
    if (ended_ && !unread_.empty()) names.push_back(std::exchange(unread_, {}));
    if (names.empty() && failure_) throw error(*failure_);
    return names;
  }

 private:
  static constexpr std::uint64_t most_at_once = std::uint64_t{10} << 20U;

  // Reads what is there; returns false at the end.
  bool fill() {
    try {
      const block next = list_->next();
      unread_.append(next.bytes);
      return !next.empty();
    } catch (const error& told) {
      failure_ = told;
      return false;
    }
  }

  std::optional<source> list_;  // until its end
  bool at_once_ = false;
  bool ended_ = false;
  std::string unread_;  // names not handed out, or the start of one
  std::optional<error> failure_;
};

class wc_run {
 public:
  wc_run(const wc_arguments& given, const wc_messages& messages, bool nameless, bool input_is_open)
      : given_(given),
        messages_(messages),
        nameless_(nameless),
        input_is_open_(input_is_open),
        count_(given.what),
        table_(given.what, given.total, given.files, nameless, given.list == "-", given.json,
               given.options.decode != decoding::none),
        progress_(given) {}

  int status() const { return status_; }

  void count(std::span<const std::string> names) {
    while (!names.empty()) {
      const auto unreadable = [this](const std::string& name) { return is_unreadable(name); };
      const auto readable = static_cast<std::size_t>(std::ranges::find_if(names, unreadable) - names.begin());
      read(names.first(readable));
      done_ += readable;
      names = names.subspan(readable);
      if (names.empty()) return;
      ++done_;
      refuse(names.front());
      names = names.subspan(1);
    }
  }

  void finish() {
    table_.finish([this](const char* total) {
      fail(fmt::format("{}: {}", total, std::make_error_code(std::errc::value_too_large).message()));
    });
    if (input_was_closed_) messages_.input_closed();
  }

  void fail(const std::string& text) {
    table_.catch_up();
    messages_.say(text);
    status_ = failure;
  }

 private:
  bool input_is_list() const { return given_.list == "-"; }

  // Such a name never reaches the system: "" names no file, and a file that is opened may get the number of
  // the closed standard input.
  bool is_unreadable(const std::string& name) const {
    return name.empty() || (name == "-" && (input_is_list() || !input_is_open_));
  }

  void refuse(const std::string& name) {
    if (name == "-" && !input_is_list()) return refuse_closed_input();
    table_.add(name, std::nullopt);
    if (name == "-") {
      fail("when reading file names from standard input, no file name of '-' allowed");
    } else if (given_.list) {
      fail(fmt::format("{}:{}: invalid zero-length file name", text::shell_quoted(*given_.list), done_));
    } else {
      fail("invalid zero-length file name");
    }
  }

  void refuse_closed_input() {
    table_.add("-", counts{});
    table_.catch_up();
    input_was_closed_ = true;
    status_ = failure;
    const error closed(std::make_error_code(std::errc::bad_file_descriptor), "read", "standard input");
    messages_.file_failed(nameless_ ? "" : "-", std::make_exception_ptr(closed), *given_.running);
  }

  void read(std::span<const std::string> names) {
    const auto catch_up = [this] {
      table_.catch_up();
      flush_output();
    };
    const int status = for_each_file<file_counts>(
        *given_.running, names, given_.threads, progress_.counting(given_.options),
        {.read = [this](const auto&, source opened, const parallel_options& splitting,
                        auto& result) { count_file(std::move(opened), splitting, result.emplace()); },
         // A file that was opened has a row. So has a directory, which the system opens but does not read.
         .finish =
             [this](const auto& name, const auto& result, const auto& problem) {
               if (result) return table_.add(name, result->sum, result->size);
               const bool directory = failed_by(problem, std::errc::is_a_directory);
               table_.add(name, directory ? std::optional(counts{}) : std::nullopt);
             },
         .complain =
             [this](const std::string& name, const std::exception_ptr& problem) {
               table_.catch_up();
               messages_.file_failed(nameless_ ? "" : name, problem, *given_.running);
             },
         .note =
             [this](const std::string& text) {
               table_.catch_up();
               if (!messages_.as_gnu()) messages_.say(text);
             },
         .catch_up = catch_up});
    if (status != success) status_ = failure;
  }

  void count_file(source from, const parallel_options& splitting, file_counts& result) {
    std::optional<std::uint64_t> size;
    if (from.kind() == input_kind::regular_file && given_.options.decode == decoding::none)
      size = from.size_hint();
    if (count_.needs_only_size()) {
      result.sum = count_.of_size(skip_by_size(from, given_.options.max_size));
      if (!is_whole(from, result.sum.bytes)) count_in(from, result.sum);
    } else if (!count_.takes_parts()) {
      count_.count_in_order(from, result.sum);
    } else if (splitting.threads == 1) {
      count_in(from, result.sum);
    } else {
      const auto join = [this](const counts& left, const counts& right) { return count_.join(left, right); };
      parallel_reduce_into(result.sum, std::move(from), count_, join, splitting);
    }
    result.size = size;
  }

  // Handing out splits costs a twentieth of what a file of 4 KiB takes from open to close.
  void count_in(source& from, counts& sum) const {
    for (block next = from.next(); !next.empty(); next = from.next()) {
      const counts part = count_(next.bytes);
      from.finish_block();
      sum = count_.join(sum, part);
    }
  }

  const wc_arguments& given_;
  const wc_messages& messages_;
  bool nameless_;
  bool input_is_open_;
  bool input_was_closed_ = false;  // and was to be read
  part_counter count_;
  wc_table table_;
  std::size_t done_ = 0;  // names
  int status_ = success;
  reading_progress progress_;
};

int count_listed(wc_arguments given, const wc_messages& messages) {
  const bool open = input_is_open();  // before the list gets the number of a closed descriptor
  std::optional<wc_names> list;
  try {
    list.emplace(*given.list);
    if (list->at_once()) given.files = list->next();
  } catch (const error& told) {
    messages.list_failed(list ? list_step::at_once : list_step::opening, *given.list, told);
    return failure;
  }
  wc_run run(given, messages, false, open);
  try {
    if (list->at_once()) run.count(given.files);
    std::vector<std::string> names;
    while (!(names = list->next()).empty()) {
      run.count(names);
      flush_output();
    }
  } catch (const output_lost&) {
    throw;
  } catch (const error& told) {
    messages.list_failed(list_step::further, *given.list, told);
    run.finish();
    return failure;
  }
  run.finish();
  return run.status();
}

// Counts the files and prints their rows. Returns the exit status. Throws `output_lost`.
int count_files(wc_arguments given, const wc_messages& messages) {
  wanted& what = given.what;
  if (what == wanted{}) what = {.lines = true, .words = true, .bytes = true};
  if (given.list && !given.files.empty()) return messages.extra_operand(given.files.front());
  if (given.list) return count_listed(std::move(given), messages);
  const bool nameless = given.files.empty();
  if (nameless) given.files = {"-"};
  const bool reads_input = std::ranges::find(given.files, "-") != given.files.end();
  wc_run run(given, messages, nameless, !reads_input || input_is_open());
  run.count(given.files);
  run.finish();
  return run.status();
}

std::vector<std::string_view> words_of_total() {
  return {total_words.begin(), total_words.end()};
}

// A word may be abbreviated, as an option.
total_row parse_total(std::string_view value) {
  const auto starts = [value](std::string_view word) { return word.starts_with(value); };
  auto found = std::ranges::find(total_words, value);
  if (found == total_words.end() && std::ranges::count_if(total_words, starts) == 1) {
    found = std::ranges::find_if(total_words, starts);
  }
  if (found == total_words.end()) throw no_such("time to print a total", words_of_total());
  return static_cast<total_row>(found - total_words.begin());
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
           .set = set_to<true, &wc_arguments::what, &wanted::width>},
    option{.name = "total",
           .argument = "WHEN",
           .help = "When to print a row of totals",
           .preset = "auto",
           .words = words_of_total,
           .set = set_by<parse_total, &wc_arguments::total>}};
constexpr option version_option{.name = "version", .help = "Print the version and exit"};
constexpr auto options = concatenated(own_options, in_full(reading_options), in_full(thread_options),
                                      in_full(json_options), std::array{version_option});

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
