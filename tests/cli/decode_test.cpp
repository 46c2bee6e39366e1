/// The tool reads compressed files if it is told to, and only then.
#include <riffle/decoders.hpp>

#include <gtest/gtest.h>

#include <string>

#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

class tool_decoding : public testing::Test {
 protected:
  void SetUp() override {
    if (!find_decoder(decoding::gzip)->unavailable.empty())
      GTEST_SKIP() << find_decoder(decoding::gzip)->unavailable;
    if (shell("command -v gzip").status != 0) GTEST_SKIP() << "gzip is not installed";
    ASSERT_EQ(shell("printf 'a b\\nc\\n' | gzip -n > " + folder_ + "/x.gz").status, 0);
    ASSERT_EQ(shell("printf 'a b\\nc\\n' > " + folder_ + "/plain").status, 0);
  }
  shell_result run(const std::string& command) const { return shell("cd " + folder_ + " && " + command); }

 private:
  temporary_directory directory_;
  std::string folder_ = directory_.path().string();
};

struct row {
  const char* command;
  int status;
  const char* out;
  const char* err;
};

TEST_F(tool_decoding, does_what_the_options_say) {
  const row rows[] = {
      {"$riffle wc -z x.gz plain", 0,
       "      2       3       6 x.gz\n      2       3       6 plain\n      4       6      12 total\n", ""},
      {"$riffle wc -lz --threads 2 x.gz", 0, "2 x.gz\n", ""},
      {"$riffle wc -cz < x.gz", 0, "6\n", ""},
      {"cat x.gz | $riffle wc --decompress -l", 0, "2\n", ""},
      {"$riffle wc -l --decode gzip x.gz", 0, "2 x.gz\n", ""},
      {"$riffle cat -z x.gz plain", 0, "a b\nc\na b\nc\n", ""},
      {"$riffle cat -z --tail 1 x.gz", 0, "c\n", ""},
      {"$riffle cat -z --range 2:2 x.gz", 0, "c\n", ""},
      {"$riffle cat --decode none x.gz | cmp - x.gz", 0, "", ""},
      {"$riffle count -z --rows x.gz", 0, "", nullptr},
      {"$riffle wc -l --decode gzip plain", 1, "0 plain\n", nullptr},
      {"$riffle wc -cz --max-size 5 x.gz", 1, "5 x.gz\n",
       "riffle: cannot decode 'x.gz' at byte 5 (compressed byte 26): it holds more than --max-size, 5 "
       "bytes\n"},
      {"$riffle wc --decode tar x.gz", 1, "", nullptr},
      {"ln -sf $riffle wc; ./wc -z x.gz", 1, "",
       "./wc: invalid option -- 'z'\nTry './wc --help' for more information.\n"},
      {"$riffle advise x.gz | grep -c 'compressed   gzip'", 0, "1\n", ""},
  };
  for (const row& each : rows) {
    const shell_result result = run(each.command);
    EXPECT_EQ(result.status, each.status) << each.command << result.err;
    if (*each.out != '\0') {
      EXPECT_EQ(result.out, each.out) << each.command;
    }
    if (each.err != nullptr) {
      EXPECT_EQ(result.err, each.err) << each.command;
    }
  }
}

TEST_F(tool_decoding, tells_a_file_that_is_cut) {
  const shell_result result = run("head -c 24 x.gz > cut.gz; $riffle wc -lz cut.gz");
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.err.find("riffle: cannot decode 'cut.gz' at byte "), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("the gzip data is cut"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace riffle::test
