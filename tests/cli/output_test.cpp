/// What the tool says: lines of JSON that any parser reads, and remedies that can be typed.
#include <nlohmann/json.hpp>

#include <bit>
#include <cmath>

#include "cli/command.hpp"
#include "cli/output.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"
#include "text/shown.hpp"

namespace riffle::test {
namespace {

using nlohmann::json;

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

}  // namespace
}  // namespace riffle::test

namespace riffle::cli {
namespace {

struct row {
  remedy helps;
  const char* of_library;
  const command* running;
  const char* typed;
  const char* option = "";  // that is given
};

TEST(remedies, name_what_the_command_has) {
  using enum advice;
  constexpr const char* bound = "set max_length to refuse a record this long";
  constexpr const char* typed_bound = "set --max-length to refuse a record this long";
  constexpr const char* words = "cannot read 'a; set max_length': Is a directory; why";
  for (const row& each : {
           row{{}, "", &cat_command, ""},
           {{use_method, "read"}, "use method::read", &wc_command, "use --method read"},
           {{use_method, "read"}, "use method::read", &advise_command, ""},
           {{use_method}, "use another method", &wc_command, "use another --method"},
           {{use_decoding, "automatic"}, "use decoding::automatic", &wc_command, "use --decode automatic"},
           {{use_blocks},
            "read it with riffle::blocks or another method",
            &cat_command,
            "use another --method"},
           {{smaller_block_size}, "use a smaller block_size", &sum_command, "use a smaller --block-size"},
           {{set_max_length}, bound, &cat_command, typed_bound},
           {{set_max_length}, bound, &wc_command, ""},
           {{set_max_length}, bound, &count_command, ""},
           {{set_max_length}, bound, &count_command, typed_bound, "rows"},
           {{set_max_length}, bound, &freq_command, ""},
           {{set_max_length}, bound, &freq_command, typed_bound, "columns"},
           {{larger_max_length}, "use a larger max_length", &cat_command, "use a larger --max-length"},
           {{larger_max_size}, "use a larger max_size", &wc_command, "use a larger --max-size"},
           {{larger_split_size}, "use a larger split_size", &wc_command, "use fewer --threads"},
           {{fewer_threads}, "use fewer threads", &wc_command, "use fewer --threads"},
           {{fewer_threads}, "use fewer threads", &advise_command, ""},
           {{one_decode_thread}, "open it again, or set decode_threads to 1", &wc_command, ""},
           {{name_null},
            "if it stands for no value, name it in dialect::null and ask for a std::optional",
            &sum_command,
            ""},
           {{fewer_bytes}, "take fewer bytes at a time", &wc_command, ""},
       }) {
    const error failure(std::make_error_code(std::errc::is_a_directory), "read", "a; set max_length",
                        std::nullopt, "why", each.helps);
    EXPECT_EQ(failure.message(), words);
    const auto with = [&](std::string_view remedy) {
      return words + std::string(remedy.empty() ? "" : "; ") + std::string(remedy);
    };
    EXPECT_EQ(failure.what(), with(each.of_library));
    const option given{.name = each.option};
    EXPECT_EQ(as_typed(failure, {each.running, {&given}}), with(each.typed)) << each.running->name;
  }
}

// The line of zstd names another program's options: they are the same in all languages.
TEST(remedies, name_no_option_of_the_tool_in_the_library) {
  const test::shell_result found =
      test::shell(std::string("grep -rnE '\"([^\"]* )?--[a-z]' '") + test::build::sources +
                  "/src' --include=*.cpp --include=*.hpp | grep -v 'zstd -dc'; true");
  EXPECT_EQ(found.out, "");
}

}  // namespace
}  // namespace riffle::cli
