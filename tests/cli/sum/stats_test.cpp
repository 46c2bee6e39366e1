/// `riffle sum` finds what a plain loop finds, by every method, and prints it as rows, totals, --stats and
/// --json.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "cli/sum/sum.hpp"
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

// A row for each key of all files, in the order of the first appearance.
TEST_F(sum_rows, by_key) {
  const std::string by = "$riffle sum --by k --column n ";
  const std::string stats = "count\tmin\tmax\tsum\tmean\t";
  expect_rows(
      {{by + "a", "3.5\tx\n-2\t\n1\t\"y\tz\"\n"},
       {by + "a missing b", "3.5\tx\n18\t\n1\t\"y\tz\"\n0\tb\n",
        "riffle: cannot open 'missing': No such file or directory\n", 1},
       {by + "a bad.csv b | head -2", "3.5\tx\n18\t\n",
        testing::HasSubstr("column 'n' of row 2 is no number: 'u'"), 1},
       {by + "--bad-rows skip bad.csv", "5\tx\n0\tw\n", testing::HasSubstr("skipped 2 rows"), 1},
       {"$riffle sum --by 1 --column 2 e", ""},
       {"$riffle sum --by 1 --column 2 --stats e", stats + "1\n"},
       {by + "--stats a", stats + "k\n2\t1.5\t2\t3.5\t1.75\tx\n1\t-2\t-2\t-2\t-2\t\n"
                                  "1\t1\t1\t1\t1\t\"y\tz\"\n"},
       {by + "--null 2 --stats a | tail -n +2 | cut -f 1-4,6",
        "1\t1.5\t1.5\t1.5\t1\n1\t-2\t-2\t-2\t0\n1\t1\t1\t1\t0\n"},
       {by + "--null -2 --stats a | sed -n 3p", "0\t-\t-\t0\t-\t1\t\n"},
       {by + "--top 1 a b", "18\t\n"},
       {by + "--top 9 a | tail -1", "-2\t\n"},
       {by + "--json a", json_lines("{\"value\":\"x\",\"sum\":3.5}\n{\"value\":\"\",\"sum\":-2}\n"
                                    "{\"value\":\"y\\u0009z\",\"sum\":1}\n")},
       {"$riffle sum --by k,2 --columns n,2 --json --top 1 --header a",
        json_lines("{\"value1\":\"x\",\"value2\":\"2\",\"columns\":[{\"column\":\"n\",\"sum\":2},"
                   "{\"column\":\"2\",\"sum\":2}]}\n")},
       {"$riffle sum --by 1,2 --columns n,2 --stats a | cut -f 4,5,6,9-12 | head -2",
        "n.sum\tn.mean\t2.count\t2.sum\t2.mean\t1\t2\n1.5\t1.5\t1\t1.5\t1.5\tx\t1.5\n"},
       {"$riffle sum --header --by 1 --column 2 a other", "3.5\tx\n-2\t\n1\t\"y\tz\"\n",
        testing::HasSubstr("name the columns in --by and --column"), 1},
       {"$riffle sum --by k --column n --type u64 big", "5\tb\n",
        "riffle: cannot sum the numbers of a: the sum does not fit u64; use --type f64\n", 1},
       {"$riffle sum --by 3 --column 1 --bad-rows skip a", "", testing::HasSubstr("skipped 5 rows"), 1},
       {by + "--max-memory 17300 many", "",
        "riffle: cannot sum 'many': 14 distinct keys take all the memory that they may; set a larger "
        "--max-memory, or sum less at a time\n",
        1},
       {by + "--total only a", "", testing::HasSubstr("--by sums over all files; leave out --total"), 2},
       {"$riffle sum --by k --type u8 a", "", testing::HasSubstr("--by"), 2},
       {"$riffle sum --column n --top 3 a", "", testing::HasSubstr("--by"), 2}},
      R"(printf 'k,n\nx,1.5\n,-2\n"x",2\n"y\tz",1\n' > a; printf 'k,n\n,20\nb,-0\n' > b; : > e
         printf 'k,n\nx,5\nt,u\nv\nw,0\n' > bad.csv; printf 'n,k\n1,2\n' > other
         printf 'k,n\na,18446744073709551615\nb,5\na,1\n' > big
         { echo k,n; seq 100 | sed 's/.*/k&,&/'; } > many)");
}

