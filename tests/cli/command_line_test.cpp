/// The grammar of command lines is the same on every platform, and so is the number of threads if none is
/// given.
#include <riffle/mapped_file.hpp>

#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "os/facts.hpp"
#include "tests/support/linux/limits.hpp"
#include "tests/support/mounts.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::cli {
namespace {

// What was set, in order: "lines block-size=4K [a] [b]".
struct words_given : arguments {
  std::string seen;
};

template <const char* const& name>
void note(arguments& given, std::string_view value) {
  std::string& seen = static_cast<words_given&>(given).seen;
  seen.append(seen.empty() ? "" : " ").append(name);
  if (value.data() != nullptr) seen.append("=").append(value);
}

void note_operand(arguments& given, std::string_view value) {
  std::string& seen = static_cast<words_given&>(given).seen;
  seen.append(seen.empty() ? "[" : " [").append(value).append("]");
}

void refuse(arguments& /*given*/, std::string_view /*value*/) {
  throw text::usage_error("too large; use at most 1G");
}

constexpr const char* lines = "lines";
constexpr const char* words = "words";
constexpr const char* block_size = "block-size";
constexpr const char* bytes = "bytes";

constexpr std::array options{
    option{.name = lines, .short_form = 'l', .set = note<lines>},
    option{.name = words, .short_form = 'w', .set = note<words>},
    option{.name = block_size, .short_form = 'b', .argument = "SIZE", .set = note<block_size>},
    option{.name = bytes, .set = note<bytes>},
    option{.name = "limit", .argument = "SIZE", .set = refuse},
    option{.name = "after", .needs = "words", .set = note<bytes>},
};

constexpr command any_operands{
    .name = "x", .options = options, .operands = {.name = "FILE", .set = note_operand}};

std::string read_by(const command& self, std::vector<std::string> line) {
  line.insert(line.begin(), "x");
  std::vector<char*> pointers;
  for (std::string& word : line) pointers.push_back(word.data());
  words_given given;
  try {
    return parse(self, pointers, given) == nullptr ? given.seen : "help";
  } catch (const text::usage_error& wrong) {
    return std::string("error: ") + wrong.what();
  }
}

TEST(command_line, follows_the_grammar_of_gnu) {
  ::unsetenv("POSIXLY_CORRECT");
  struct row {
    std::vector<std::string> line;
    const char* means;
  };
  const row rows[] = {
      {{}, ""},
      {{"-l"}, "lines"},
      {{"--lines"}, "lines"},
      {{"a", "-l", "b"}, "lines [a] [b]"},
      {{"-lw"}, "lines words"},
      {{"-lb4K", "a"}, "lines block-size=4K [a]"},
      {{"-b", "4K"}, "block-size=4K"},
      {{"-b", "-l"}, "block-size=-l"},
      {{"--block-size", "4K"}, "block-size=4K"},
      {{"--block-size=4K"}, "block-size=4K"},
      {{"--block-size="}, "block-size="},
      {{"--block-size", ""}, "block-size="},
      {{"--block-size", "--", "a"}, "block-size=-- [a]"},
      {{"--li"}, "error: option '--li' is ambiguous: --lines or --limit"},
      {{"--lin"}, "lines"},
      {{"--w"}, "words"},
      {{"--bl=4K"}, "block-size=4K"},
      {{"--b"}, "error: option '--b' is ambiguous: --block-size or --bytes"},
      {{"--b=4K"}, "error: option '--b' is ambiguous: --block-size or --bytes"},
      {{"--", "-l", "--foo"}, "[-l] [--foo]"},
      {{"a", "--", "--"}, "[a] [--]"},
      {{"--", "-1"}, "[-1]"},
      {{"-"}, "[-]"},
      {{"", "-l"}, "lines []"},
      {{"++", "+", "[x]", "[a,b]", "a\nb"}, "[++] [+] [[x]] [[a,b]] [a\nb]"},
      {{"-h"}, "help"},
      {{"--help"}, "help"},
      {{"--h"}, "help"},
      {{"-lh"}, "help"},
      {{"a", "--help", "--foo"}, "help"},
      {{"--foo"}, "error: unknown option '--foo'"},
      {{"--foo=bar"}, "error: unknown option '--foo'"},
      {{"--linesx"}, "error: unknown option '--linesx'; did you mean '--lines'?"},
      {{"-1"}, "error: unknown option '-1'"},
      {{"-lx"}, "error: unknown option '-x'"},
      {{"-:"}, "error: unknown option '-:'"},
      {{"-l-"}, "error: unknown option '-' in '-l-'"},
      {{"---"}, "error: unknown option '---'"},
      {{"--="}, "error: unknown option '--='"},
      {{"--=4K"}, "error: unknown option '--=4K'"},
      {{"a", "--foo", "b"}, "error: unknown option '--foo'"},
      {{"--lines=false"}, "error: option '--lines' takes no argument"},
      {{"--lin=false"}, "error: option '--lines' takes no argument"},
      {{"--help=me"}, "error: option '--help' takes no argument"},
      {{"--block-size"}, "error: option '--block-size' needs an argument: SIZE"},
      {{"a", "-b"}, "error: option '-b' needs an argument: SIZE"},
      {{"--limit", "8E"}, "error: --limit '8E': too large; use at most 1G"},
      {{"--after"}, "error: option '--after' needs '--words'"},
      {{"--after", "-w"}, "bytes words"},
  };
  for (const row& each : rows)
    EXPECT_EQ(read_by(any_operands, each.line), each.means) << testing::PrintToString(each.line);
}

TEST(command_line, ends_options_at_the_first_operand_if_posixly_correct) {
  ::setenv("POSIXLY_CORRECT", "1", 1);
  const std::string seen = read_by(any_operands, {"-l", "a", "-w"});
  ::unsetenv("POSIXLY_CORRECT");
  EXPECT_EQ(seen, "lines [a] [-w]");
  EXPECT_EQ(read_by(any_operands, {"-l", "a", "-w"}), "lines words [a]");
}

TEST(command_line, counts_operands) {
  constexpr command none{.name = "x", .options = options};
  EXPECT_EQ(read_by(none, {"a"}), "error: unexpected argument 'a'");
  constexpr command two{
      .name = "x", .options = options, .operands = {.name = "FILE", .least = 2, .set = note_operand}};
  EXPECT_EQ(read_by(two, {"a"}), "error: too few arguments; name at least 2 FILE");
  EXPECT_EQ(read_by(two, {"a", "b", "c"}), "[a] [b] [c]");
  constexpr command usual{
      .name = "x", .options = options, .operands = {.name = "FILE", .preset = "-", .set = note_operand}};
  EXPECT_EQ(read_by(usual, {}), "[-]");
  EXPECT_EQ(read_by(usual, {"a"}), "[a]");
}

TEST(command_line, misses_a_required_option) {
  static constexpr std::array required{option{.name = "type", .required = true, .set = note<lines>}};
  constexpr command self{.name = "x", .options = required};
  EXPECT_EQ(read_by(self, {}), "error: option '--type' is missing");
  EXPECT_EQ(read_by(self, {"--type"}), "lines");
}

TEST(commands, have_one_option_of_each_name_with_a_setter_and_groups_together_after_those_without) {
  for (const command* each : commands()) {
    std::vector<std::string_view> groups{""};
    for (const option& one : options_with_help(*each)) {
      if (groups.back() != one.group) groups.emplace_back(one.group);
    }
    std::ranges::sort(groups);
    EXPECT_EQ(std::ranges::adjacent_find(groups), groups.end()) << each->name;
    std::vector<std::string> names{help_option.name, {help_option.short_form}};
    for (const option& one : each->options) {
      EXPECT_TRUE(one.set != nullptr || one.name == std::string_view("version")) << one.name;
      names.emplace_back(one.name);
      if (one.short_form != '\0') names.emplace_back(1, one.short_form);
    }
    std::ranges::sort(names);
    EXPECT_EQ(std::ranges::adjacent_find(names), names.end()) << each->name;
  }
}

}  // namespace
}  // namespace riffle::cli

