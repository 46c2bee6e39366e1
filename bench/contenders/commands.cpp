/// What a process writes is digested as it comes, and compared byte by byte if the digests differ.
#include "bench/contenders/commands.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <map>
#include <span>
#include <stdexcept>

#include "bench/contenders/registry.hpp"
#include "bench/data/answers.hpp"
#include "text/columns.hpp"
#include "text/joined.hpp"
#include "text/quoted.hpp"

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

constexpr std::size_t longest_line = 4096;  // that answers

void keep_end(std::string& end, std::string_view part) {
  end.append(part.substr(part.size() - std::min(part.size(), longest_line)));
  end.erase(0, end.size() - std::min(end.size(), longest_line));
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

template <class Number>
Number take_number(std::string_view& from) {
  Number value{};
  const auto [end, failure] = std::from_chars(from.data(), from.data() + from.size(), value);
  const auto size = static_cast<std::size_t>(end - from.data());
  if (failure != std::errc{} || (size < from.size() && from[size] != ' '))
    throw std::invalid_argument("no number");
  from.remove_prefix(std::min(size + 1, from.size()));
  return value;
}

}  // namespace

using launchers = std::array<os::launcher, 2>;  // the second one only to compare

class processes::race {
 public:
  explicit race(std::shared_ptr<launchers> runs) : runs_(std::move(runs)) {}

  struct racer {
    process how;
    std::unique_ptr<os::launcher> worker = {};  // that started it
    std::string answered = {};                  // in its last run, in words; empty: bytes that are no number
    std::string before = {};                    // in the run before
    std::shared_ptr<sample> own = std::make_shared<sample>();
  };

  racer& add(const std::string& name, process how) {
    return racers_.insert_or_assign(name, racer{std::move(how)}).first->second;
  }
  [[nodiscard]] bool has(std::string_view name) const { return racers_.contains(name); }
  void get_ready() {
    for (os::launcher& each : *runs_) each.get_ready();
  }
  [[nodiscard]] std::shared_ptr<race> next() const { return std::make_shared<race>(runs_); }

  std::optional<answer> run(racer& one, input_files files) {
    one.before = std::exchange(one.answered, {});
    try {
      return one.how.stays ? ask(one) : run_command(one, files);
    } catch (...) {
      one.worker.reset();  // at once, whatever it does
      throw;
    }
  }

  static void end_worker(racer& one) {
    constexpr double patience = 5;  // seconds
    if (!one.worker) return;
    one.worker->close_input(patience);
    one.worker->end();
    one.worker.reset();
  }

  std::string difference(const std::string& name, const std::string& other) {
    racer& one = racers_.at(name);
    if (name == other) {
      return one.answered.empty() || one.before.empty()
                 ? "its output differs from run to run"
                 : fmt::format("answers '{}', but answered '{}' before", one.answered, one.before);
    }
    racer& its = racers_.at(other);
    if (!one.how.stays && !its.how.stays && (one.answered.empty() || its.answered.empty()))
      return first_difference(one, its, other);
    const auto quoted = [](const racer& who) {
      return who.answered.empty() ? "no number" : "'" + who.answered + "'";
    };
    return fmt::format("answers {}, where `{}` answers {}", quoted(one), other, quoted(its));
  }

 private:
  std::optional<answer> run_command(racer& one, input_files files) {
    answer output;
    std::string end;
    blocks_of blocks(runs(), one.how, files);
    for (std::string_view part = blocks.next(); !part.empty(); part = blocks.next()) {
      add_part(output, part);
      keep_end(end, part);
    }
    const os::command_end ended = runs().end();
    *one.own = {.seconds = ended.seconds, .usage = ended.usage, .failed = !ended.failure.empty()};
    if (ended.late) fail_late(one.how);
    if (one.own->failed && !one.how.ignore_failure) throw std::runtime_error(ended.failure);
    if (one.how.compared == compared::none) return std::nullopt;
    if (one.how.compared == compared::places) {
      const std::string line = last_line(end);
      one.answered = digits_in(line, one.how.places).value_or("");
      if (one.answered.empty())
        throw std::runtime_error(fmt::format("has no such numbers in its last line '{}'", start_of(line)));
    } else if (const auto number = output.count == end.size() ? number_in(end) : std::nullopt) {
      one.answered = *number;
    }
    return one.answered.empty() ? output : answer_of(one.answered);
  }

