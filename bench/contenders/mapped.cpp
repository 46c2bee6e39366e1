/// The contenders of "Memory mapped files" (Glen Dayton, 2022): 64-bit primes by ifstream::read and by
/// walking a mapping. Unlike there, the walk touches each value.
#include <cstdio>
#include <memory>

#include "bench/contenders/block_loops.hpp"
#include "bench/contenders/raw_input.hpp"
#include "bench/contenders/registry.hpp"
#include "bench/contenders/scans.hpp"

namespace riffle::bench {

namespace {

using std::filesystem::path;

constexpr std::size_t value_size = sizeof(std::uint64_t);

answer ifstream_values(const path& name) {
  std::ifstream in = open_ifstream(name);
  answer total;
  std::uint64_t value = 0;
  while (in.read(static_cast<char*>(static_cast<void*>(&value)), value_size)) total += {1, value};
  if (in.gcount() != 0) fail_on_format(name, total.count * value_size);
  check(in, name);
  return total;
}

answer read_values(const path& name) {
  constexpr std::size_t capacity = 64 * kib;
  const descriptor file(name);
  const auto values = std::make_unique_for_overwrite<std::uint64_t[]>(capacity / value_size);
  answer total;
  while (const std::size_t got = file.read_full(values.get(), capacity)) {
    if (got % value_size != 0) fail_on_format(name, (total.count + got / value_size) * value_size);
    total += {got / value_size, sum_of({values.get(), got / value_size})};
  }
  return total;
}

template <const map_how& how>
answer mmap_values(const path& name) {
  const whole_mapping file(name, how);
  const std::size_t size = file.bytes().size();
  if (size % value_size != 0) fail_on_format(name, size / value_size * value_size);
  return sum_values(file.bytes());
}

constexpr row prime_rows[] = {
    {"ifstream-read-8", by::iostream, "ifstream::read of 8 bytes at a time", ifstream_values},
    {"read-64K", by::read, "read(2) into 64 KiB", read_values, 64 * kib},
    {"mmap", by::mmap, "one mapping walked, every value touched", mmap_values<map_plain>},
    {"mmap-populate", by::mmap, "MAP_POPULATE", mmap_values<map_populated>, 0, no_populate},
};

}  // namespace

void add_mapped(task which, std::vector<contender>& to) {
  if (which == task::primes) add_rows(which, "mapped", prime_rows, to);
}

}  // namespace riffle::bench