namespace riffle::test {
namespace {

constexpr std::uint64_t mib = std::uint64_t{1} << 20U;

class threads_unasked : public testing::Test {
 protected:
  void SetUp() override {
    if (build::instrumented) GTEST_SKIP() << "a sanitizer starts threads of its own";
    if (shell("strace --seccomp-bpf -f -o /dev/null true").status != 0)
      GTEST_SKIP() << "strace cannot run here";
  }

  // A file that is in the page cache: of others, riffle opens many ahead. It is mapped, so that no program
  // that empties the cache meanwhile takes it out.
  std::string cached(const std::string& name, std::uint64_t size) {
    const std::filesystem::path path = folder_.path() / name;
    std::ofstream(path, std::ios::binary) << std::string(size, '\0') << std::flush;
    held_.emplace_back(path, mapping_options{.populate = true});
    return path.string();
  }
  std::string small_files(std::size_t count) {
    std::string names;
    for (std::size_t i = 0; i != count; ++i) names += " " + cached("small" + std::to_string(i), 100);
    return names;
  }

  // How many threads the command starts; `around` is a shell's prefix for it. An emulator starts some of its
  // own.
  // The least of three runs counts: riffle opens files ahead if the OS kernel was late for them.
  int started_by(const std::string& command, const std::string& around = {}) const {
    int least = seen_by_strace(command, around);
    for (int again = 0; again != 2 && least != 0; ++again)
      least = std::min(least, seen_by_strace(command, around));
    return least - seen_by_strace("--version", around);
  }