  std::optional<answer> ask(racer& one) {
    if (!one.worker) {
      auto worker = std::make_unique<os::launcher>();
      worker->start(one.how.program, one.how.most_seconds, true);
      one.worker = std::move(worker);
    }
    one.worker->write("run\n", one.how.most_seconds);
    std::string line;
    std::array<char, 4096> part;
    while (line.find('\n') == std::string::npos) {
      if (line.size() > longest_line) throw std::runtime_error("answers a longer line than 4 KiB");
      const std::size_t count = one.worker->read(part);
      if (count == 0) fail_ended(*one.worker, one.how);
      line.append(part.data(), count);
    }
    if (line.find('\n') + 1 != line.size()) throw std::runtime_error("answers more than a line");
    line.pop_back();
    std::string_view rest = line;
    if (line.starts_with("error ")) throw std::runtime_error(start_of(rest.substr(6)));
    try {
      const auto nanoseconds = take_number<std::uint64_t>(rest);
      const auto peak = take_number<std::uint64_t>(rest);
      if (nanoseconds == 0) throw std::invalid_argument("no time");
      *one.own = {.seconds = static_cast<double>(nanoseconds) * 1e-9,
                  .usage = {.peak_memory = static_cast<double>(peak)}};
    } catch (const std::invalid_argument&) {
      throw std::runtime_error(
          fmt::format("answers '{}', not NANOSECONDS PEAK_BYTES ANSWER", start_of(line)));
    }
    if (rest.empty() || one.how.compared == compared::none) return std::nullopt;
    one.answered = start_of(number_in(rest).value_or(std::string(rest)));
    return answer_of(rest);
  }

  [[noreturn]] static void fail_late(const process& how) {
    throw std::runtime_error(fmt::format("a run takes longer than {:g} s", how.most_seconds));
  }

  [[noreturn]] static void fail_ended(os::launcher& worker, const process& how) {
    const os::command_end end = worker.end();
    if (end.late) fail_late(how);
    throw std::runtime_error("its process ended" + (end.failure.empty() ? "" : ": " + end.failure));
  }

  // Both run once more, side by side, to the first byte that differs.
  std::string first_difference(racer& one, racer& other, std::string_view name) {
    blocks_of own_blocks(runs(), one.how, {});
    blocks_of its_blocks((*runs_)[1], other.how, {});
    std::uint64_t offset = 0;
    std::string_view own = own_blocks.next();
    std::string_view its = its_blocks.next();
    for (; own == its && !own.empty(); own = own_blocks.next(), its = its_blocks.next()) offset += own.size();
    const bool differ = own != its;
    const auto same = static_cast<std::size_t>(std::ranges::mismatch(own, its).in1 - own.begin());
    const auto there = [same](std::string_view bytes) {
      bytes.remove_prefix(same);
      return bytes.empty() ? "ends" : fmt::format("has \"{}\"", bytes.substr(0, 16));
    };
    const std::string text =
        differ ? fmt::format("its output {} at offset {}, where that of `{}` {}", there(own), offset + same,
                             name, there(its))
               : fmt::format("its output differed from that of `{}`, but not when both ran again", name);
    for (os::launcher& each : *runs_) {
      each.stop();
      each.end();
    }
    return text;
  }

  os::launcher& runs() { return runs_->front(); }

  std::shared_ptr<launchers> runs_;
  std::map<std::string, racer, std::less<>> racers_;
};

processes::processes() : race_(std::make_shared<race>(std::make_shared<launchers>())) {}
processes::processes(std::shared_ptr<race> other) : race_(std::move(other)) {}

processes processes::next() const {
  return processes(race_->next());
}

contender processes::contender_of(contender one, process how) {
  race::racer& racer = race_->add(one.name, std::move(how));
  one.method = "process";
  one.own = racer.own;
  one.run = [mine = race_, &racer](input_files files) { return mine->run(racer, files); };
  one.forget = [mine = race_, &racer] { race::end_worker(racer); };
  one.difference = [mine = race_, name = one.name](std::string_view other) {
    return mine->difference(name, std::string(other));
  };
  return one;
}

void processes::get_ready() const {
  race_->get_ready();
}

bool processes::has(std::string_view name) const {
  return race_->has(name);
}

namespace {

std::string in_words(const std::vector<std::string>& words) {
  if (words.size() == 1) return words.front();
  std::vector<std::string> quoted;
  quoted.reserve(words.size());
  for (const std::string& word : words) quoted.push_back(text::shell_quoted(word));
  return text::joined(quoted, " ");
}

}  // namespace

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

}  // namespace riffle::bench
