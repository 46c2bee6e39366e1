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

}  // namespace riffle::test
