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

// Makes `low`, `top` and `max`, the limits of 64 bits, other numbers, and the texts `t` and `n`.
class sum_rows : public testing::Test {
 protected:
  void expect(std::vector<command_row> rows) const {
    const auto write = [this](const char* name, auto number) {
      std::ofstream(folder_.path() / name, std::ios::binary)
          .write(reinterpret_cast<const char*>(&number), sizeof number);
    };
    write("a", std::uint16_t{0x0201});
    write("b", std::uint8_t{255});
    write("max", std::numeric_limits<std::uint64_t>::max());
    write("top", std::numeric_limits<std::int64_t>::max());
    write("low", std::numeric_limits<std::int64_t>::min());
    write("nan32", std::numeric_limits<std::uint32_t>::max());
    write("minus_zero", -0.0F);
    for (command_row& each : rows) each.command.insert(0, "$riffle sum ");
    expect_rows(rows,
                "cp " + folder_.path().string() + R"(/* .; printf '1.5\n-2\n' > t; printf 'nan\ninf\n' > n
                   { echo 1e16; seq 31 | sed s/.*/0/; echo 1; seq 31 | sed s/.*/0/; echo -1e16; } > cancels
                   echo 1e-30 > tiny)");
  }

 private:
  temporary_directory folder_;
};

TEST_F(sum_rows, of_several_files_and_their_total) {
  expect({{"--type u8 a", "3\n"},
          {"--type u8 a b", "3 a\n255 b\n258 total\n"},
          {"--type i8 a b e", "3 a\n-1 b\n0 e\n2 total\n"},
          {"--type u8 a missing b", "3 a\n255 b\n258 total\n",
           "riffle: cannot open 'missing': No such file or directory\n", 1},
          {"--type u8 missing", "", "riffle: cannot open 'missing': No such file or directory\n", 1},
          {"--tsv --column 1 t t", "-0.5 t\n-0.5 t\n-1 total\n"},
          {"--type u16 a b", "513 a\n513 total\n",
           "riffle: cannot read 'b' at byte 0: the input ends inside a value; if the numbers stand as text, "
           "name their field by --column\n",
           1},
          {"--tsv --column 1 --type u8 t n", "0 total\n",
           "riffle: cannot read 't' at byte 0: field 1 of row 1 is no u8: '1.5'\n"
           "riffle: cannot read 'n' at byte 0: field 1 of row 1 is no u8: 'nan'\n",
           1}});
}

TEST_F(sum_rows, of_a_column_are_exact_and_rounded_once) {
  expect({{"--column 1 cancels tiny cancels", "1 cancels\n1e-30 tiny\n1 cancels\n2 total\n"},
          {"--column 1 --stats --json cancels | grep -o '\"sum\":[^,]*'", "\"sum\":1\n"},
          {"--column 1 --threads 4 --block-size 1 cancels", "1\n"}});
}

TEST_F(sum_rows, total_is_exact_or_an_error) {
  expect(
      {{"--type u64 max e", "18446744073709551615 max\n0 e\n18446744073709551615 total\n"},
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
        "riffle: cannot sum the total: the sum does not fit u64\n", 1}});
}

