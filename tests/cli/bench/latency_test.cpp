/// `riffle bench --latency` measures on the slow file system, wherever its program is.
#include "tests/support/mounts.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {

using testing::HasSubstr;

TEST(bench_latency, measures_a_cold_file_on_slow_storage) {
  if (const auto refusal = refusal_of_slow_files()) GTEST_SKIP() << *refusal;
  const temporary_directory place;
  const temporary_file file(patterned_bytes(100000));
  const std::string name = file.path().string();
  const shell_result ran = shell("TMPDIR=" + place.path().string() +
                                 " $riffle bench --latency 20ms --served 3 --json - --task gc --rounds 1 "
                                 "--time 0.1 --contender riffle/read " +
                                 name);
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr(R"("cache":"cold")"));
  EXPECT_THAT(ran.out, HasSubstr("riffle-slow-fs, 20000 us a request, 3 at once"));
  EXPECT_THAT(ran.out, HasSubstr("\"input\":\"" + file.path().filename().string()));
  EXPECT_TRUE(std::filesystem::is_empty(place.path()));
  const std::size_t at = ran.out.find(R"("median":)", ran.out.find(R"("contender":"read")"));
  ASSERT_NE(at, std::string::npos);
  EXPECT_GE(std::stod(ran.out.substr(at + 9)), 0.04) << "one request to open it, one to read it";
}

TEST(bench_latency_options, are_refused_with_a_remedy) {
  const auto said = [](const std::string& options) { return shell("$riffle bench " + options).err; };
  EXPECT_THAT(said("--served 4"), HasSubstr("--served needs --latency"));
  EXPECT_THAT(said("--latency 1"), HasSubstr("not a time from 1us to 10s; write 100us or 1ms"));
  EXPECT_THAT(said("--latency 11s"), HasSubstr("not a time"));
  EXPECT_THAT(said("--latency 0.1us"), HasSubstr("not a time"));
  if (*build::slow_fs == '\0') GTEST_SKIP() << "riffle-slow-fs is not built: libfuse3 is missing";
  EXPECT_THAT(said("--latency 1ms --cache hot"), HasSubstr("leave out --cache, or use --cache cold"));
  EXPECT_THAT(said("--latency 1ms $riffle $riffle"), HasSubstr("serves one file"));
}

TEST(bench_latency_options, need_the_program_beside_the_tool_or_on_the_path) {
  const temporary_directory lonely;
  const std::string place = lonely.path().string();
  const shell_result alone =
      shell("cp $riffle " + place + "/riffle; PATH=/nowhere " + place + "/riffle bench --latency 1ms");
  EXPECT_EQ(alone.status, 1);
  EXPECT_THAT(alone.err, HasSubstr("cannot find 'riffle-slow-fs'"));
  EXPECT_THAT(alone.err, HasSubstr("build riffle with libfuse"));
  if (*build::slow_fs == '\0') GTEST_SKIP() << "riffle-slow-fs is not built: libfuse3 is missing";
  const std::string list = "/riffle bench --latency 1ms --list";
  EXPECT_EQ(shell("PATH=" + std::filesystem::path(build::slow_fs).parent_path().string() + " " + place + list)
                .status,
            0);
  EXPECT_EQ(shell("mkdir -p " + place + "/libexec/riffle " + place + "/bin; mv " + place + "/riffle " +
                  place + "/bin; cp " + build::slow_fs + " " + place + "/libexec/riffle; PATH=/nowhere " +
                  place + "/bin" + list)
                .status,
            0);
}

}  // namespace riffle::test
