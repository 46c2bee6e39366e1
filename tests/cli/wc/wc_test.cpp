/// `riffle wc` gives GNU wc's answer, by every method and block size, in files and pipes.
#include <gtest/gtest.h>
#include <riffle/methods.hpp>

#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <string_view>

#include "tests/support/build.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

namespace fs = std::filesystem;

// Printable text and white space of every kind, from all sparse to all dense.
std::string printable(std::mt19937& random, std::size_t size) {
  constexpr std::string_view white = "\n \t\r\v\f";
  const auto share = random() % 100;
  std::string text(size, '\0');
  for (char& byte : text) {
    byte = random() % 100 < share ? white[random() % white.size()] : static_cast<char>('!' + random() % 94);
  }
  return text;
}

// A folder with a few hundred inputs, made once.
class inputs {
 public:
  inputs() {
    std::mt19937 random(20261121);
    int number = 0;
    const auto add = [&](std::string_view text) {
      std::ofstream(folder() / ("input" + std::to_string(1000 + number++)), std::ios::binary) << text;
    };
    for (const std::string_view text :
         {"", "\n", "a", "a\n", " ", "a b", "a  b\n", "\n\n\n", "\r\n", "a\rb", "\va\fb\t"}) {
      add(text);
    }
    for (std::size_t size = 0; size < 200; ++size) add(printable(random, size));
    for (const unsigned size :
         {4095U, 4096U, 4097U, 65535U, 65536U, 65537U, 262143U, 262144U, 262145U, 300000U}) {
      for (int i = 0; i < 5; ++i) add(printable(random, size));
    }
    add(std::string(100000, 'x'));
    add(std::string(100000, '\n'));
  }

  std::string all() const { return folder().string() + "/*"; }
  /// Those of up to 4097 bytes.
  std::string small() const { return "$(find " + folder().string() + " -type f -size -4098c | sort)"; }
  const fs::path& folder() const { return folder_.path(); }

  static const inputs& instance() {
    static const inputs made;
    return made;
  }

 private:
  temporary_directory folder_;
};

class each_wc_method : public testing::TestWithParam<method> {};
INSTANTIATE_TEST_SUITE_P(methods, each_wc_method, testing::ValuesIn(usable_methods()), method_name);

TEST_P(each_wc_method, equals_gnu_by_every_block_size) {
  const method_info* const named = find_method(GetParam());
  const std::string run = std::string("$riffle wc --method ").append(named ? named->name : "automatic");
  for (const std::string_view size :
       {"", "--block-size 1", "--block-size 3", "--block-size 64", "--block-size 100", "--block-size 4096",
        "--block-size 5000", "--block-size 64K"}) {
    // Blocks of a few bytes have the same borders in all files, and take a system call each.
    const std::string files = size == "--block-size 1" || size == "--block-size 3"
                                  ? inputs::instance().small()
                                  : inputs::instance().all();
    const std::string expected = shell("wc " + files).out;
    const std::string command = (run + " ").append(size);
    const shell_result ours = shell(command + " " + files);
    EXPECT_EQ(ours.status, 0) << command << ours.err;
    EXPECT_TRUE(ours.out == expected) << command;
  }
}

TEST(wc, equals_gnu_by_automatic_and_threads) {
  const std::string files = inputs::instance().all();
  for (const char* columns : {"", "-l", "-w", "-c", "-lw", "-wc", "-lwc"}) {
    const std::string expected = shell(std::string("wc ") + columns + " " + files).out;
    for (const char* threads : {"1", "2", "5", "0"}) {
      const shell_result ours =
          shell(std::string("$riffle wc ") + columns + " --threads " + threads + " " + files);
      EXPECT_TRUE(ours.out == expected) << columns << " " << threads << ours.err;
    }
  }
}

TEST(wc, equals_gnu_on_pipes_and_redirections) {
  for (const fs::directory_entry& entry : fs::directory_iterator(inputs::instance().folder())) {
    const std::string name = entry.path().filename().string();
    if (name.back() != '7') continue;  // one in ten: each is three processes
    const std::string file = entry.path().string();
    const std::string piped = shell("cat " + file + " | wc; wc < " + file).out;
    EXPECT_EQ(shell("cat " + file + " | $riffle wc; $riffle wc < " + file).out, piped) << file;
  }
}

TEST(wc, equals_gnu_on_files_of_the_system) {
  const std::string files = "/proc/self/status /etc/passwd /etc/services /usr/include/*.h /proc/version";
  // The columns' widths follow sizes, and those of /proc lie; the numbers must be equal.
  const std::string squeeze = " | tr -s ' ' | sed 's/^ //' | grep -v self/status | grep -v total";
  EXPECT_EQ(shell("$riffle wc " + files + squeeze).out, shell("wc " + files + squeeze).out);
}

TEST(wc, counts_characters_of_utf8) {
  if (shell("LC_ALL=C.UTF-8 locale charmap").out != "UTF-8\n") GTEST_SKIP() << "no UTF-8 locale is installed";
  const std::string text = R"(printf 'na\xc3\xafve \xe2\x82\xac \xf0\x9f\x98\x80\n')";
  EXPECT_EQ(shell(text + " | LC_ALL=C.UTF-8 $riffle wc -m").out, shell(text + " | LC_ALL=C.UTF-8 wc -m").out);
}

TEST(wc, equals_gnu_in_the_middle_of_a_descriptor) {
  const std::string file = (inputs::instance().folder() / "input1060").string();
  EXPECT_EQ(shell("{ head -c 7 > /dev/null; $riffle wc -c; } < " + file).out,
            shell("{ head -c 7 > /dev/null; wc -c; } < " + file).out);
  EXPECT_EQ(shell("{ $riffle wc -w; $riffle wc -w; } < " + file).out,
            shell("{ wc -w; wc -w; } < " + file).out);
}

}  // namespace
}  // namespace riffle::test
