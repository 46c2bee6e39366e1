/// `riffle split` while reading or writing fails: what stands under its name is whole.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <riffle/error.hpp>

#include <cerrno>
#include <optional>
#include <string>

#include "cli/os/system.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/mounts.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

using testing::_;
using testing::HasSubstr;

TEST(riffle_split, refuses_what_it_cannot_write) {
  const std::string help = " (see riffle split --help)\n";
  const auto cannot = [](const std::string& what) { return "riffle: cannot " + what + "\n"; };
  expect_rows(
      {{"cp in xab; $riffle split -l 4 xab; ls -A; cmp xab in", "a\nb\nd\ne\nin\nin11\nxaa\nxab\n",
        cannot("replace 'xab': it is the file that is split; use another prefix"), 0},
       {"cp in xab; $riffle split -l 4 < xab; cmp xab in", "",
        cannot("replace 'xab': it is the file that is split; use another prefix"), 0},
       {"ln -s in xaa; $riffle split in; cmp in <(seq 10)", "",
        cannot("replace 'xaa': it is the file that is split; use another prefix"), 0},
       {"mkdir xaa; $riffle split in", "", cannot("replace 'xaa': it is no regular file; use another prefix"),
        1},
       {"mkfifo xaa; $riffle split in", "",
        cannot("replace 'xaa': it is no regular file; use another prefix"), 1},
       {"$riffle split in missing/x", "", cannot("create 'missing/xaa': No such file or directory"), 1},
       {"$riffle split missing", "", cannot("open 'missing': No such file or directory"), 1},
       {"$riffle split d", "", HasSubstr("cannot read 'd': Is a directory"), 1},
       {"$riffle split -a 1 -l 1 --numeric-suffixes in11; ls -A | grep -c '^x[0-9]$'", "10\n",
        cannot("split 'in11' at byte 21: the 10 suffixes of length 1 are used up; set a larger "
               "--suffix-length")},
       {"$riffle split --number 677 -a 2 in", "", "riffle: 677 files need a --suffix-length of 3" + help, 2},
       {"true | $riffle split --number 2", "",
        cannot("split 'standard input': its size is unknown, which --number needs; save its bytes in a file, "
               "or use --line-bytes"),
        1},
       {"gzip in; $riffle split --number 2 in.gz", "",
        cannot("split 'in.gz': its decoded size is unknown, which --number needs; save its bytes in a file, "
               "or use --line-bytes"),
        1},
       {"$riffle split --number 2 /proc/self/status; ls x*", "", HasSubstr("its size is unknown"), 2},
       {"$riffle split -l 1 -C 1 in", "",
        "riffle: --line-bytes '1': use only one of --lines, --line-bytes, --number" + help, 2},
       {"$riffle split --lines 0 in", "", HasSubstr("--lines '0'"), 2},
       {"$riffle split in x y", "", "riffle: unexpected argument 'y'; name one FILE and one PREFIX" + help,
        2},
       {"$riffle split --json in", "", "riffle: option '--json' needs '--dry-run'" + help, 2},
       {"$riffle split --quote x in", "", "riffle: option '--quote' needs '--csv'" + help, 2},
       {"$riffle split --additional-suffix /x in", "",
        "riffle: --additional-suffix '/x': a suffix holds no '/'; name the directory in PREFIX" + help, 2},
       {"$riffle split --number l/4 in", "",
        "riffle: --number 'l/4': write --number 4, which makes files of whole lines" + help, 2},
       {"$riffle split -n 4 in", "", "riffle: unknown option '-n'; use '--number'" + help, 2},
       {"$riffle split -b 4K in", "", "riffle: unknown option '-b'; use '--line-bytes'" + help, 2},
       {"$riffle split --files-from in", "", HasSubstr("--files-from"), 2}},
      "seq 10 > in; seq 11 > in11");
}

