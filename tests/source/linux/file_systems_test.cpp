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
#include <string_view>

#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

choice chosen_on(const char* file_system, bool keep_cache = true) {
  return choose({.size = std::uint64_t{100} << 20U,
                 .file_system = file_system,
                 .keep_cache = keep_cache,
                 .cached = keep_cache ? std::nullopt : std::optional<double>(0.0)});
}

TEST(choice, reads_what_another_machine_holds) {
  for (const std::string_view name : {"nfs", "cifs", "smb2", "fuse"}) {
    const choice made = chosen_on(name.data());
    EXPECT_EQ(made.method, method::read) << name;
    EXPECT_NE(made.reason.find("on " + std::string(name)), std::string::npos) << made.reason;
  }
  for (const char* const name : {"ext4", "btrfs", "squashfs", "tmpfs", "ramfs"})
    EXPECT_EQ(chosen_on(name).method, method::mmap) << name;
}

// A page of a hole that is mapped is a page of the file from then on.
TEST(choice, takes_no_memory_for_the_holes_of_files_in_memory) {
  for (const char* const name : {"tmpfs", "ramfs"}) {
    facts known{.size = std::uint64_t{100} << 20U, .file_system = name, .sparse = true};
    EXPECT_EQ(choose(known).method, method::read) << name;
    EXPECT_NE(choose(known).reason.find("has holes"), std::string::npos) << choose(known).reason;
    known.file_system = "ext4";
    EXPECT_EQ(choose(known).method, method::mmap);
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

TEST(choice, goes_past_the_cache_of_another_machine_but_not_past_memory) {
  EXPECT_EQ(chosen_on("fuse", false).method, method::direct);
  EXPECT_EQ(chosen_on("tmpfs", false).method, method::mmap);
}

}  // namespace
}  // namespace riffle::test
