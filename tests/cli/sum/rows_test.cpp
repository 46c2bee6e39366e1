/// The rows and messages of `riffle sum`: several files, their total, --stats and --json.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

struct sum_case {
  const char* options;
  const char* out;
  const char* err = "";
  int status = 0;
};

// In a folder with bytes, an empty `e`, the limits of 64 bits `max`, `top` and `low`, and the texts `t` and
// `n`.
shell_result run(const std::string& options) {
  const temporary_directory folder;
  const auto write = [&folder](const char* name, auto number) {
    std::ofstream(folder.path() / name, std::ios::binary)
        .write(reinterpret_cast<const char*>(&number), sizeof number);
  };
  write("a", std::uint16_t{0x0201});
  write("b", std::uint8_t{255});
  write("max", std::numeric_limits<std::uint64_t>::max());
  write("top", std::numeric_limits<std::int64_t>::max());
  write("low", std::numeric_limits<std::int64_t>::min());
  write("nan32", std::numeric_limits<std::uint32_t>::max());
  write("minus_zero", -0.0F);
  return shell("cd " + folder.path().string() + R"( && : > e && printf '1.5\n-2\n' > t && )" +
               R"(printf 'nan\ninf\n' > n && $riffle sum )" + options);
}

template <std::size_t size>
void expect(const sum_case (&cases)[size]) {
  for (const sum_case& each : cases) {
    const shell_result result = run(each.options);
    EXPECT_EQ(result.out, each.out) << each.options;
    EXPECT_EQ(result.err, each.err) << each.options;
    EXPECT_EQ(result.status, each.status) << each.options;
  }
}

TEST(sum_rows, of_several_files_and_their_total) {
  const sum_case cases[] = {
      {"--type u8 a", "3\n"},
      {"--type u8 a b", "3 a\n255 b\n258 total\n"},
      {"--type i8 a b e", "3 a\n-1 b\n0 e\n2 total\n"},
      {"--type u8 a missing b", "3 a\n255 b\n258 total\n",
       "riffle: cannot open 'missing': No such file or directory\n", 1},
      {"--type u8 missing", "", "riffle: cannot open 'missing': No such file or directory\n", 1},
      {"--field 1 t t", "-0.5 t\n-0.5 t\n-1 total\n"},
      {"--type u16 a b", "513 a\n513 total\n",
       "riffle: cannot read 'b' at byte 0: the input ends inside a value\n", 1},
      {"--field 1 --type u8 t n", "0 total\n",
       "riffle: cannot read 't' at byte 0: field 1 of row 1 is no uint8: '1.5'\n"
       "riffle: cannot read 'n' at byte 0: field 1 of row 1 is no uint8: 'nan'\n",
       1},
  };
  expect(cases);
}

TEST(sum_rows, total_is_exact_or_an_error) {
  const sum_case cases[] = {
      {"--type u64 max e", "18446744073709551615 max\n0 e\n18446744073709551615 total\n"},
      {"--type u64 max max", "18446744073709551615 max\n18446744073709551615 max\n",
       "riffle: cannot sum the total: the sum does not fit u64\n", 1},
      {"--type i64 top top max", "9223372036854775807 top\n9223372036854775807 top\n-1 max\n",
       "riffle: cannot sum the total: the sum does not fit i64\n", 1},
      {"--type i64 top top low",  // past the limit on the way only
       "9223372036854775807 top\n9223372036854775807 top\n-9223372036854775808 low\n"
       "9223372036854775806 total\n"},
      {"--stats --type u64 max max",
       "count\tmin\tmax\tsum\tmean\tfile\n"
       "1\t18446744073709551615\t18446744073709551615\t18446744073709551615\t1.8446744073709552e+19\tmax\n"
       "1\t18446744073709551615\t18446744073709551615\t18446744073709551615\t1.8446744073709552e+19\tmax\n",
       "riffle: cannot sum the total: the sum does not fit u64\n", 1},
  };
  expect(cases);
}

