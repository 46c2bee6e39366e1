/// The automatic choice on the file systems of Linux.
#include <riffle/count.hpp>
#include <riffle/input.hpp>
#include <riffle/methods.hpp>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <optional>
#include <string>

#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

// A page of a hole that is mapped is a page of the file from then on.
TEST(choice, follows_the_file_system) {
  struct {
    const char* file_system;
    method expected;
    std::string deciding;
    bool sparse = false;
    bool keep_cache = true;
  } const rows[] = {
      {"nfs", method::read, "on nfs"},
      {"cifs", method::read, "on cifs"},
      {"smb2", method::read, "on smb2"},
      {"fuse", method::read, "on fuse"},
      {"ext4", method::mmap, ""},
      {"btrfs", method::mmap, ""},
      {"squashfs", method::mmap, ""},
      {"tmpfs", method::mmap, ""},
      {"ramfs", method::mmap, ""},
      {"tmpfs", method::read, "has holes", true},
      {"ramfs", method::read, "has holes", true},
      {"ext4", method::mmap, "", true},
      {"fuse", method::direct, "", false, false},
      {"tmpfs", method::mmap, "", false, false},
  };
  for (const auto& row : rows) {
    const choice made = choose({.size = std::uint64_t{100} << 20U,
                                .file_system = row.file_system,
                                .sparse = row.sparse,
                                .keep_cache = row.keep_cache,
                                .cached = row.keep_cache ? std::nullopt : std::optional<double>(0.0)});
    EXPECT_EQ(made.method, row.expected) << row.file_system;
    EXPECT_NE(made.reason.find(row.deciding), std::string::npos) << made.reason;
  }
}

TEST(choice, reads_the_holes_of_a_file_in_memory_without_filling_them) {
  const owned_descriptor file(::memfd_create("riffle-test", MFD_CLOEXEC));
  ASSERT_GE(file.get(), 0);
  constexpr std::size_t size = std::size_t{16} << 20U;
  ASSERT_EQ(::ftruncate(file.get(), size), 0);
  EXPECT_TRUE(examine(file.get()).sparse);
  EXPECT_EQ(count_lines(file.get()), 0U);
  struct stat facts{};
  ASSERT_EQ(::fstat(file.get(), &facts), 0);
  EXPECT_EQ(facts.st_blocks, 0);

  const std::string text(size, '\n');
  ASSERT_EQ(::pwrite(file.get(), text.data(), size, 0), static_cast<::ssize_t>(size));
  EXPECT_FALSE(examine(file.get()).sparse);
}

}  // namespace
}  // namespace riffle::test
