/// The facts beside a result are read out of the kernel's
/// texts; here are such texts, of this and of other machines.
#include <gmock/gmock.h>

#include <atomic>
#include <filesystem>
#include <string>
#include <thread>

#include "bench/host/machine.hpp"
#include "bench/host/os/machine.hpp"
#include "bench/host/os/machine_texts.hpp"
#include "tests/support/build.hpp"
#include "tests/support/support.hpp"

namespace riffle {

using testing::HasSubstr;
using testing::StartsWith;

TEST(machine_texts, give_a_field_by_its_whole_name) {
  const char* const text =
      "MemFree:  99 kB\nMemAvailable:   23411 kB \nflags\t\t: fpu hypervisor\nno colon\nempty:\n";
  EXPECT_EQ(os::field_of(text, "MemAvailable"), "23411 kB");
  EXPECT_EQ(os::field_of(text, "flags"), "fpu hypervisor");
  EXPECT_EQ(os::field_of(text, "Mem"), "");
  EXPECT_EQ(os::field_of(text, "empty"), "");
  EXPECT_EQ(os::field_of("", "flags"), "");
}

TEST(machine_texts, give_sizes_in_bytes) {
  EXPECT_EQ(os::bytes_of("23411 kB"), 23411U << 10);
  EXPECT_EQ(os::bytes_of("36608K"), 36608U << 10);
  EXPECT_EQ(os::bytes_of("2M"), 2U << 20);
  EXPECT_EQ(os::bytes_of("3G"), std::uint64_t{3} << 30);
  EXPECT_EQ(os::bytes_of("512"), 512U);
  for (const char* nothing : {"", "K", "many", "5 apples"}) EXPECT_EQ(os::bytes_of(nothing), 0U) << nothing;
}

TEST(machine_texts, give_the_number_at_a_place) {
  const char* const stat = "cpu  100 1 200 3000 4 5 6 789 0 0\ncpu0 1 2 3";
  EXPECT_EQ(os::number_at(stat, 8), 789);
  EXPECT_EQ(os::number_at("0.52 0.58 0.59 1/467 12345", 0), 0.52);
  EXPECT_EQ(os::number_at("cpu 1 2", 8), 0);
  EXPECT_EQ(os::number_at("", 0), 0);
}

TEST(machine_texts, name_the_caches_of_data) {
  EXPECT_EQ(os::cache_text("1", "Data", "32K"), "L1d 32 KiB");
  EXPECT_EQ(os::cache_text("2", "Unified", "1024K"), "L2 1 MiB");
  EXPECT_EQ(os::cache_text("2", "Unified", "1280K"), "L2 1.25 MiB");
  EXPECT_EQ(os::cache_text("3", "Unified", "36608K"), "L3 35.8 MiB");
  EXPECT_EQ(os::cache_text("1", "Instruction", "32K"), "");
  EXPECT_EQ(os::cache_text("", "", ""), "");
}

TEST(mounts, are_found_by_their_number) {
  const char* const mounts =
      "22 27 0:21 / /proc rw,relatime - proc proc rw\n"
      "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard\n"
      "2 27 0:31 /@home /home rw,noatime shared:5 master:1 - btrfs /dev/sda2 "
      "rw,compress=zstd:3,subvol=/@home\n"
      "31 27 0:41 / /cut - ext4\n";
  const os::mount root = os::mount_in(mounts, "27");
  EXPECT_EQ(root.numbers, "254:0");
  EXPECT_EQ(root.file_system, "ext4");
  EXPECT_EQ(root.source, "/dev/vda");
  const os::mount home = os::mount_in(mounts, "2");  // with optional fields
  EXPECT_EQ(home.file_system, "btrfs");
  EXPECT_EQ(home.source, "/dev/sda2");
  for (const char* missing : {"31", "99", ""})
    EXPECT_EQ(os::mount_in(mounts, missing).file_system, "") << missing;
}

TEST(devices, are_described_by_what_they_say) {
  EXPECT_EQ(os::device_text({.name = "vda", .driver = "virtio_blk", .rotational = "1"}),
            "vda (virtio_blk, rotational)");
  EXPECT_EQ(os::device_text({.name = "nvme0n1", .model = "Samsung SSD", .driver = "nvme", .rotational = "0"}),
            "nvme0n1 (Samsung SSD, not rotational)");
  EXPECT_EQ(os::device_text({.name = "dm-0", .rotational = "0"}), "dm-0 (not rotational)");
  EXPECT_EQ(os::device_text({.name = "loop0"}), "loop0");
  EXPECT_EQ(os::device_text({.rotational = "0"}), "");
}

namespace bench {

TEST(this_machine, states_its_facts) {
  const test::temporary_file file("some bytes");
  const machine facts = this_machine(file.path());
  EXPECT_FALSE(facts.processor.empty());
  EXPECT_GE(facts.processors, 1U);
  EXPECT_GT(facts.memory_available, 0U);
  EXPECT_THAT(facts.os_release, StartsWith("Linux "));
  EXPECT_FALSE(facts.compiler.empty());
  EXPECT_THAT(facts.flags, testing::Not(HasSubstr("-Wall")));
  EXPECT_FALSE(facts.version.empty());
  EXPECT_FALSE(facts.active_kernel.empty());
  EXPECT_FALSE(facts.file_system.empty());
  EXPECT_EQ(facts.file_system, this_machine(file.path().parent_path()).file_system);
}

TEST(this_machine, has_facts_without_an_input) {
  const machine facts = this_machine("/missing/file");
  EXPECT_FALSE(facts.processor.empty());
  EXPECT_EQ(facts.file_system, "");
  EXPECT_EQ(facts.read_ahead, 0U);
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

// What ended before does not count, as it would in the load average.
TEST(load_of_others, is_what_keeps_processors_busy_now) {
  if (!std::filesystem::exists("/proc/stat")) GTEST_SKIP() << "there is no /proc/stat, as on Linux";
  std::atomic<bool> over = false;
  std::thread busy([&over] {
    while (!over) {
    }
  });
  const double load = os::load_of_others();
  over = true;
  busy.join();
  EXPECT_GT(load, 0.2);
  EXPECT_LE(load, os::processors_online() + 0.5);
}

}  // namespace bench

}  // namespace riffle