TEST(riffle_split, replaces_a_file_and_keeps_its_permissions) {
  const std::string split = "; $riffle split in && stat -c %a xaa && cmp xaa in";
  expect_rows({{"echo old > xaa; chmod 640 xaa" + split, "640\n"},
               {"echo old > xaa; chmod 7755 xaa" + split, "755\n"},
               {"umask 077; echo old > xaa; chmod 666 xaa" + split, "666\n"},
               {"echo old > t; chmod 4777 t; ln -s t xaa" + split + "; cat t", "644\nold\n"},
               {"ln -s missing xaa" + split, "644\n"},
               {"umask 077" + split, "600\n"},
               {"mkdir p; $riffle split --lines 5 in p/; ls -A p", "aa\nab\n"},
               // What it permits before it is whole.
               {"umask 0; echo > xaa; chmod 600 xaa; mkfifo f; (echo; sleep 100) > f & $riffle split f & "
                "until stat -c %a .riffle-* 2> e; do :; done; kill $! %1",
                "600\n"}},
              "umask 022; seq 10 > in");
  if (geteuid() != 0) GTEST_SKIP() << "only root can make files of others";
  // A group that the new file does not have gave it no more than everyone has.
  expect_rows({{"echo old > xaa; chown 12345 xaa; chmod 4755 xaa" + split, "644\n"},
               {"echo old > xaa; chown 12345 xaa; chmod 600 xaa" + split, "644\n"},
               {"echo old > xaa; chgrp 12345 xaa; chmod 2664 xaa" + split, "644\n"},
               {"echo old > xaa; chgrp 12345 xaa; chmod 640 xaa" + split, "600\n"},
               {"chmod 1777 .; echo old > xaa; chown 12345 xaa; chmod 4755 xaa" + split, "644\n"}},
              "umask 022; seq 10 > in");
}

TEST(riffle_split, leaves_whole_files_only_when_a_disk_is_full) {
  expect_rows({{"(ulimit -f 300; $riffle split --lines 50000 in); ls -A; cat x* | cmp - <(head -n 100000 in)",
                "a\nb\nd\ne\nin\nxaa\nxab\n",
                testing::MatchesRegex("riffle: cannot write 'xac' at byte [0-9]+: File too large\n")}},
              "seq 100000 > in; seq 900000000 900200000 >> in");
  // Each file that is there is whole, whatever thread wrote it.
  expect_rows(
      {{"for n in 2 5; do (ulimit -f 3500; $riffle split --threads $n --lines 500000 in); ls -A | grep -c "
        "riffle-; for f in x*; do head -n 500000 in | cmp - $f && sed -i 1,500000d in; done; seq 5300000 > "
        "in; rm x*; done",
        "0\n0\n",
        testing::MatchesRegex("(riffle: cannot write 'xa[a-z]' at byte [0-9]+: File too large\n){2}")}},
      "seq 5300000 > in");
  if (const auto refusal = refusal_of_mounts()) GTEST_SKIP() << *refusal;
  const mounted place("riffle-test", "tmpfs", "size=1m");
  const std::string folder = place.path().string();
  expect_rows(
      {{"$riffle split --lines 50000 in " + folder + "/x; ls -A " + folder + "; cat " + folder +
            "/x* | cmp - <(head -n 150000 in)",
        "xaa\nxab\nxac\n",
        testing::MatchesRegex("riffle: cannot write '.*/xad' at byte [0-9]+: No space left on device\n")}},
      "seq 300000 > in");
}

