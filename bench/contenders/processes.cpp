/// The tools that the published programs were compared with, perl's tr and wc, run as they are.
#include <charconv>
#include <stdexcept>

#include "bench/contenders/raw_input.hpp"
#include "bench/contenders/registry.hpp"
#include "bench/contenders/scans.hpp"
#include "bench/host/os/process.hpp"

namespace riffle::bench {

namespace {

// Program 1's script, but for the opening of its files: perl's <> would run a file name such as "x |".
constexpr const char* tr_script =
    "use strict; use warnings; my $count = 0;"
    "foreach my $name (@ARGV) { open(my $in, '<:raw', $name) or die \"$name: $!\";"
    " while (<$in>) { $count += tr/cCgG//; } } print \"$count\\n\";";

// The OS kernel takes 2 MiB of arguments and environment by default.
constexpr std::size_t longest_arguments = std::size_t{1} << 20;

std::vector<std::string> with_files(std::vector<std::string> arguments, input_files files) {
  // Absolute, so that no file is taken for an option or for standard input.
  for (const auto& file : files) arguments.push_back(std::filesystem::absolute(file).string());
  return arguments;
}

std::optional<std::string> cannot_start(std::string_view program, input_files files) {
  if (!os::find_program(program)) return std::string(program) + " was not found";
  std::size_t length = 0;
  for (const auto& file : files) length += std::filesystem::absolute(file).native().size() + 16;
  if (length > longest_arguments) return "too many files for one command line";
  return std::nullopt;
}

// The first number of the last line that is not empty: wc ends with the total, perl prints nothing else.
std::uint64_t last_number(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  text.remove_prefix(text.rfind('\n') + 1);
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  std::uint64_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc{}) throw std::runtime_error("no number in the output '" + std::string(text) + "'");
  return number;
}

answer count_by(std::string_view program, std::vector<std::string> options, input_files files) {
  options.insert(options.begin(), os::find_program(program).value_or(std::string(program)));
  return {last_number(os::output_of(with_files(std::move(options), files))), 0};
}

// wc before 9.5 takes a run of bytes for a word only if one of them is printable. In the C locale that leaves
// out, say, a dash of UTF-8 between two spaces.
bool has_unprintable_word(const std::filesystem::path& name) {
  const whole_mapping file(name);
  bool in_word = false;
  bool printable = false;
  for (const char byte : file) {
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
  if (which == task::gc) {
    to.push_back({which, "perl-tr", "perl", role::published, "process", "perl's tr/cCgG// line by line",
                  [](input_files files) { return count_by("perl", {"-e", tr_script, "--"}, files); },
                  [](input_files files) { return cannot_start("perl", files); }});
  }
  if (which == task::words) {
    to.push_back({which, "wc -w", "wc", role::published, "process", "LC_ALL=C wc -w",
                  [](input_files files) { return count_by("wc", {"-w", "--"}, files); }, cannot_count_words});
  }
}

}  // namespace riffle::bench