TEST_F(sum_rows, by_key_are_the_same_for_every_thread_and_way_of_reading) {
  const std::string cut = " | sort -t $'\\t' -k 2 | cmp - truth";
  std::vector<command_row> rows;
  for (const char* how : {"--threads 1", "--threads 3", "--threads 1 --block-size 5000 - <",
                          "--threads 3 --method read", "--decode gzip < keys.gz", "< <(cat keys)"}) {
    const std::string file = std::string(how).find('<') == std::string::npos ? " keys"
                             : std::string(how).ends_with('<')               ? " keys"
                                                                             : "";
    rows.push_back({"$riffle sum --by 1 --column 2 " + std::string(how) + file + cut});
  }
  expect_rows(rows, R"(seq 300000 | awk '{ print (NR * 7919) % 100003 "," NR }' > keys; gzip -1 -k keys
                       awk -F, -v OFS='\t' '{ s[$1] += $2 } END { for (k in s) print s[k], k }' keys | sort -t $'\t' -k 2 > truth)");
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
                   "6666666666666666}\n"),
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

using cli::number;
using cli::sum_row;

// Equal to the last bit; a NaN equals a NaN.
bool same(const number& one, const number& other) {
  const auto is_nan = [](const number& value) {
    return std::visit(
        []<class T>(T known) {
          if constexpr (std::is_floating_point_v<T>) return std::isnan(known);
          return false;
        },
        value);
  };
  return one.index() == other.index() && (one == other || (is_nan(one) && is_nan(other)));
}

::testing::AssertionResult same(const sum_row& one, const sum_row& other) {
  for (const auto& [name, value] :
       {std::pair("count", &sum_row::count), std::pair("min", &sum_row::min), std::pair("max", &sum_row::max),
        std::pair("sum", &sum_row::sum), std::pair("mean", &sum_row::mean)}) {
    if (!same(one.*value, other.*value)) return ::testing::AssertionFailure() << name << " differs";
  }
  return ::testing::AssertionSuccess();
}

// By the documented order: 32 partial sums, halved until one is left.
template <class T>
double float_sum(const std::vector<T>& values) {
  std::array<double, 32> lanes{};
  for (std::size_t i = 0; i < values.size(); ++i) lanes[i % 32] += static_cast<double>(values[i]);
  for (std::size_t half = 16; half != 0; half /= 2) {
    for (std::size_t i = 0; i < half; ++i) lanes[i] += lanes[i + half];
  }
  return lanes[0];
}

template <class T>
sum_row naive_row(const std::vector<T>& values) {
  std::vector<T> numbers;
  for (const T value : values) {
    if (value == value) numbers.push_back(value);
  }
  std::ranges::sort(numbers);
  sum_row row{.count = std::uint64_t{values.size()}};
  if (std::is_floating_point_v<T> && !values.empty()) {
    row.min = row.max = number(std::in_place_type<std::conditional_t<sizeof(T) == 4, float, double>>, NAN);
  }
  if (!numbers.empty()) {
    row.min = cli::as_number(numbers.front());
    row.max = cli::as_number(numbers.back());
  }
  if constexpr (std::is_floating_point_v<T>) {
    const double sum = float_sum(values);
    row.sum = sum;
    if (!values.empty()) row.mean = sum / static_cast<double>(values.size());
  } else {
    sum_t<T> sum = 0;
    for (const T value : values) sum += value;
    row.sum = cli::as_number(sum);
    const auto size = static_cast<std::uint64_t>(sum < 0 ? -sum : sum);
    if (!values.empty()) row.mean = detail::quotient(size, values.size()) * (sum < 0 ? -1 : 1);
  }
  return row;
}

