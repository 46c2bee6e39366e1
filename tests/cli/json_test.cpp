/// Each line of `--json` is one object that any parser of JSON reads back to what was counted.
#include "cli/json.hpp"

#include <gmock/gmock.h>

#include <bit>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"
#include "text/columns.hpp"

namespace riffle::test {
namespace {

using nlohmann::json;
using testing::_;

bool is_utf8(const std::string& text) {
  try {
    static_cast<void>(json(text).dump());
    return true;
  } catch (const json::type_error&) {
    return false;
  }
}

std::string in_hexadecimal(const std::string& bytes) {
  std::ostringstream text;
  for (const char each : bytes) {
    const auto byte = static_cast<unsigned char>(each);
    text << "0123456789abcdef"[byte / 16] << "0123456789abcdef"[byte % 16];
  }
  return text.str();
}

void expect_name(const json& row, const std::string& name) {
  EXPECT_EQ(row.at("file"), text::as_utf8(name));
  EXPECT_EQ(row.contains("file_bytes"), !is_utf8(name)) << row;
  EXPECT_EQ(row.value("file_bytes", ""), is_utf8(name) ? "" : in_hexadecimal(name));
}

TEST(json_row, holds_every_name) {
  std::vector<std::string> names{"",     "é€😀",     "\"",           "\\",          "\\u0041",
                                 "a\nb", "\xE2\x82", "\xED\xA0\x80", "\xEF\xBF\xBD"};
  for (int byte = 0; byte < 256; ++byte) {
    for (const char* around : {"", "x", "\\", "\"", "\xC3"}) {
      names.push_back(std::string(around) + static_cast<char>(byte) + around);
    }
  }
  for (unsigned seed = 0; seed < 500; ++seed) names.push_back(random_text(seed % 20, seed));
  for (const std::string& name : names) {
    const std::string line = cli::json_row::of_file(name).add("text", name).line();
    EXPECT_EQ(line.find('\n'), line.size() - 1);
    const json row = json::parse(line);
    expect_name(row, name);
    EXPECT_EQ(row.at("text"), text::as_utf8(name));
  }
}

TEST(json_row, holds_integers_exactly) {
  const auto least = std::numeric_limits<std::int64_t>::min();
  const auto most = std::numeric_limits<std::uint64_t>::max();
  const json row = json::parse(cli::json_row().add("least", least).add("most", most).add("small", 0).line());
  EXPECT_EQ(row.at("least").get<std::int64_t>(), least);
  EXPECT_EQ(row.at("most").get<std::uint64_t>(), most);
  EXPECT_EQ(row.at("small"), 0);
}

TEST(json_row, holds_floats_that_read_back) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 10000; ++i) {
    const auto bits = random();
    const auto number = std::bit_cast<double>(bits);
    const auto single = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    const json row = json::parse(cli::json_row().add("f64", number).add("f32", single).line());
    ASSERT_EQ(row.at("f64").is_null(), !std::isfinite(number)) << row;
    ASSERT_EQ(row.at("f32").is_null(), !std::isfinite(single)) << row;
    if (std::isfinite(number)) {
      ASSERT_EQ(row.at("f64").get<double>(), number);
    }
    if (std::isfinite(single)) {
      ASSERT_EQ(static_cast<float>(row.at("f32").get<double>()), single);
    }
  }
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(
      cli::json_row().add("a", infinity).add("b", -infinity).add("c", std::nan("")).add_null("d").line(),
      "{\"a\":null,\"b\":null,\"c\":null,\"d\":null}\n");
  EXPECT_EQ(cli::json_row().add("a", 0.1F).add("b", 1e300).add("c", 3.0).line(),
            "{\"a\":0.1,\"b\":1e+300,\"c\":3}\n");
}

TEST(json, rows_of_wc) {
  expect_rows(
      {{"wc --json a", "{\"file\":\"a\",\"lines\":2,\"words\":3,\"bytes\":10}\n"},
       {"$riffle wc --json a", "{\"file\":\"a\",\"lines\":2,\"words\":3,\"bytes\":10}\n"},
       {"wc --json -L -m -c -w -l a",
        "{\"file\":\"a\",\"lines\":2,\"words\":3,\"chars\":10,\"bytes\":10,\"max_line_length\":7}\n"},
       {"wc --json -c < b", "{\"file\":\"-\",\"bytes\":3}\n"},
       {"wc --json -l a b",
        "{\"file\":\"a\",\"lines\":2}\n{\"file\":\"b\",\"lines\":1}\n{\"total\":true,\"files\":2,"
        "\"lines\":3}\n"},
       {"wc --json -l --total=always b",
        "{\"file\":\"b\",\"lines\":1}\n{\"total\":true,\"files\":1,\"lines\":1}\n"},
       {"wc --json -L --total=only a b", "{\"total\":true,\"files\":2,\"max_line_length\":7}\n"},
       {"wc --json -l --total=never a b", "{\"file\":\"a\",\"lines\":2}\n{\"file\":\"b\",\"lines\":1}\n"},
       {"printf 'a\\0b\\0' | wc --json -l --files0-from=- --total=only",
        "{\"total\":true,\"files\":2,\"lines\":3}\n"},
       {"wc --json -l missing b", "{\"file\":\"b\",\"lines\":1}\n{\"total\":true,\"files\":1,\"lines\":1}\n",
        _, 1},
       {"wc --json -l d", "{\"file\":\"d\",\"lines\":0}\n", _, 1},
       {"wc --json -l $'x\\xff'", "{\"file\":\"x\uFFFD\",\"file_bytes\":\"78ff\",\"lines\":0}\n"},
       {"$riffle count --lines --per-line --json b missing b",
        "{\"file\":\"b\",\"count\":0,\"lines\":1}\n{\"file\":\"b\",\"count\":0,\"lines\":1}\n"
        "{\"total\":true,\"files\":2,\"count\":0,\"lines\":2}\n",
        _, 1},
       {"$riffle count --fastq --json q missing q | tail -1",
        "{\"total\":true,\"files\":2,\"quality\":40,\"bases\":2}\n", _, 1},
       {"wc --j a", "", _, 1}},
      ": > $'x\\xff'; printf '@r\\nA\\n+\\nI\\n' > q");
}

}  // namespace
}  // namespace riffle::test
