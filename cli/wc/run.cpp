/// Counts each file by `riffle::count_text_into`, also those of a list, and hands its row to the table.
#include <riffle/count_text.hpp>
#include <riffle/error.hpp>
#include <riffle/lines.hpp>
#include <riffle/source.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cli/os/system.hpp"
#include "cli/reading.hpp"
#include "cli/wc/table.hpp"
#include "text/os/system.hpp"
#include "text/shown.hpp"

namespace riffle::cli {

namespace {

constexpr std::uint64_t most_at_once = std::uint64_t{10} << 20U;

/// Reads a list of names, each ended by a NUL byte. It hands them on as they come, because the program that
/// writes them may wait for the row of the last.
class wc_names {
 public:
  /// Opens the list; "-" is standard input. Throws `riffle::error`.
  explicit wc_names(const std::string& list);

  /// Whether `next` gives all names at once: the list is a regular file of at most 10 MiB, as for GNU wc.
  [[nodiscard]] bool at_once() const { return at_once_; }
  /// The next names, without waiting for more than one; none at the end. An empty name is among them. Throws
  /// `riffle::error` if reading fails, after all names before.
  std::vector<std::string> next();

 private:
  std::optional<line_range> names_;  // until its end
  bool at_once_ = false;
  std::optional<error> failure_;
};

// A directory, or a closed standard input, is refused to GNU wc when it reads.
wc_names::wc_names(const std::string& list) {
  try {
    const source& from =
        names_.emplace(input_of(list), line_options{.delimiter = '\0'}, read_options{}).from();
    at_once_ = from.kind() == input_kind::regular_file && from.size_hint() <= most_at_once;
  } catch (const error& told) {
    if (list != "-" && told.code() != std::errc::is_a_directory) throw;
    failure_ = told;
  }
}

std::vector<std::string> wc_names::next() {
  std::vector<std::string> names;
  try {
    if (names_) {
      auto at = detail::steps::resume(*names_);
      while (names.empty() || at_once_ ? detail::steps::advance(*names_, at)
                                       : detail::steps::advance_in_block(*names_, at))
        names.emplace_back(at.record);
    }
    // Where standard input is closed, the list has its number.
    if (names.empty() || at_once_) names_.reset();
  } catch (const error& told) {
    failure_ = told;
    names_.reset();
  }
  if (names.empty() && failure_) throw error(*failure_);
  return names;
}

struct file_counts {
  text_counts sum;                    // of what was read before a failure
  std::optional<std::uint64_t> size;  // of a file that was read to its end
};

bool input_is_open() {
  std::error_code failure;
  static_cast<void>(os::size_of(0, failure));
  return failure != std::errc::bad_file_descriptor;
}

// Lines and bytes are the same in each locale, so they do not wait for its files.
text_options options_of(const wanted& what) {
  if (what.words || what.characters || what.longest_line) os::set_locale_of_characters();
  return {.lines = what.lines,
          .words = what.words,
          .characters = what.characters,
          .longest_line = what.longest_line,
          .encoding = text_encoding::locale,
          .no_break_spaces = std::getenv("POSIXLY_CORRECT") == nullptr};
}

// The bytes that GNU wc -c does not read, because the size of the file tells them. If the size is a whole
// number of pages, riffle reads the last part, because the sizes of files in /proc and /sys can be wrong.
// riffle also reads a file of more than `most` bytes, because reading it reports the error.
std::uint64_t skip_by_size(source& from, std::uint64_t most) {
  constexpr std::uint64_t page = 4096;
  constexpr std::uint64_t furthest_read = std::uint64_t{1} << 62U;
  std::uint64_t end = from.size_hint();
  if (from.kind() != input_kind::regular_file || end <= from.start()) return 0;
  if (end % page == 0 && end <= furthest_read) end -= end % (page + 1);
  if (end <= from.start() || end - from.start() > most || !from.seekable()) return 0;
  return end - from.start();
}

// The end of standard input is read, as its position is then there for others.
bool is_whole(const source& from, std::uint64_t skipped) {
  return skipped != 0 && from.start() + skipped == from.size_hint() && from.descriptor() != 0;
}

// Counts bytes, which are then also the characters.
void count_size(source& from, std::uint64_t most, const wanted& what, text_counts& sum) {
  const auto add = [&](std::uint64_t size) {
    sum.bytes += size;
    if (what.characters) sum.characters = sum.bytes;
  };
  const std::uint64_t skipped = skip_by_size(from, most);
  add(skipped);
  if (is_whole(from, skipped)) return;
  if (skipped != 0) from.seek(from.start() + skipped);
  for (block next = from.next(); !next.empty(); next = from.next()) {
    from.finish_block();
    add(next.size());
  }
}

class wc_run {
 public:
  wc_run(wc_arguments& given, const wc_messages& messages, bool nameless, bool input_is_open)
      : given_(given),
        messages_(messages),
        nameless_(nameless),
        input_is_open_(input_is_open),
        count_(options_of(given.what)),
        table_(given, nameless),
        progress_(shown_progress(given)) {}