TEST(riffle_split, leaves_whole_files_only_when_reading_fails) {
  expect_rows({{"$riffle split -z --lines 50000 cut.gz; ls -A x*; cat x* | cmp - <(head -n 150000 in)",
                "xaa\nxab\nxac\n", HasSubstr("cannot decode 'cut.gz' at byte ")}},
              "seq 200000 > in; gzip < in | head -c -2000 > cut.gz");
  if (const auto refusal = refusal_of_slow_files()) GTEST_SKIP() << *refusal;
  const std::string text = numbered_lines(15'000);
  const slow_file failing(text, {"--eio-at=82000"});
  for (const method each : usable_methods()) {
    expect_rows(
        {{"$riffle split --lines 1000 --method " + std::string(name_of(each)) + " " +
              failing.path().string() +
              "; ls -A | grep -v '^[abde]$' | wc -l; cat x* > all; cmp all <(head -c $(stat -c %s all) " +
              failing.path().string() + ")",
          testing::AnyOf("0\n", "8\n"),  // a window of a mapping is read before it is handed out
          HasSubstr("' at byte 81920: Input/output error\n")}},
        "true");
  }
}

TEST(riffle_split, removes_what_is_not_whole_when_a_signal_ends_it) {
  expect_each({"INT", "TERM", "HUP", "QUIT", "ALRM", "USR1", "USR2", "PIPE", "VTALRM", "PROF", "XCPU", "ABRT",
               "IO", "PWR", "STKFLT"},
              {"signal={}; ulimit -c 0; mkfifo f; (seq 30000; sleep 100) > f & env --default-signal=$signal "
               "$riffle split --lines 20000 f & until ls .riffle-* xaa; do sleep 0.01; done > /dev/null "
               "2>&1; kill -$signal $!; wait $!; kill %1; ls -A",
               "a\nb\nd\ne\nf\nxaa\n", _});
}

// Every call of a file fails once: the old file stays, and no other is left.
TEST(a_new_file, is_whole_or_not_there) {
  if (const auto reason = trap::unavailable()) GTEST_SKIP() << *reason;
  const std::string text = numbered_lines(60'000);
  const temporary_file input(text);
  const owned_descriptor from(::open(input.path().c_str(), O_RDONLY));
  for (const long call : {SYS_openat, SYS_fchmod, SYS_write, SYS_close, SYS_rename}) {
    for (unsigned at = 1; at != 4; ++at) {
      const temporary_directory folder;
      const std::filesystem::path target = folder.path() / "x";
      std::ofstream(target) << "old";
      std::optional<error> failure;
      trap::run([&] {
        const trap::failure failing({call, ENOSPC, at});
        try {
          os::new_file made(target, -1);
          made.write("new");
          made.write(" bytes");
          made.copy(from.get(), "input", 5, 300'000);
          made.finish();
        } catch (const error& told) {
          failure = told;
        }
      });
      std::ifstream in(target);
      const std::string bytes{std::istreambuf_iterator<char>(in), {}};
      const bool whole = bytes == "new bytes" + text.substr(5, 300'000);
      EXPECT_TRUE(failure ? bytes == "old" : whole) << call << " " << at;
      EXPECT_EQ(failure ? failure->path() : target.string(), target.string());
      EXPECT_EQ(failure ? failure->code().value() : ENOSPC, ENOSPC);
      EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1)
          << call << " " << at;
    }
  }
}

// The OS kernel's copy may refuse, be interrupted, or copy a part; reading may fail or end early.
TEST(a_new_file, is_copied_by_the_kernel_or_by_reading) {
  if (const auto reason = trap::unavailable()) GTEST_SKIP() << *reason;
  const std::string text = numbered_lines(60'000);
  const temporary_file input(text);
  const owned_descriptor from(::open(input.path().c_str(), O_RDONLY));
  const temporary_directory folder;
  const std::filesystem::path target = folder.path() / "x";
  const auto copied = [&](const trap::failure::plan& plan, std::uint64_t size) -> std::optional<error> {
    std::filesystem::remove(target);
    std::optional<error> failure;
    trap::run([&] {
      const trap::failure failing(plan);
      try {
        os::new_file made(target, from.get());
        made.copy(from.get(), "input", 7, size);
        made.finish();
      } catch (const error& told) {
        failure = told;
      }
    });
    return failure;
  };
  for (const int code : {EXDEV, EINVAL, ENOSYS, EINTR, EOPNOTSUPP, EIO, ENOSPC}) {
    EXPECT_FALSE(copied({SYS_copy_file_range, code, 1, code != EINTR}, 400'000)) << code;
    std::ifstream in(target);
    EXPECT_TRUE(std::string(std::istreambuf_iterator<char>(in), {}) == text.substr(7, 400'000)) << code;
  }
  const auto unread = copied({SYS_pread64, EIO, 1, true}, text.size() - 7);  // the kernel copies all
  EXPECT_FALSE(unread);
  const auto shrunk = copied({SYS_getpid, 0, 1}, text.size());
  ASSERT_TRUE(shrunk);
  EXPECT_EQ(shrunk->code(), errc::truncated);
  EXPECT_EQ(shrunk->offset(), text.size());
  EXPECT_EQ(shrunk->path(), "input");
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(riffle_split, takes_memory_for_no_file) {
  const long small = peak_memory("split --dry-run", "true");
  EXPECT_LT(peak_memory("split --dry-run --lines 10000000", "seq 3000000"), small + 2000);
  EXPECT_LT(peak_memory("split --dry-run --line-bytes 1G", "seq 3000000"), small + 2000);
  EXPECT_LT(peak_memory("split --dry-run --csv --lines 10000000", "seq 3000000"), small + 2000);
}

}  // namespace
}  // namespace riffle::test
