/// Reads the sizes of requests from /sys.
#include "os/machine.hpp"

#include <sys/sysmacros.h>

#include <fstream>
#include <optional>
#include <string>

namespace riffle::os {

namespace {

std::optional<std::uint64_t> kibibytes(const std::string& path) {
  std::uint64_t number = 0;
  if (std::ifstream file(path); file >> number) return number * 1024;
  return std::nullopt;
}

}  // namespace

// A network or FUSE file system has an entry under bdi alone, a disk a queue, and a partition that of its
// disk.
request_sizes request_sizes_of(std::uint64_t device) {
  const std::string number = std::to_string(major(device)) + ":" + std::to_string(minor(device));
  const std::string disk = "/sys/dev/block/" + number;
  request_sizes sizes;
  for (const std::string& queue : {disk + "/queue/", disk + "/../queue/"}) {
    if (const auto largest = kibibytes(queue + "max_sectors_kb")) sizes.largest = *largest;
    if (const auto ahead = kibibytes(queue + "read_ahead_kb")) sizes.readahead = *ahead;
  }
  if (const auto ahead = kibibytes("/sys/class/bdi/" + number + "/read_ahead_kb")) sizes.readahead = *ahead;
  return sizes;
}

}  // namespace riffle::os