  void count(std::span<const std::string> names) {
    while (!names.empty()) {
      std::size_t readable = 0;
      while (readable != names.size() && !is_unreadable(names[readable])) ++readable;
      read(names.first(readable));
      done_ += readable;
      names = names.subspan(readable);
      if (names.empty()) return;
      ++done_;
      refuse(names.front());
      names = names.subspan(1);
    }
  }

  // Returns the exit status.
  int finish() {
    table_.finish([this](const char* total) {
      fail(fmt::format("{}: {}", total, std::make_error_code(std::errc::value_too_large).message()));
    });
    if (input_was_closed_) messages_.input_closed();
    return status_;
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
    table_.add("-", text_counts{});
    table_.catch_up();
    input_was_closed_ = true;
    status_ = failure;
    const error closed(std::make_error_code(std::errc::bad_file_descriptor), "read", "standard input");
    messages_.file_failed(nameless_ ? "" : "-", std::make_exception_ptr(closed), given_);
  }

  void read(std::span<const std::string> names) {
    const int status = for_each_file<file_counts>(
        given_, names, given_.threads,
        {.read =
             [this](const auto&, source from, const riffle::thread_options& splitting, auto& result) {
               file_counts& counted = result.emplace();
               std::optional<std::uint64_t> size;
               if (from.kind() == input_kind::regular_file && given_.options.decode == decoding::none)
                 size = from.size_hint();
               if (!given_.what.lines && detail::needs_only_size(count_)) {
                 count_size(from, given_.options.max_size, given_.what, counted.sum);
               } else {
                 count_text_into(counted.sum, std::move(from), count_, splitting);
               }
               counted.size = size;
             },
         // A file that was opened has a row. So has a directory, which the system opens but does not read.
         .finish =
             [this](const auto& name, const auto& result, const auto& problem) {
               if (result) return table_.add(name, result->sum, result->size);
               const bool directory = failed_by(problem, std::errc::is_a_directory);
               table_.add(name, directory ? std::optional(text_counts{}) : std::nullopt);
             },
         .complain =
             [this](const std::string& name, const std::exception_ptr& problem) {
               table_.catch_up();
               messages_.file_failed(nameless_ ? "" : name, problem, given_);
               if (given_.list && name.find('\n') != std::string::npos && !messages_.as_gnu())
                 messages_.say("the names of --files0-from end in NUL bytes, as find -print0 writes them");
             },
         .note =
             [this](const std::string& text) {
               table_.catch_up();
               if (!messages_.as_gnu()) messages_.say(text);
             },
         .catch_up =
             [this] {
               table_.catch_up();
               flush_output();
             }});
    if (status != success) status_ = failure;
  }

  const wc_arguments& given_;
  const wc_messages& messages_;
  bool nameless_;
  bool input_is_open_;
  bool input_was_closed_ = false;  // and was to be read
  text_counter count_;
  wc_table table_;
  std::size_t done_ = 0;  // names
  int status_ = success;
  std::unique_ptr<reading_progress> progress_;
};

int count_listed(wc_arguments& given, const wc_messages& messages) {
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
  return run.finish();
}

}  // namespace

int count_files(wc_arguments& given, const wc_messages& messages) {
  wanted& what = given.what;
  if (what == wanted{}) what = {.lines = true, .words = true, .bytes = true};
  if (given.list && !given.files.empty()) return messages.extra_operand(given.files.front());
  if (given.list) return count_listed(given, messages);
  const bool nameless = given.files.empty() && given.lists.empty();
  if (nameless) given.files = {"-"};
  const bool reads_input = std::ranges::find(given.files, "-") != given.files.end();
  wc_run run(given, messages, nameless, !reads_input || input_is_open());
  run.count(given.files);
  return run.finish();
}

}  // namespace riffle::cli
