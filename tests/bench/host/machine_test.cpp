/// The facts beside a result are read out of the kernel's texts; here are such texts, of this and of other
/// machines. Why slow storage cannot be had is said. A program is found where a shell finds it.

#include <map>

#include "bench/host/command.hpp"
#include "bench/host/machine.hpp"
#include "bench/host/system.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::bench {

using testing::HasSubstr;

TEST(machine_texts, give_fields_by_their_whole_names_sizes_in_bytes_and_caches_of_data) {
  const char* const text =
      "MemFree:  99 kB\nMemAvailable:   23411 kB \nflags\t\t: fpu hypervisor\nno colon\nempty:\n";
  using texts = std::map<std::string, std::string>;
  for (const auto& [name, value] :
       texts{{"MemAvailable", "23411 kB"}, {"flags", "fpu hypervisor"}, {"Mem", ""}, {"empty", ""}})
    EXPECT_EQ(field_of(text, name), value) << name;
  // clang-format off
  for (const auto& [size, bytes] : std::map<const char*, std::uint64_t>{
           {"23411 kB", 23411U << 10}, {"36608K", 36608U << 10}, {"2M", 2U << 20}, {"3G", std::uint64_t{3} << 30},
           {"512", 512}, {"", 0}, {"K", 0}, {"many", 0}, {"5 apples", 0}})
    EXPECT_EQ(bytes_of(size), bytes) << size;
  EXPECT_EQ(cache_text("1", "Data", "32K"), "L1d 32 KiB");
  EXPECT_EQ(cache_text("1", "Instruction", "32K"), "");
  EXPECT_EQ(cache_text("", "", ""), "");
  for (const auto& [size, said] : texts{{"1024K", "L2 1 MiB"}, {"1280K", "L2 1.25 MiB"}, {"36608K", "L2 35.8 MiB"}})
    EXPECT_EQ(cache_text("2", "Unified", size), said);
  // clang-format on
}

TEST(machine_texts, name_mounts_by_their_number) {
  const char* const mounts =
      "22 27 0:21 / /proc rw,relatime - proc proc rw\n"
      "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard\n"
      "2 27 0:31 /@home /home rw,noatime shared:5 master:1 - btrfs /dev/sda2 "
      "rw,compress=zstd:3,subvol=/@home\n"
      "31 27 0:41 / /cut\n";
  const auto named = [&](const char* number) {
    const mount found = mount_in(mounts, number);
    return found.numbers + ' ' + found.file_system + ' ' + found.source;
  };
  EXPECT_EQ(named("27"), "254:0 ext4 /dev/vda");
  EXPECT_EQ(named("2"), "0:31 btrfs /dev/sda2") << "with optional fields";
  for (const char* missing : {"31", "99", ""}) EXPECT_EQ(named(missing), "  ") << missing;
}

TEST(machine_texts, describe_devices_by_what_they_say) {
  EXPECT_EQ(device_text("vda", "", "virtio_blk", "1"), "vda (virtio_blk, rotational)");
  EXPECT_EQ(device_text("nvme0n1", "Samsung SSD", "nvme", "0"), "nvme0n1 (Samsung SSD, not rotational)");
  EXPECT_EQ(device_text("dm-0", "", "", "0"), "dm-0 (not rotational)");
  EXPECT_EQ(device_text("loop0", "", "", ""), "loop0");
}

TEST(this_machine, states_its_facts_and_those_of_an_input) {
  const test::temporary_file file("some bytes");
  const machine facts = this_machine(file.path());
  EXPECT_TRUE(facts.processors != 0 && facts.memory_available != 0);
  EXPECT_THAT(facts.os_release, testing::StartsWith("Linux "));
  EXPECT_THAT(facts.flags, testing::Not(HasSubstr("-Wall")));
  for (const std::string& known :
       {facts.processor, facts.compiler, facts.version, facts.active_kernel, facts.file_system})
    EXPECT_FALSE(known.empty());
  EXPECT_EQ(this_machine("/missing/file").file_system, "");
}

TEST(faults, are_counted_by_the_mib) {
  if (test::build::instrumented) GTEST_SKIP() << "a sanitizer's own memory faults too";
  const test::temporary_file file(std::string(8 << 20, 'x'));
  const double faults = faults_per_mib(file.path()).value();
  EXPECT_GT(faults, 0.1);
  EXPECT_LT(faults, 260) << "pages of 4 KiB, one by one, and a few of the library";
  EXPECT_FALSE(faults_per_mib(test::temporary_file().path())) << "an empty file has no pages";
  EXPECT_FALSE(faults_per_mib("/missing/file"));
  EXPECT_FALSE(faults_per_mib("/"));
}

TEST(slow_storage, repeats_what_the_program_says_if_nothing_is_mounted) {
  const test::temporary_directory place;
  const auto failure = [&](const char* program) {
    try {
      const served_file served("/missing", {.program = program, .latency = 1, .served = 1}, place.path());
    } catch (const std::exception& refused) {
      return std::string(refused.what());
    }
    return std::string("mounted");
  };
  EXPECT_THAT(failure("/bin/false"), HasSubstr("riffle-slow-fs ended at once"));
  EXPECT_THAT(failure("/bin/echo"), HasSubstr("--latency=1 --served=1"));
  if (*test::build::slow_fs != '\0') {
    EXPECT_THAT(failure(test::build::slow_fs), HasSubstr("/missing: No such file"));
  }
  EXPECT_TRUE(std::filesystem::is_empty(place.path()));
}

TEST(a_program, is_no_directory_of_that_name) {
  const auto shell = os::find_program("sh");
  const test::temporary_directory directory;
  std::filesystem::create_directory(directory.path() / "sh");
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", (directory.path().string() + ":" + path).c_str(), 1);
  EXPECT_EQ(os::find_program("sh"), shell);
  ::setenv("PATH", path.c_str(), 1);
}

}  // namespace riffle::bench
