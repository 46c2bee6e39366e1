/// The automatic choice on the file systems of Linux.
#include <riffle/methods.hpp>

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace riffle::test {
namespace {

choice chosen_on(const char* file_system, bool keep_cache = true) {
  return choose({.size = std::uint64_t{100} << 20U,
                 .file_system = file_system,
                 .keep_cache = keep_cache,
                 .cached = keep_cache ? std::nullopt : std::optional<double>(0.0)});
}

TEST(choice, reads_what_memory_single_pages_or_another_machine_hold) {
  for (const std::string_view name : {"tmpfs", "ramfs", "btrfs", "squashfs", "nfs", "cifs", "smb2", "fuse"}) {
    const choice made = chosen_on(name.data());
    EXPECT_EQ(made.method, method::read) << name;
    EXPECT_NE(made.reason.find("on " + std::string(name)), std::string::npos) << made.reason;
  }
  for (const std::string_view name : {"tmpfs", "btrfs", "squashfs"}) {
    EXPECT_NE(chosen_on(name.data()).reason.find("where mmap is not faster"), std::string::npos) << name;
  }
  EXPECT_EQ(chosen_on("ext4").method, method::mmap);
}

TEST(choice, goes_past_the_cache_of_another_machine_but_not_past_memory) {
  EXPECT_EQ(chosen_on("fuse", false).method, method::direct);
  EXPECT_EQ(chosen_on("tmpfs", false).method, method::read);
}

}  // namespace
}  // namespace riffle::test
