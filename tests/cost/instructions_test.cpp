/// No test asserts a time, but a hot loop that takes twice the instructions fails here.
#include <riffle/kernels.hpp>

#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace {

using riffle::test::shell;
using riffle::test::temporary_directory;

// Callgrind's count of the whole program for one loop over
// one file; it knows no AVX-512. The answer is checked.
double instructions(const std::string& loop, const std::filesystem::path& file, const std::string& answer) {
  const std::string counts = file.string() + ".callgrind";
  const auto run = shell("RIFFLE_KERNEL=avx2 valgrind --tool=callgrind --callgrind-out-file=" + counts +
                         " $programs/riffle-hot-loops " + loop + " " + file.string());
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.out, answer + "\n");
  const auto summary = shell("sed -n 's/^summary: //p' " + counts);
  EXPECT_NE(summary.out, "");
  return std::strtod(summary.out.c_str(), nullptr);
}

const std::string line = "twelve words or so make a line of text that is 64 bytes long  .\n";

template <class T>
T value_at(std::string_view bytes, std::size_t place) {
  T value;
  std::memcpy(&value, bytes.data() + place, sizeof(T));
  return value;
}

std::uint64_t sum_of_values(std::string_view bytes) {
  std::uint64_t sum = 0;
  for (std::size_t at = 0; at != bytes.size(); at += 4) sum += value_at<std::uint32_t>(bytes, at);
  return sum;
}

// Of records with 32, 16 and 16 bits.
std::uint64_t sum_of_gets(std::string_view bytes) {
  std::uint64_t sum = 0;
  for (std::size_t at = 0; at != bytes.size(); at += 8) {
    sum += std::uint64_t{value_at<std::uint32_t>(bytes, at)} + value_at<std::uint16_t>(bytes, at + 4) +
           value_at<std::uint16_t>(bytes, at + 6);
  }
  return sum;
}

struct hot_loop {
  const char* name;
  double most;           // instructions for each byte (newlines, words), line, row, value or record
  std::size_t record;    // bytes for each thing counted
  std::uint64_t answer;  // for each line
};

class hot_loops : public testing::TestWithParam<hot_loop> {};

// Why instructions cannot be counted here; empty if they can.
std::string why_not() {
  if (riffle::test::build::instrumented) return "a sanitizer or the coverage adds instructions of its own";
  if (shell("command -v valgrind").status != 0) return "valgrind is not installed";
  const auto kernels = riffle::kernels();
  const auto is_avx2 = [](const auto& kernel) { return std::string(kernel.name) == "avx2"; };
  return std::ranges::any_of(kernels, is_avx2) ? "" : "this processor has no AVX2";
}

// Two sizes, and the difference between them: what the program takes to start does not count.
TEST_P(hot_loops, take_few_instructions) {
  if (const std::string reason = why_not(); !reason.empty()) GTEST_SKIP() << reason;
  const temporary_directory folder;
  ASSERT_EQ(line.size(), 64U);
  double counted[2] = {};
  constexpr std::size_t lines[2] = {16 * 1024, 48 * 1024};
  for (std::size_t i = 0; i < 2; ++i) {
    const auto file = folder.path() / std::to_string(lines[i]);
    std::ofstream out(file);
    for (std::size_t n = 0; n < lines[i]; ++n) out << line;
    out.close();
    counted[i] = instructions(GetParam().name, file, std::to_string(lines[i] * GetParam().answer));
  }
  const double records = static_cast<double>((lines[1] - lines[0]) * 64 / GetParam().record);
  const double each = (counted[1] - counted[0]) / records;
  RecordProperty("instructions", std::to_string(each));
  EXPECT_LT(each, GetParam().most);
  EXPECT_GT(each, 0);
}

INSTANTIATE_TEST_SUITE_P(all, hot_loops,
                         testing::Values(hot_loop{"newlines", 0.3, 1, 1},                // 0.15 when written
                                         hot_loop{"words", 0.6, 1, 15},                  // 0.31
                                         hot_loop{"lines", 75, 64, 63},                  // 45
                                         hot_loop{"lines-of-c", 75, 64, 63},             // 47
                                         hot_loop{"values", 6, 4, sum_of_values(line)},  // 5
                                         hot_loop{"gets", 20, 8, sum_of_gets(line)},     // 16
                                         hot_loop{"fields", 450, 64, 48},  // 322 for a line of 16 fields
                                         hot_loop{"split", 600, 64, 16},   // 443
                                         hot_loop{"rows", 250, 64, 2},     // 165, of 15 fields: the fourth
                                         hot_loop{"quoted-rows", 330, 64, 2}),  // 224
                         [](const auto& instance) {
                           std::string name = instance.param.name;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

// The C library decodes such an encoding character by character, but not its runs of ASCII.
TEST(wc_of_another_encoding, takes_few_instructions_for_ascii) {
  if (const std::string reason = why_not(); !reason.empty()) GTEST_SKIP() << reason;
  const temporary_directory folder;
  const std::string in = "cd " + folder.path().string() + " && ";
  if (shell(in + "localedef -i ko_KR -f EUC-KR ./ko_KR.EUC-KR 2> said; test -d ko_KR.EUC-KR").status != 0) {
    GTEST_SKIP() << "localedef cannot make the locale ko_KR.EUC-KR";
  }
  double counted[2] = {};
  for (const std::size_t i : {0U, 1U}) {
    const std::string size = std::to_string((1 + i) << 20U);
    const auto run = shell(in + "head -c " + size +
                           " /dev/zero > zeros && LOCPATH=. LC_ALL=ko_KR.EUC-KR RIFFLE_KERNEL=avx2 valgrind "
                           "--tool=callgrind --callgrind-out-file=counts $riffle wc -lwmL zeros");
    EXPECT_EQ(run.out, "      0       1 " + size + "       0 zeros\n") << run.err;
    const auto summary = shell(in + "sed -n 's/^summary: //p' counts");
    counted[i] = std::strtod(summary.out.c_str(), nullptr);
  }
  const double each = (counted[1] - counted[0]) / (1U << 20U);
  RecordProperty("instructions", std::to_string(each));
  EXPECT_LT(each, 16);  // 9.7 when written, 49 character by character
  EXPECT_GT(each, 0);
}

}  // namespace
