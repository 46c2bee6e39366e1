/// What a process writes is digested as it comes, and compared byte by byte if the digests differ.
#include "bench/contenders/registry.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include "bench/contenders/published.hpp"
#include "text/shown.hpp"

namespace riffle::bench {

namespace {

/// The output of a run in blocks of 64 KiB, the last one shorter.
class blocks_of {
 public:
  blocks_of(os::launcher& runs, const process& what, input_files files) : runs_(runs) {
    os::program program = what.program;
    if (what.takes_files) {  // absolute, so that none is taken for an option or for standard input
      for (const auto& file : files) program.words.push_back(std::filesystem::absolute(file).string());
    }
    runs.start(program, what.most_seconds);
  }
  std::string_view next() {
    std::size_t filled = 0;
    for (std::size_t count = 1; count > 0 && filled < block_.size(); filled += count)
      count = runs_.read(std::span(block_).subspan(filled));
    return {block_.data(), filled};
  }

 private:
  os::launcher& runs_;
  std::array<char, 64 << 10> block_;
};

constexpr std::size_t longest_answer = 4096;  // that answers

void keep_end(std::string& end, std::string_view part) {
  end.append(part.substr(part.size() - std::min(part.size(), longest_answer)));
  end.erase(0, end.size() - std::min(end.size(), longest_answer));
}

std::string last_line(std::string text) {
  text.erase(text.find_last_not_of(" \t\r\n") + 1);
  return text.substr(text.rfind('\n') + 1);
}

// Enough of a text for a message.
std::string start_of(std::string_view text) {
  constexpr std::size_t few = 100;
  return text::printable(text.substr(0, few)) + (text.size() > few ? "..." : "");
}

std::uint64_t take_number(std::string_view& from) {
  std::uint64_t value = 0;
  const auto [end, failure] = std::from_chars(from.data(), from.data() + from.size(), value);
  const auto size = static_cast<std::size_t>(end - from.data());
  if (failure != std::errc{} || (size < from.size() && from[size] != ' '))
    throw std::invalid_argument("no number");
  from.remove_prefix(std::min(size + 1, from.size()));
  return value;
}

// Program 1's script, but for the opening of its files: perl's <> would run a file name such as "x |".
constexpr const char* tr_script =
    "use strict; use warnings; my $count = 0;"
    "foreach my $name (@ARGV) { open(my $in, '<:raw', $name) or die \"$name: $!\";"
    " while (<$in>) { $count += tr/cCgG//; } } print \"$count\\n\";";

// The OS kernel takes 2 MiB of arguments and environment by default.
constexpr std::size_t longest_arguments = std::size_t{1} << 20;

std::optional<std::string> cannot_start(std::string_view program, input_files files) {
  if (!os::find_program(program)) return std::string(program) + " was not found";
  std::size_t length = 0;
  for (const auto& file : files) length += std::filesystem::absolute(file).native().size() + 16;
  if (length > longest_arguments) return "too many files for one command line";
  return std::nullopt;
}

// wc before 9.5 takes a run of bytes for a word only if one of them is printable. In the C locale that leaves
// out, say, a dash of UTF-8 between two spaces.
bool has_unprintable_word(const std::filesystem::path& name) {
  const whole_mapping file(name);
  bool in_word = false;
  bool printable = false;
  for (const char byte : file.bytes()) {
    if (is_white(byte)) {
      if (in_word && !printable) return true;
      in_word = printable = false;
    } else {
      in_word = true;
      printable = printable || (byte > ' ' && byte < '\x7f');
    }
  }
  return in_word && !printable;
}

std::optional<std::string> cannot_count_words(input_files files) {
  if (auto reason = cannot_start("wc", files)) return reason;
  for (const auto& file : files) {
    if (has_unprintable_word(file))
      return "wc leaves out words without a printable character, which this input has";
  }
  return std::nullopt;
}

std::string in_words(const std::vector<std::string>& words) {
  if (words.size() == 1) return words.front();
  std::vector<std::string> quoted;
  quoted.reserve(words.size());
  for (const std::string& word : words) quoted.push_back(text::shell_quoted(word));
  return text::joined(quoted, " ");
}

}  // namespace

struct processes::racer {
  process how;
  std::shared_ptr<launchers> starters;
  std::unique_ptr<os::launcher> worker = {};  // that started it
  std::string answered = {};                  // in its last run, in words; empty: bytes that are no number
  std::string before = {};                    // in the run before
  std::shared_ptr<sample> own = std::make_shared<sample>();

