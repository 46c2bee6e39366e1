/// Splits of compressed files are read by every method and every way to read as parts of the decoded text.
#include <riffle/riffle.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/compress.hpp"
#include "tests/support/posix/ways.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

class each_way_over_splits : public of_container {};
INSTANTIATE_TEST_SUITE_P(formats, each_way_over_splits, testing::ValuesIn([] {
                           std::vector<container> some;
                           for (const container& each : containers()) {
                             if (can_be_split(each)) some.push_back(each);
                           }
                           return some;
                         }()),
                         container_name);

// Lines of 16 bytes, so that a split holds whole values.
std::string lines_of_16_bytes(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i != count; ++i) text += std::to_string(100'000 + i) + ", bb c d,\n";
  return text;
}

TEST_P(each_way_over_splits, gives_what_starts_in_each) {
  const std::string text = lines_of_16_bytes(2000);
  const temporary_file file(in_members(GetParam(), text, 5000));
  for (const std::uint64_t size : {1U, 300U}) {
    const auto parts = splits(file.path(), {.split_size = size, .decode = GetParam().format});
    ASSERT_GT(parts.size(), 2U);
    for (const method used : usable_methods()) {
      std::string before;
      for (const file_split& part : parts) {
        const read_options reading{.method = used, .decode = GetParam().format};
        const std::string bytes = all_of(read_split(part), reading);
        for (const way& how : ways()) {
          SCOPED_TRACE(std::string(name_of(used)) + ", " + std::string(how.name));
          const std::string expected = how.truth(before + bytes).substr(how.truth(before).size());
          delivery got{.reading = reading, .truth = expected};
          how.read(read_split(part), got);
          ASSERT_TRUE(got.bytes == expected) << part.begin << " to " << part.end;
          ASSERT_EQ(got.wrong, "");
        }
        before += bytes;
      }
      ASSERT_TRUE(before == text) << name_of(used);
    }
  }
}

}  // namespace
}  // namespace riffle::test