// Few enough bits that no sum of 64-bit integers overflows; of floats any bits.
template <class T>
std::vector<T> drawn(std::size_t count, std::mt19937_64& random) {
  std::vector<T> values(count);
  for (T& value : values) {
    const std::uint64_t bits = random();
    if constexpr (std::is_floating_point_v<T>) {
      const std::array<T, 4> special{T{0}, -T{0}, std::numeric_limits<T>::infinity(),
                                     std::numeric_limits<T>::quiet_NaN()};
      value = bits % 50 == 0 ? special[bits / 50 % 4]
                             : static_cast<T>(std::ldexp(static_cast<double>(bits >> 12U) - 0x1p51,
                                                         static_cast<int>(bits % 40)));
    } else if constexpr (std::is_signed_v<T>) {
      value = static_cast<T>(static_cast<std::int64_t>(bits) >> 12U);
    } else {
      value = static_cast<T>(bits >> 12U);
    }
  }
  return values;
}

template <class T>
std::string bytes_of(const std::vector<T>& values, std::endian order) {
  const std::string_view bytes(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  return naive_values(bytes, sizeof(T), order != std::endian::native);
}

cli::sum_arguments stats_of(std::string_view type, std::endian order, const read_options& reading) {
  cli::sum_arguments given;
  given.type = &*std::ranges::find(cli::number_types(), type, &cli::number_type::name);
  given.order = order;
  given.stats = true;
  given.options = reading;
  return given;
}

template <class T>
void expect_stats(std::string_view type) {
  std::mt19937_64 random(2026);
  for (const std::size_t count : {0U, 1U, 2U, 31U, 33U, 100U, 3000U}) {
    const std::vector<T> values = drawn<T>(count, random);
    const sum_row expected = naive_row(values);
    for (const std::endian order : {std::endian::little, std::endian::big}) {
      const temporary_file file(bytes_of(values, order));
      for (const method each : usable_methods()) {
        for (const std::size_t size : {0U, 1U, 3U, 5U, 7U, 8U, 63U, 64U, 4096U}) {
          if (size * 100 < values.size() * sizeof(T) && size != 0) continue;  // thousands of system calls
          const cli::sum_arguments given = stats_of(type, order, {.method = each, .block_size = size});
          const sum_row found =
              given.type->start(given)->sum(source(file.path(), given.options), false, {}).rows.front();
          ASSERT_TRUE(same(found, expected))
              << type << ", " << count << " numbers, " << name_of(each) << ", blocks of " << size;
        }
      }
    }
  }
}

TEST(sum_stats, of_integers_by_every_way_of_reading) {
  expect_stats<std::uint8_t>("u8");
  expect_stats<std::int8_t>("i8");
  expect_stats<std::uint16_t>("u16");
  expect_stats<std::int16_t>("i16");
  expect_stats<std::uint32_t>("u32");
  expect_stats<std::int32_t>("i32");
  expect_stats<std::uint64_t>("u64");
  expect_stats<std::int64_t>("i64");
}

TEST(sum_stats, of_floats_by_every_way_of_reading) {
  expect_stats<float>("f32");
  expect_stats<double>("f64");
}

// Python's fractions are exact, and float() rounds once.
TEST(sum_stats, rounds_the_mean_once) {
  if (shell("command -v python3").status != 0) GTEST_SKIP() << "python3 is not here";
  const temporary_file file;
  std::ofstream out(file.path());
  std::mt19937_64 random(9);
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t dividend = random() >> random() % 64;
    const std::uint64_t divisor = (random() >> (1 + random() % 63)) | 1U;
    out << dividend << ' ' << divisor << ' ' << std::hexfloat << detail::quotient(dividend, divisor)
        << std::dec << '\n';
  }
  out.close();
  const shell_result result = shell(
      "python3 -c 'import sys; from fractions import Fraction\n"
      "for a, b, c in map(str.split, open(sys.argv[1])):\n"
      "    assert float(Fraction(int(a), int(b))) == float.fromhex(c), (a, b, c)' " +
      file.path().string());
  EXPECT_EQ(result.status, 0) << result.err;
}

}  // namespace
}  // namespace riffle::test