  std::optional<answer> run(input_files files) {
    before = std::exchange(answered, {});
    try {
      return how.stays ? ask() : run_command(files);
    } catch (...) {
      worker.reset();  // at once, whatever it does
      throw;
    }
  }

  void end_worker() {
    constexpr double patience = 5;  // seconds
    if (!worker) return;
    worker->close_input(patience);
    worker->end();
    worker.reset();
  }

  std::string difference(racer& its, std::string_view other) {
    if (this == &its) {
      return answered.empty() || before.empty()
                 ? "its output differs from run to run"
                 : fmt::format("answers '{}', but answered '{}' before", answered, before);
    }
    if (!how.stays && !its.how.stays && (answered.empty() || its.answered.empty()))
      return first_difference(its, other);
    const auto quoted = [](const racer& who) {
      return who.answered.empty() ? "no number" : "'" + who.answered + "'";
    };
    return fmt::format("answers {}, where `{}` answers {}", quoted(*this), other, quoted(its));
  }

 private:
  std::optional<answer> run_command(input_files files) {
    answer output = no_text;
    std::string end;
    blocks_of blocks(runs(), how, files);
    for (std::string_view part = blocks.next(); !part.empty(); part = blocks.next()) {
      add_part(output, part);
      keep_end(end, part);
    }
    const os::command_end ended = runs().end();
    *own = {.seconds = ended.seconds, .usage = ended.usage, .failed = !ended.failure.empty()};
    if (how.takes_files)
      own->usage.peak_memory = 0;  // what starts it came from riffle amid a race, and is as large
    if (ended.late) fail_late();
    if (own->failed && !how.ignore_failure) throw std::runtime_error(ended.failure);
    if (how.compared == compared::none) return std::nullopt;
    if (how.compared == compared::places) {
      answered = numbers_of(last_line(end), "last line");
    } else if (const auto number = output.count == end.size() ? number_in(end) : std::nullopt) {
      answered = *number;
    }
    return answered.empty() ? output : answer_of(answered);
  }

  std::string numbers_of(std::string_view line, std::string_view what) const {
    if (std::optional<std::string> found = digits_in(line, how.places)) return *std::move(found);
    throw std::runtime_error(fmt::format("has no such numbers in its {} '{}'", what, start_of(line)));
  }

  std::optional<answer> ask() {
    if (!worker) {
      worker = std::make_unique<os::launcher>();
      worker->start(how.program, how.most_seconds, true);
    }
    worker->write("run\n", how.most_seconds);
    std::string line;
    std::array<char, 4096> part;
    while (line.find('\n') == std::string::npos) {
      if (line.size() > longest_answer) throw std::runtime_error("answers a longer line than 4 KiB");
      const std::size_t count = worker->read(part);
      if (count == 0) fail_ended();
      line.append(part.data(), count);
    }
    if (line.find('\n') + 1 != line.size()) throw std::runtime_error("answers more than a line");
    line.pop_back();
    std::string_view rest = line;
    if (line.starts_with("error ")) throw std::runtime_error(start_of(rest.substr(6)));
    try {
      const auto nanoseconds = take_number(rest);
      const auto peak = take_number(rest);
      if (nanoseconds == 0) throw std::invalid_argument("no time");
      *own = {.seconds = static_cast<double>(nanoseconds) * 1e-9,
              .usage = {.peak_memory = static_cast<double>(peak)}};
    } catch (const std::invalid_argument&) {
      throw std::runtime_error(
          fmt::format("answers '{}', not NANOSECONDS PEAK_BYTES ANSWER", start_of(line)));
    }
    if (rest.empty() || how.compared == compared::none) return std::nullopt;
    const std::string given =
        how.compared == compared::places ? numbers_of(rest, "answer") : std::string(rest);
    answered = start_of(number_in(given).value_or(given));
    return answer_of(given);
  }