  // Besides the main thread.
  static int all_that_help() { return static_cast<int>(std::min(os::usable_processors(), 4U)) - 1; }

 private:
  int seen_by_strace(const std::string& command, const std::string& around) const {
    const std::string calls = (folder_.path() / "calls").string();
    const shell_result found =
        shell(around + " strace --seccomp-bpf -f -o " + calls + " -e trace=clone,clone3 $riffle " + command +
              " > /dev/null && grep -cE 'clone3?[(].*CLONE_THREAD' " + calls + " || true");
    EXPECT_EQ(found.err, "");
    return std::stoi(found.out);
  }

  temporary_directory folder_;
  std::vector<mapped_file> held_;
};

TEST_F(threads_unasked, share_what_is_large_or_many) {
  const std::string large = cached("large", 33 * mib);
  std::string medium;
  for (int i = 0; i != 9; ++i) medium += " " + cached("medium" + std::to_string(i), 4 * mib);
  EXPECT_EQ(started_by("wc -l " + cached("one", 100 * 1024)), 0);
  EXPECT_EQ(started_by("wc -l" + small_files(255)), 0);
  EXPECT_EQ(started_by("wc -l" + small_files(256)), all_that_help());
  EXPECT_EQ(started_by("wc -l " + large), all_that_help());
  EXPECT_EQ(started_by("wc -l " + cached("medium0", 4 * mib)), 0);
  EXPECT_EQ(started_by("wc -l" + medium), all_that_help());
  EXPECT_EQ(started_by("cat --tsv --columns 1 " + large), all_that_help());
  EXPECT_EQ(started_by("cat --tsv --columns 1 --number " + large), 0);
}

TEST_F(threads_unasked, are_as_many_as_asked_for_and_allowed) {
  const std::string large = cached("large", 33 * mib);
  EXPECT_EQ(started_by("wc -l --threads 1 " + large), 0);
  EXPECT_EQ(started_by("wc -l --threads 3 " + large), 2);
  EXPECT_EQ(started_by("wc -l " + large, "taskset -c 0"), 0);
  EXPECT_EQ(started_by("wc -l --threads 0 " + large, "taskset -c 0"), 0);
}

TEST_F(threads_unasked, are_not_started_for_a_few_names_on_slow_storage) {
  if (const auto refusal = refusal_of_slow_files()) GTEST_SKIP() << *refusal;
  const slow_file far("x", {"--latency=1000"});
  std::string names;
  for (int i = 0; i != 9; ++i)
    names += " " + far.path().parent_path().string() + "/missing" + std::to_string(i);
  EXPECT_EQ(started_by("wc -l" + names + " > /dev/null 2>&1 || true"), 0);
}

TEST_F(threads_unasked, leave_a_queue_of_reads_to_one) {
  const std::vector<method> usable = usable_methods();
  if (std::ranges::find(usable, method::uring) == usable.end())
    GTEST_SKIP() << "io_uring cannot be used here";
  EXPECT_EQ(started_by("wc -l --method uring " + cached("large", 33 * mib)), 0);
}

TEST_F(threads_unasked, are_no_more_than_the_quota_of_the_control_group_allows) {
  if (os::usable_processors() == 1) GTEST_SKIP() << "there is one processor";
  const control_group group("cpu", {"cpu.cfs_quota_us", "100000"}, {"cpu.max", "100000 100000"});
  if (!group.granted()) GTEST_SKIP() << "no control group with a CPU quota can be made here; it takes root";
  const std::string inside = group.enter();
  EXPECT_EQ(started_by("wc -l " + cached("large", 33 * mib), inside), 0);
  EXPECT_EQ(started_by("wc -l --threads 0 " + cached("large", 33 * mib), inside), 0);
}

}  // namespace
}  // namespace riffle::test
