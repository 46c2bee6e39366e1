/// The words of the line of progress. What a terminal shows of it is tested by terminal.py.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "cli/reading.hpp"

namespace riffle::test {
namespace {

using cli::progress_text;

constexpr std::uint64_t mib = 1 << 20;

TEST(progress_text, has_what_is_known_and_has_room) {
  EXPECT_EQ(progress_text(512 * mib, 2048 * mib, 5, 80),
            "512.0 MiB of 2.0 GiB (25 %), 102.4 MiB/s, 0:15 left");
  EXPECT_EQ(progress_text(mib, 3724 * mib, 1, 80), "1.0 MiB of 3.6 GiB (0 %), 1.0 MiB/s, 62:03 left");
  EXPECT_EQ(progress_text(1, 3 << 20U, 4, 80), "1 B of 3.0 MiB (0 %), 0 B/s, 209715:08 left");
  EXPECT_EQ(progress_text(0, 1, 1, 80), "0 B of 1 B (0 %), 0 B/s");
  // The size is unknown, or the file grew.
  for (const std::uint64_t total : {std::uint64_t{0}, 4 * mib})
    EXPECT_EQ(progress_text(5 * mib, total, 5, 80), "5.0 MiB, 1.0 MiB/s");
  const std::string all = "1.0 MiB of 2.0 MiB (50 %), 1.0 MiB/s, 0:01 left";
  const auto in_columns = [](std::size_t columns) { return progress_text(mib, 2 * mib, 1, columns); };
  EXPECT_EQ(in_columns(all.size()), all);
  EXPECT_EQ(in_columns(all.size() - 1), "1.0 MiB of 2.0 MiB (50 %), 1.0 MiB/s");
  EXPECT_EQ(in_columns(30), "1.0 MiB of 2.0 MiB (50 %)");
  EXPECT_EQ(in_columns(10), "");
}

}  // namespace
}  // namespace riffle::test