TEST(sum_rows, stats) {
  const sum_case cases[] = {
      {"--stats --type u8 a", "count\tmin\tmax\tsum\tmean\n2\t1\t2\t3\t1.5\n"},
      {"--stats --type i8 a b",
       "count\tmin\tmax\tsum\tmean\tfile\n2\t1\t2\t3\t1.5\ta\n1\t-1\t-1\t-1\t-1\tb\n3\t-1\t2\t2\t0."
       "6666666666666666\ttotal\n"},
      {"--stats --type u8 e", "count\tmin\tmax\tsum\tmean\n0\t-\t-\t0\t-\n"},
      {"--stats --type f64 e e",
       "count\tmin\tmax\tsum\tmean\tfile\n0\t-\t-\t0\t-\te\n0\t-\t-\t0\t-\te\n0\t-\t-\t0\t-\ttotal\n"},
      {"--stats --field 1 t", "count\tmin\tmax\tsum\tmean\n2\t-2\t1.5\t-0.5\t-0.25\n"},
      {"--stats --field 1 n", "count\tmin\tmax\tsum\tmean\n2\tinf\tinf\tnan\tnan\n"},
      {"--stats --type f32 nan32", "count\tmin\tmax\tsum\tmean\n1\tnan\tnan\tnan\tnan\n"},
      {"--stats --type f32 minus_zero", "count\tmin\tmax\tsum\tmean\n1\t0\t0\t0\t0\n"},
      {"--stats --type u16 b", "", "riffle: cannot read 'b' at byte 0: the input ends inside a value\n", 1},
      {"--stats --type u16 --big-endian a", std::endian::native == std::endian::big
                                                ? "count\tmin\tmax\tsum\tmean\n1\t513\t513\t513\t513\n"
                                                : "count\tmin\tmax\tsum\tmean\n1\t258\t258\t258\t258\n"},
      {"--stats --type u8 missing a",
       "count\tmin\tmax\tsum\tmean\tfile\n2\t1\t2\t3\t1.5\ta\n2\t1\t2\t3\t1.5\ttotal\n",
       "riffle: cannot open 'missing': No such file or directory\n", 1},
  };
  expect(cases);
}

TEST(sum_rows, json) {
  const sum_case cases[] = {
      {"--json --type u8 a", "{\"file\":\"a\",\"sum\":3}\n"},
      {"--json --type u8 - < a", "{\"file\":\"-\",\"sum\":3}\n"},
      {"--json --type u64 max e",
       "{\"file\":\"max\",\"sum\":18446744073709551615}\n{\"file\":\"e\",\"sum\":0}\n"
       "{\"total\":true,\"files\":2,\"sum\":18446744073709551615}\n"},
      {"--json --stats --type i8 a b missing",
       "{\"file\":\"a\",\"count\":2,\"min\":1,\"max\":2,\"sum\":3,\"mean\":1.5}\n"
       "{\"file\":\"b\",\"count\":1,\"min\":-1,\"max\":-1,\"sum\":-1,\"mean\":-1}\n"
       "{\"total\":true,\"files\":2,\"count\":3,\"min\":-1,\"max\":2,\"sum\":2,\"mean\":0.6666666666666666}"
       "\n",
       "riffle: cannot open 'missing': No such file or directory\n", 1},
      {"--json --stats --type f32 e",
       "{\"file\":\"e\",\"count\":0,\"min\":null,\"max\":null,\"sum\":0,\"mean\":null}\n"},
      {"--json --stats --field 1 n",
       "{\"file\":\"n\",\"count\":2,\"min\":null,\"max\":null,\"sum\":null,\"mean\":null}\n"},
  };
  expect(cases);
  for (const sum_case& each : cases) {
    std::istringstream lines(run(each.options).out);
    for (std::string line; std::getline(lines, line);) {
      EXPECT_TRUE(nlohmann::json::accept(line)) << line;
    }
  }
}

TEST(sum_rows, names_with_a_newline_are_quoted) {
  const temporary_directory folder;
  const std::string in =
      "cd " + folder.path().string() + R"( && printf '\1' > $'a\nb' && printf '\2' > 'c d' && )";
  EXPECT_EQ(shell(in + "$riffle sum --type u8 *").out, "1 'a'$'\\n''b'\n2 c d\n3 total\n");
  EXPECT_EQ(shell(in + "$riffle sum --stats --type u8 * | tail -3").out,
            "1\t1\t1\t1\t1\t'a'$'\\n''b'\n1\t2\t2\t2\t2\tc d\n2\t1\t2\t3\t1.5\ttotal\n");
  EXPECT_EQ(shell(in + "$riffle sum --json --type u8 * | head -1").out,
            "{\"file\":\"a\\u000ab\",\"sum\":1}\n");
}

// What writes to standard input waits for the row of the file before it.
TEST(sum_rows, appear_before_the_next_file_is_read) {
  const temporary_directory folder;
  const shell_result result =
      shell("cd " + folder.path().string() + " && printf 'a' > a && mkfifo in out && " +
            "{ timeout 20 $riffle sum --type u8 a - < in > out & } && exec 4> in 3< out && "
            "read -r row <&3; echo \"$row\"; printf '\\1' >&4; exec 4>&-; cat <&3");
  EXPECT_EQ(result.out, "97 a\n1 -\n98 total\n") << result.err;
}

}  // namespace
}  // namespace riffle::test
