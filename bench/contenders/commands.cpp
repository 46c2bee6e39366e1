/// The user's commands: what each writes is counted and digested, and compared if the digests differ.
#include <fmt/core.h>
#include <algorithm>
#include <array>
#include <functional>
#include <stdexcept>

#include "bench/contenders/registry.hpp"
#include "bench/host/os/command.hpp"
#include "text/joined.hpp"
#include "text/quoted.hpp"

namespace riffle::bench {

namespace {

/// A command, and its output in blocks of 64 KiB, the last one shorter.
struct raced_command {
  raced_command(const std::vector<std::string>& words, double most_seconds) : process(words, most_seconds) {}

  std::string_view next() {
    std::size_t filled = 0;
    for (std::size_t count = 1; count > 0 && filled < block.size(); filled += count)
      count = process.read(std::span(block).subspan(filled));
    return {block.data(), filled};
  }

  os::command process;
  std::array<char, 64 << 10> block;
};

/// By name, in the order in which the user named them.
using raced_commands = std::vector<std::pair<std::string, std::shared_ptr<raced_command>>>;

std::optional<answer> run(raced_command& one, const contender_options& options, sample& own) {
  answer output;
  one.process.start();
  for (std::string_view part = one.next(); !part.empty(); part = one.next())
    output = {output.count + part.size(),
              output.sum * 0x9E3779B97F4A7C15 + std::hash<std::string_view>()(part)};
  const os::command_end end = one.process.end();
  own = {.seconds = end.seconds, .usage = end.usage, .failed = !end.failure.empty()};
  if (end.late) throw std::runtime_error("a run takes longer than --time");
  if (own.failed && !options.ignore_failure) throw std::runtime_error(end.failure);
  return options.any_output ? std::nullopt : std::optional(output);
}

std::string start_of(std::string_view bytes) {
  constexpr std::size_t few = 16;
  return bytes.empty() ? "ends" : fmt::format("has \"{}\"", bytes.substr(0, few));
}

// Both run once more, side by side, to the first byte that differs.
std::string first_difference(raced_command& one, raced_command& other, std::string_view name) {
  one.process.start();
  other.process.start();
  std::uint64_t offset = 0;
  std::string_view own = one.next();
  std::string_view its = other.next();
  for (; own == its && !own.empty(); own = one.next(), its = other.next()) offset += own.size();
  const bool differ = own != its;
  const auto same = static_cast<std::size_t>(std::ranges::mismatch(own, its).in1 - own.begin());
  const std::string text =
      differ ? fmt::format("its output {} at offset {}, where that of `{}` {}", start_of(own.substr(same)),
                           offset + same, name, start_of(its.substr(same)))
             : fmt::format("its output differed from that of `{}`, but not when both ran again", name);
  for (raced_command* const each : {&one, &other}) {
    each->process.stop();
    each->process.end();
  }
  return text;
}

std::string in_words(const std::vector<std::string>& words) {
  if (words.size() == 1) return words.front();
  std::vector<std::string> quoted;
  quoted.reserve(words.size());
  for (const std::string& word : words) quoted.push_back(text::shell_quoted(word));
  return text::joined(quoted, " ");
}

}  // namespace

void add_commands(const contender_options& options, std::vector<contender>& to) {
  const auto all = std::make_shared<raced_commands>();
  const auto find = [](const raced_commands& among, std::string_view name) {
    return std::ranges::find(among, name, &raced_commands::value_type::first);
  };
  for (const std::vector<std::string>& words : options.commands) {
    const std::string line = in_words(words);
    std::string name = line;
    for (unsigned number = 2; find(*all, name) != all->end(); ++number)
      name = fmt::format("{} #{}", line, number);
    const auto one = std::make_shared<raced_command>(words, options.most_seconds);
    const auto own = std::make_shared<sample>();
    all->emplace_back(name, one);
    to.push_back({.task = task::commands,
                  .name = name,
                  .program = "command",
                  .role = role::command,
                  .method = "process",
                  .description = "",
                  .run = [one, own, options](input_files) { return run(*one, options, *own); },
                  .own = own,
                  .difference = [one, name, all, find](std::string_view other) -> std::string {
                    if (other == name) return "its output differs from run to run";
                    return first_difference(*one, *find(*all, other)->second, other);
                  }});
  }
}

}  // namespace riffle::bench
