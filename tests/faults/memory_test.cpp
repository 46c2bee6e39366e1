/// Little memory, locked or at all: files larger than what a cgroup grants are still read whole.
#include <gmock/gmock.h>
#include <sys/syscall.h>

#include "tests/support/build.hpp"
#include "tests/support/in_child.hpp"
#include "tests/support/linux/control_group.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

// With so much memory.
class memory_group : public control_group {
 public:
  explicit memory_group(std::size_t mib)
      : control_group("memory", {"memory.limit_in_bytes", std::to_string(mib << 20U)},
                      {"memory.max", std::to_string(mib << 20U)}) {}
  // Runs the command in the group.
  shell_result run(const std::string& command) const { return shell(enter() + "exec " + command); }
};

TEST(little_memory, for_a_file_larger_than_that_is_enough_by_every_method) {
  if (build::instrumented) GTEST_SKIP() << "a sanitizer needs more memory than the limit leaves";
  const memory_group group(32);
  if (!group.granted()) GTEST_SKIP() << "no control group of memory can be made here; it takes root";
  const temporary_file file("first line\n");
  file.resize(64 << 20);
  file.append("last line\nend\n");
  for (const method used : usable_methods()) {
    for (const char* const threads : {" --threads 1 ", " --threads 4 "}) {
      const shell_result found =
          group.run("$riffle wc --method " + std::string(name_of(used)) + threads + file.path().string());
      EXPECT_EQ(found.status, 0) << name_of(used) << threads << found.err;
      EXPECT_EQ(found.out, "       3        5 67108878 " + file.path().string() + "\n")
          << name_of(used) << threads;
    }
  }
}

TEST(little_memory, of_16_mib_is_enough_for_the_threads_that_nobody_asked_for) {
  if (build::instrumented) GTEST_SKIP() << "a sanitizer needs more memory than the limit leaves";
  const memory_group group(16);
  if (!group.granted()) GTEST_SKIP() << "no control group of memory can be made here; it takes root";
  const temporary_file file("first line\n");
  file.resize(40 << 20);
  for (const char* const how : {"automatic", "read"}) {
    const shell_result found =
        group.run("$riffle wc -l --method " + std::string(how) + " " + file.path().string());
    EXPECT_EQ(found.status, 0) << how << found.err;
    EXPECT_EQ(found.out, "1 " + file.path().string() + "\n") << how;
  }
}

TEST(little_memory, that_may_be_locked_leaves_another_way_or_a_reason) {
  const temporary_file file("one two\nthree\n");
  for (const method used : usable_methods()) {
    const shell_result found =
        shell("ulimit -l 0; setpriv --reuid=65534 --regid=65534 --clear-groups $riffle wc --method " +
              std::string(name_of(used)) + " < " + file.path().string());
    if (found.err.find("setpriv") != std::string::npos) GTEST_SKIP() << found.err;
    if (used == method::direct && found.status != 0) continue;  // it opens the file again, which is root's
    if (used == method::uring && found.status != 0) {
      EXPECT_NE(found.err.find("raise the limit of locked memory with ulimit -l"), std::string::npos)
          << found.err;
    } else {
      EXPECT_EQ(found.out, " 2  3 14\n") << name_of(used) << found.err;
    }
  }
}

TEST(memory_that_is_refused, ends_a_file_and_leaves_the_others) {
  if (build::instrumented) GTEST_SKIP() << "a sanitizer reserves more addresses than the limit leaves";
  const temporary_file good("one two\nthree\n");
  const std::string name = good.path().string();
  const std::string no_memory = std::generic_category().message(ENOMEM);
  const shell_result blocks =
      shell("ulimit -v 60000; $riffle wc --total=never --method read --block-size 64M " + name + " " + name);
  EXPECT_EQ(blocks.status, 1);
  EXPECT_EQ(blocks.out, "");
  const std::string refused = "riffle: cannot read '" + name + "': " + no_memory +
                              "; a block has 67108864 bytes; use a smaller --block-size\n";
  EXPECT_EQ(blocks.err, refused + refused);

  const temporary_file endless("first\n");
  endless.resize(200 << 20);
  const shell_result record =
      shell("ulimit -v 100000; $riffle cat --tsv --columns 1 " + endless.path().string() + " " + name);
  EXPECT_EQ(record.status, 1);
  EXPECT_EQ(record.out, "first\none two\nthree\n");
  EXPECT_THAT(record.err, testing::MatchesRegex("riffle: cannot read '" + endless.path().string() +
                                                "' at byte [0-9]+: " + no_memory +
                                                "; set --max-length to refuse a record this long\n"));
}

// What can be typed there: --max-length needs --rows or --columns in `count` and `freq`.
TEST(memory_that_is_refused, has_a_remedy_that_the_command_has) {
  if (build::instrumented) GTEST_SKIP() << "a sanitizer reserves more addresses than the limit leaves";
  struct row {
    const char* command;
    const char* remedy;
  };
  for (const row& each :
       {row{"sum --tsv --column 1", "; set --max-length to refuse a record this long"},
        {"count --fastq", ""},
        {"count --rows --tsv", "; set --max-length to refuse a record this long"},
        {"freq", ""},
        {"freq --tsv --columns 1", "; set --max-length to refuse a record this long"},
        {"cat --lines", "; set --max-length to refuse a record this long"},
        {"cat --tail 1", "; use a smaller --tail or set --max-length"},
        {"cat --tail 1000000000 --delimiter a", "; use a smaller --tail or set --max-length"},
        {"sum --type u8 --method read --block-size 64M",
         "; a block has 67108864 bytes; use a smaller --block-size"}}) {
    const shell_result refused = shell(std::string("ulimit -v 60000; yes aaaaaaa | tr -d '\\n' | $riffle ") +
                                       each.command + " > /dev/null");
    EXPECT_THAT(refused.err,
                testing::MatchesRegex("riffle: cannot read 'standard input'( at byte [0-9]+)?: " +
                                      std::generic_category().message(ENOMEM) + each.remedy + "\n"))
        << each.command;
  }
}

TEST(a_refused_ring, is_told_by_the_table_of_methods) {
  for (const auto& [number, name] :
       {std::pair(SYS_io_uring_setup, "io_uring_setup"), {SYS_io_uring_enter, "io_uring_enter"}}) {
    for (const int code : {EPERM, EACCES, ENOSYS, ENOMEM}) {
      const std::string said = in_child([&, call = number] {
        return refuse_call(call, code) ? shell("$riffle methods").out : std::string("no filter");
      });
      if (said == "no filter") GTEST_SKIP() << "seccomp filters cannot be installed here";
      EXPECT_NE(said.find("not available: " + std::string(name) + ": "), std::string::npos) << said;
      EXPECT_EQ(said.find("from a sandbox") != std::string::npos, code == EPERM || code == EACCES) << said;
    }
  }
}

}  // namespace
}  // namespace riffle::test