  [[noreturn]] void fail_late() const {
    throw std::runtime_error(fmt::format("a run takes longer than {:g} s", how.most_seconds));
  }

  [[noreturn]] void fail_ended() {
    const os::command_end end = worker->end();
    if (end.late) fail_late();
    throw std::runtime_error("its process ended" + (end.failure.empty() ? "" : ": " + end.failure));
  }

  // Both run once more, side by side, to the first byte that differs.
  std::string first_difference(racer& other, std::string_view name) {
    blocks_of own_blocks(runs(), how, {});
    blocks_of its_blocks((*starters)[1], other.how, {});
    std::uint64_t offset = 0;
    std::string_view mine = own_blocks.next();
    std::string_view its = its_blocks.next();
    for (; mine == its && !mine.empty(); mine = own_blocks.next(), its = its_blocks.next())
      offset += mine.size();
    const bool differ = mine != its;
    const auto same = static_cast<std::size_t>(std::ranges::mismatch(mine, its).in1 - mine.begin());
    const auto there = [same](std::string_view bytes) {
      bytes.remove_prefix(same);
      return bytes.empty() ? "ends" : fmt::format("has \"{}\"", bytes.substr(0, 16));
    };
    const std::string text =
        differ ? fmt::format("its output {} at offset {}, where that of `{}` {}", there(mine), offset + same,
                             name, there(its))
               : fmt::format("its output differed from that of `{}`, but not when both ran again", name);
    for (os::launcher& each : *starters) {
      each.stop();
      each.end();
    }
    return text;
  }

  os::launcher& runs() { return starters->front(); }
};

contender processes::contender_of(contender one, process how) {
  racer& mine = racers_->insert_or_assign(one.name, racer{std::move(how), starters_}).first->second;
  one.method = "process";
  one.own = mine.own;
  one.run = [all = racers_, &mine](input_files files) { return mine.run(files); };
  one.forget = [all = racers_, &mine] { mine.end_worker(); };
  one.difference = [all = racers_, &mine](std::string_view other) {
    return mine.difference(all->find(other)->second, other);
  };
  return one;
}

void processes::get_ready() const {
  for (os::launcher& each : *starters_) each.get_ready();
}

processes processes::next() const {
  processes other;
  other.starters_ = starters_;
  return other;
}

bool processes::has(std::string_view name) const {
  return racers_->contains(name);
}

processes::processes() : racers_(std::make_shared<racers>()) {}

std::vector<std::string> words_of_shell(std::string line) {
  return {"sh", "-c", std::move(line)};
}

void add_commands(const contender_options& options, std::vector<contender>& to) {
  processes all;
  all.get_ready();
  for (const std::vector<std::string>& words : options.commands) {
    const std::string line = in_words(words);
    std::string name = line;
    for (unsigned number = 2; all.has(name); ++number) name = fmt::format("{} #{}", line, number);
    to.push_back(
        all.contender_of({.task = task::commands, .name = name, .program = "command", .role = role::command},
                         {.program = {.words = words.size() == 1 ? words_of_shell(words.front()) : words},
                          .compared = options.any_output ? compared::none : compared::all,
                          .most_seconds = options.most_seconds,
                          .ignore_failure = options.ignore_failure}));
  }
}

void add_processes(task which, std::vector<contender>& to) {
  const auto add = [&](contender one, std::vector<std::string> words) {
    one.task = which;
    to.push_back(processes().contender_of(
        std::move(one),
        {.program = {.words = std::move(words), .environment = {"LC_ALL=C", "POSIXLY_CORRECT=1"}},
         .takes_files = true,
         .compared = compared::places,  // of the last line: wc ends with the total
         .places = {0},
         .most_seconds = 1e9}));
    to.back().difference = {};  // in words as of all contenders
  };
  if (which == task::gc) {
    add({.name = "perl-tr",
         .program = "perl",
         .description = "perl's tr/cCgG// line by line",
         .unavailable = [](input_files files) { return cannot_start("perl", files); }},
        {"perl", "-e", tr_script, "--"});
  }
  if (which == task::words)
    add({.name = "wc -w",
         .program = "wc",
         .description = "LC_ALL=C wc -w",
         .unavailable = cannot_count_words},
        {"wc", "-w", "--"});
}

}  // namespace riffle::bench
