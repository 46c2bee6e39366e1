/// The tools that the published programs were compared with, perl's tr and wc, run as they are.
#include "bench/contenders/commands.hpp"
#include "bench/contenders/published.hpp"
#include "bench/contenders/registry.hpp"
#include "bench/host/command.hpp"

namespace riffle::bench {

namespace {

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

}  // namespace

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
