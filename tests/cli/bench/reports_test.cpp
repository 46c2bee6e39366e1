/// Reports on full disks and mount points, and of files whose names are hostile.
#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {

namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class bench_reports : public testing::Test {
 protected:
  shell_result run(const std::string& command) const {
    return shell("cd " + directory_.path().string() + " && " + command);
  }
  /// The shortest run, on the file "input".
  const std::string bench_ = "$riffle bench --task gc --contender riffle/read --rounds 1 --time 0.1 ";
  temporary_directory directory_;
};

}  // namespace

TEST_F(bench_reports, leave_the_earlier_one_whole_on_a_full_disk) {
  // Files of 1 KiB at most stand for the disk.
  const shell_result full =
      run("seq 100 > input; printf '{\\n\"schema\": \"riffle-bench\", 1' | tee earlier > x.json; "
          "trap '' XFSZ; ulimit -f 1; " +
          bench_ + "--json x.json --html new.html input > /dev/null; echo $?; cmp x.json earlier; ls -A");
  EXPECT_EQ(full.out, "1\nearlier\ninput\nx.json\n");
  EXPECT_EQ(
      full.err,
      "riffle: cannot write 'x.json': File too large\nriffle: cannot write 'new.html': File too large\n");
}

TEST_F(bench_reports, are_written_into_a_mount_point) {
  const std::string mounted = "unshare --map-root-user --mount bash -c 'mount --bind outer x.json && ";
  if (run("touch outer x.json && " + mounted + "true'").status != 0)
    GTEST_SKIP() << "this user can mount nothing";
  const shell_result result =
      run("seq 1000 > input; touch outer; " + mounted + bench_ + "--json x.json input > /dev/null'; ls -A");
  EXPECT_EQ(result.out, "input\nouter\nx.json\n") << result.err;
  EXPECT_EQ(run("head -c 10 outer").out, "{\n\"schema\"");
}

TEST_F(bench_reports, hold_no_name_that_a_terminal_or_a_browser_obeys) {
  const std::string name = "<img src=x onerror=alert(1)>|`\x1b[2J\n\x7f\xC2\x9B\xE2\x80\xAE=1+1\xff";
  std::ofstream(directory_.path() / name) << numbered_lines(1000);
  const shell_result result = run(bench_ + "--save . ./\\<*");
  EXPECT_THAT(result.out, AllOf(HasSubstr("<img src=x"), Not(HasSubstr("\x1b"))));
  for (const char* file : {"bench.json", "bench.md", "bench.html"}) {
    const std::string text = run(std::string("cat ") + file).out;
    EXPECT_GT(text.size(), 500U) << file;
    for (const char* obeyed : {"\x1b", "\x7f", "\xC2\x9B", "\xff"})
      EXPECT_THAT(text, Not(HasSubstr(obeyed))) << file;
  }
  for (const char* page : {"bench.md", "bench.html"})
    EXPECT_THAT(run(std::string("cat ") + page).out, Not(HasSubstr("<img"))) << page;
}

TEST_F(bench_reports, of_published_benchmarks_have_every_table_of_every_program) {
  const shell_result all =
      run("$riffle bench reproduce --size 64K --time 1 --save .; cat bench.md | grep -c published");
  EXPECT_EQ(all.err, "");
  for (const char* part :
       {"nvwa, bytes: C and G", "nvwa, lines: ", "\nioaccess: ", "Core i7:", "AMD Ryzen 5950X:",
        "Jetson Xavier:", "\nmapped: ", "wc_measurements, one file: ", " (185 files), ", "\nbitflux: "})
    EXPECT_THAT(all.out, HasSubstr(part));
  const shell_result one = run("$riffle bench reproduce mapped --size 64K --time 0.1");
  EXPECT_THAT(one.out, AllOf(HasSubstr("mapped: "), Not(HasSubstr("nvwa, "))));
  EXPECT_EQ(run("$riffle bench reproduce iozone").status, 2);
}

}  // namespace riffle::test
