/// `riffle split` while reading or writing fails: what stands under its name is whole.
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <riffle/error.hpp>

#include "cli/os/system.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/mounts.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

TEST(riffle_split, leaves_whole_files_only_when_a_disk_is_full) {
  if (const auto refusal = refusal_of_mounts()) GTEST_SKIP() << *refusal;
  const mounted place("riffle-test", "tmpfs", "size=1m");
  const std::string folder = place.path().string();
  const auto found = shell("cd " + folder +
                           "; seq 300000 | $riffle split --lines 50000; ls -A; cat x* | cmp - <(seq 150000)");
  EXPECT_EQ(found.out, "xaa\nxab\nxac\n");
  EXPECT_THAT(found.err,
              testing::MatchesRegex("riffle: cannot write 'xad' at byte [0-9]+: No space left on device\n"));
  EXPECT_EQ(found.status, 0);
}

TEST(riffle_split, leaves_whole_files_only_when_reading_fails) {
  if (const auto refusal = refusal_of_slow_files()) GTEST_SKIP() << *refusal;
  const std::string text = numbered_lines(15'000);
  const slow_file failing(text, {"--eio-at=82000"});
  for (const method each : usable_methods()) {
    const temporary_directory folder;
    const auto found = shell("cd " + folder.path().string() + "; f=" + failing.path().string() +
                             "; $riffle split --lines 1000 --method " + std::string(name_of(each)) +
                             " $f; ls -A | wc -l; cat x* > all; cmp all <(head -c $(stat -c %s all) $f)");
    EXPECT_THAT(found.out, testing::AnyOf("0\n", "8\n"));  // a window of a mapping is read before it is used
    EXPECT_THAT(found.err, testing::HasSubstr("' at byte 81920: Input/output error\n"));
    EXPECT_EQ(found.status, 0);
  }
}

template <class Work>
std::optional<error> failure_while(const trap::failure::plan& plan, Work work) {
  std::optional<error> failure;
  trap::run([&] {
    const trap::failure failing(plan);
    failure = error_of(work);
  });
  return failure;
}

// What rename(2) is made of, by the processor.
#if defined(SYS_rename)
constexpr int rename_call = SYS_rename;
#elif defined(SYS_renameat)
constexpr int rename_call = SYS_renameat;
#else
constexpr int rename_call = SYS_renameat2;
#endif

// Every call of a file fails once: the old file stays, and no other is left.
TEST(a_new_file, is_whole_or_not_there) {
  if (const auto reason = trap::unavailable()) GTEST_SKIP() << *reason;
  const std::string text = numbered_lines(60'000);
  const temporary_file input(text);
  const owned_descriptor from(::open(input.path().c_str(), O_RDONLY));
  for (const long call : {SYS_openat, SYS_fchmod, SYS_write, SYS_close, rename_call}) {
    for (unsigned at = 1; at != 4; ++at) {
      const temporary_directory folder;
      const std::filesystem::path target = folder.path() / "x";
      std::ofstream(target) << "old";
      const auto failure = failure_while({call, ENOSPC, at}, [&] {
        os::new_file made(target, -1);
        made.write("new");
        made.write(" bytes");
        made.copy(from.get(), "input", 5, 300'000);
        made.finish();
      });
      const std::string bytes = contents_of(target);
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
  const auto copied = [&](const trap::failure::plan& plan, std::uint64_t size) {
    std::filesystem::remove(target);
    return failure_while(plan, [&] {
      os::new_file made(target, from.get());
      made.copy(from.get(), "input", 7, size);
      made.finish();
    });
  };
  for (const int code : {EXDEV, EINVAL, ENOSYS, EINTR, EOPNOTSUPP, EIO, ENOSPC}) {
    EXPECT_FALSE(copied({SYS_copy_file_range, code, 1, code != EINTR}, 400'000)) << code;
    EXPECT_TRUE(contents_of(target) == text.substr(7, 400'000)) << code;
  }
  EXPECT_FALSE(copied({SYS_pread64, EIO, 1, true}, text.size() - 7));  // the kernel copies all
  const auto shrunk = copied({SYS_getpid, 0, 1}, text.size());
  ASSERT_TRUE(shrunk);
  EXPECT_THAT(*shrunk, is_error(errc::truncated, text.size(), "", "input"));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace riffle::test
