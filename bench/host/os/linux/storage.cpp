/// `os::storage` on Linux, from /proc and /sys.
#include "bench/host/os/storage.hpp"

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <vector>

#include "bench/host/os/machine_texts.hpp"
#include "bench/host/os/text_file.hpp"
#include "os/file_system.hpp"

namespace riffle::os {

namespace {

using std::filesystem::path;

// By the descriptor's mount, not by stat's device: btrfs gives its subvolumes devices that no list knows.
mount mount_of(const file& opened) {
  const path info = path("/proc/self/fdinfo") / std::to_string(opened.descriptor());
  return mount_in(text_of_file("/proc/self/mountinfo"), field_of(text_of_file(info), "mnt_id"));
}

// A file system over several devices, or over none, has the major number 0; its source may still be one.
std::string block_device_of(const mount& mounted) {
  if (!mounted.numbers.starts_with("0:")) return mounted.numbers;
  struct stat facts{};
  if (!mounted.source.starts_with('/') || stat(mounted.source.c_str(), &facts) != 0) return {};
  if (!S_ISBLK(facts.st_mode)) return {};
  return std::to_string(major(facts.st_rdev)) + ":" + std::to_string(minor(facts.st_rdev));
}

// The directory of the device in /sys; empty if there is none.
path directory_of(const std::string& numbers) {
  std::error_code failure;
  const path found = std::filesystem::canonical("/sys/dev/block/" + numbers, failure);
  return numbers.empty() || failure ? path() : found;
}

std::string device_in(const path& directory) {
  std::error_code ignored;
  const bool partition = std::filesystem::exists(directory / "partition", ignored);
  const path whole = partition ? directory.parent_path() : directory;
  const path driver = std::filesystem::read_symlink(whole / "device/driver", ignored);
  return device_text({.name = directory.filename(),
                      .model = text_of_file(whole / "device/model"),
                      .driver = driver.filename(),
                      .rotational = text_of_file(whole / "queue/rotational")});
}

// A partition has the queue of its disk; a file system without a block device may have a limit of its own.
std::uint64_t read_ahead_of(const path& directory, const mount& mounted) {
  std::vector<path> places{path("/sys/class/bdi") / mounted.numbers};
  if (!directory.empty()) places = {directory / "queue", directory.parent_path() / "queue", places.front()};
  for (const path& place : places) {
    const std::string text = text_of_file(place / "read_ahead_kb");
    if (!text.empty()) return bytes_of(text + "K");
  }
  return 0;
}

}  // namespace

storage storage_of(const file& opened) {
  const mount mounted = mount_of(opened);
  const path directory = directory_of(block_device_of(mounted));
  return {.file_system = mounted.file_system.empty() ? file_system_of(opened) : mounted.file_system,
          .device = directory.empty() ? std::string() : device_in(directory),
          .read_ahead = read_ahead_of(directory, mounted)};
}

}  // namespace riffle::os
