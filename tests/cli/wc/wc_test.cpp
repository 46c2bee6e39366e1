/// `riffle wc` gives GNU wc's answer by every method.
#include <riffle/methods.hpp>

#include "tests/support/mounts.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

// The name that the bad block cuts is none: another file may have it.
TEST(wc_table, names_before_a_bad_block_are_counted) {
  if (const auto refusal = refusal_of_slow_files()) GTEST_SKIP() << *refusal;
  std::string names;
  for (int i = 0; i != 1000; ++i) {
    for (int j = 0; j != 49; ++j) names += "./";
    names += std::string_view("b\0", 2);
  }
  const slow_file failing(names, {"--eio-at=82000"});
  const std::string list = failing.path().string();
  expect_rows({{"wc -l --total=only --files0-from=" + list, "819\n",
                "wc: " + list + ": read error: Input/output error\n", 1}});
}

// A folder with a few hundred inputs, made once: printable text and white space of every kind, from all
// sparse to all dense.
std::string inputs() {
  static const temporary_directory folder;
  static int number = 0;
  if (number != 0) return folder.path().string();
  std::mt19937 random(20261121);
  const auto add = [](std::string_view text) {
    std::ofstream(folder.path() / ("input" + std::to_string(1000 + number++)), std::ios::binary) << text;
  };
  const auto add_drawn = [&](std::size_t size) {
    constexpr std::string_view white = "\n \t\r\v\f";
    const auto share = random() % 100;
    std::string text(size, '\0');
    for (char& byte : text)
      byte = random() % 100 < share ? white[random() % white.size()] : static_cast<char>('!' + random() % 94);
    add(text);
  };
  for (const std::string_view text :
       {"", "\n", "a", "a\n", " ", "a b", "a  b\n", "\n\n\n", "\r\n", "a\rb", "\va\fb\t"})
    add(text);
  for (std::size_t size = 0; size < 200; ++size) add_drawn(size);
  for (const unsigned size :
       {4095U, 4096U, 4097U, 65535U, 65536U, 65537U, 262143U, 262144U, 262145U, 300000U}) {
    for (int i = 0; i < 5; ++i) add_drawn(size);
  }
  add(std::string(100000, 'x'));
  add(std::string(100000, '\n'));
  return folder.path().string();
}

void expect_as_gnu(const std::string& columns, const std::string& options, const std::string& files) {
  const shell_result ours = shell("$riffle wc " + columns + options + files);
  EXPECT_TRUE(ours.out == shell("wc " + columns + files).out) << columns << options << ours.err;
  EXPECT_EQ(ours.status, 0) << columns << options << ours.err;
}

EACH_METHOD(each_wc_method);

TEST_P(each_wc_method, equals_gnu_by_every_block_size) {
  const std::string by = "--method " + std::string(name_of(GetParam())) + " --block-size ";
  // Blocks of a few bytes have the same borders in all files, and take a system call each.
  for (const char* const size : {"1", "3"})
    expect_as_gnu("", by + size, " $(find " + inputs() + " -type f -size -4098c | sort)");
  for (const char* const size : {"0", "64", "100", "4096", "5000", "64K"})
    expect_as_gnu("", by + size, " " + inputs() + "/*");
}

TEST(wc, equals_gnu_by_automatic_and_threads) {
  for (const char* const columns : {"", "-l", "-w", "-c", "-lw", "-wc", "-lwc"}) {
    for (const char* const threads : {"1", "2", "5", "0"})
      expect_as_gnu(columns, std::string(" --threads ") + threads, " " + inputs() + "/*");
  }
}

}  // namespace
}  // namespace riffle::test