TEST_F(sum_rows, stats) {
  expect({{"--stats --type u8 a", "count\tmin\tmax\tsum\tmean\n2\t1\t2\t3\t1.5\n"},
          {"--stats --type i8 a b",
           "count\tmin\tmax\tsum\tmean\tfile\n2\t1\t2\t3\t1.5\ta\n1\t-1\t-1\t-1\t-1\tb\n3\t-1\t2\t2\t0."
           "6666666666666666\ttotal\n"},
          {"--stats --type u8 e", "count\tmin\tmax\tsum\tmean\n0\t-\t-\t0\t-\n"},
          {"--stats --type f64 e e",
           "count\tmin\tmax\tsum\tmean\tfile\n0\t-\t-\t0\t-\te\n0\t-\t-\t0\t-\te\n0\t-\t-\t0\t-\ttotal\n"},
          {"--stats --tsv --column 1 t", "count\tmin\tmax\tsum\tmean\n2\t-2\t1.5\t-0.5\t-0.25\n"},
          {"--stats --tsv --column 1 n", "count\tmin\tmax\tsum\tmean\n2\tinf\tinf\tnan\tnan\n"},
          {"--stats --type f32 nan32", "count\tmin\tmax\tsum\tmean\n1\tnan\tnan\tnan\tnan\n"},
          {"--stats --type f32 minus_zero", "count\tmin\tmax\tsum\tmean\n1\t0\t0\t0\t0\n"},
          {"--stats --type u16 b", "",
           "riffle: cannot read 'b' at byte 0: the input ends inside a value; if the numbers stand as text, "
           "name their field by --column\n",
           1},
          {"--stats --type u16 --big-endian a", std::endian::native == std::endian::big
                                                    ? "count\tmin\tmax\tsum\tmean\n1\t513\t513\t513\t513\n"
                                                    : "count\tmin\tmax\tsum\tmean\n1\t258\t258\t258\t258\n"},
          {"--stats --type u8 missing a",
           "count\tmin\tmax\tsum\tmean\tfile\n2\t1\t2\t3\t1.5\ta\n2\t1\t2\t3\t1.5\ttotal\n",
           "riffle: cannot open 'missing': No such file or directory\n", 1}});
}

// The text itself, of lines of JSON.
std::string json_lines(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_TRUE(nlohmann::json::accept(line)) << line;
  return text;
}

TEST_F(sum_rows, json) {
  expect(
      {{"--json --type u8 a", json_lines("{\"file\":\"a\",\"sum\":3}\n")},
       {"--json --type u8 - < a", json_lines("{\"file\":\"-\",\"sum\":3}\n")},
       {"--json --type u64 max e",
        json_lines("{\"file\":\"max\",\"sum\":18446744073709551615}\n{\"file\":\"e\",\"sum\":0}\n"
                   "{\"total\":true,\"files\":2,\"sum\":18446744073709551615}\n")},
       {"--json --stats --type i8 a b missing",
        json_lines("{\"file\":\"a\",\"count\":2,\"min\":1,\"max\":2,\"sum\":3,\"mean\":1.5}\n"
                   "{\"file\":\"b\",\"count\":1,\"min\":-1,\"max\":-1,\"sum\":-1,\"mean\":-1}\n"
                   "{\"total\":true,\"files\":2,\"count\":3,\"min\":-1,\"max\":2,\"sum\":2,\"mean\":0."
                   "6666666666666666}"
                   "\n"),
        "riffle: cannot open 'missing': No such file or directory\n", 1},
       {"--json --stats --type f32 e",
        json_lines("{\"file\":\"e\",\"count\":0,\"min\":null,\"max\":null,\"sum\":0,\"mean\":null}\n")},
       {"--json --stats --tsv --column 1 n",
        json_lines("{\"file\":\"n\",\"count\":2,\"min\":null,\"max\":null,\"sum\":null,\"mean\":null}\n")}});
}

TEST_F(sum_rows, names_with_a_newline_are_quoted) {
  expect_rows(
      {{"$riffle sum --type u8 f/*", "1 'f/a'$'\\n''b'\n2 f/c d\n3 total\n"},
       {"$riffle sum --stats --type u8 f/* | tail -3",
        "1\t1\t1\t1\t1\t'f/a'$'\\n''b'\n1\t2\t2\t2\t2\tf/c d\n2\t1\t2\t3\t1.5\ttotal\n"},
       {"$riffle sum --json --type u8 f/*", testing::StartsWith("{\"file\":\"f/a\\u000ab\",\"sum\":1}\n")}},
      R"(mkdir f; printf '\1' > $'f/a\nb'; printf '\2' > 'f/c d')");
}

}  // namespace
}  // namespace riffle::test
