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

// Counts and sums the values that `get(into)` reads one by one; it returns the bytes it got: 0 at the end.
template <class Get>
answer one_by_one(const path& name, Get get) {
  answer total;
  std::uint64_t value = 0;
  while (const std::size_t got = get(&value)) {
    if (got != value_size) fail_on_format(name, total.count * value_size);
    total += {1, value};
  }
  return total;
}

answer ifstream_values(const path& name) {
  std::ifstream in = open_ifstream(name);
  const answer total = one_by_one(name, [&](void* into) {
    in.read(static_cast<char*>(into), value_size);
    return static_cast<std::size_t>(in.gcount());
  });
  check(in, name);
  return total;
}

answer fread_values(const path& name) {
  const stdio_file file(name);
  const answer total =
      one_by_one(name, [&](void* into) { return std::fread(into, 1, value_size, file.get()); });
  file.check();
  return total;
}

template <std::size_t capacity>
answer read_values(const path& name) {
  const descriptor file(name);
  const auto values = std::make_unique_for_overwrite<std::uint64_t[]>(capacity / value_size);
  answer total;
  while (const std::size_t got = file.read_full(values.get(), capacity)) {
    if (got % value_size != 0) fail_on_format(name, (total.count + got / value_size) * value_size);
    total += {got / value_size, sum_of({values.get(), got / value_size})};
  }
  return total;
}

// The file's bytes as values; they are at the start of a page or of an allocation, so they are aligned.
answer sum_bytes(const path& name, std::string_view bytes) {
  if (bytes.size() % value_size != 0) fail_on_format(name, bytes.size() / value_size * value_size);
  return sum_values(bytes);
}

answer slurp_values(const path& name) {
  const descriptor file(name);
  const std::size_t size = file.size();
  const auto bytes = std::make_unique_for_overwrite<char[]>(size);
  return sum_bytes(name, {bytes.get(), file.read_full(bytes.get(), size)});
}

template <const map_how& how>
answer mmap_values(const path& name) {
  const whole_mapping file(name, how);
  if (file.bytes().empty()) return {};
  return sum_bytes(name, file.bytes());
}

constexpr row prime_rows[] = {
    {"ifstream-read-8", by::iostream, "ifstream::read of 8 bytes at a time", ifstream_values},
    {"fread-8", by::stdio, "fread of 8 bytes at a time", fread_values},
    {"read-4K", by::read, "read(2) into 4 KiB", read_values<4 * kib>, 4 * kib},
    {"read-64K", by::read, "read(2) into 64 KiB", read_values<64 * kib>, 64 * kib},
    {"read-1M", by::read, "read(2) into 1 MiB", read_values<mib>, mib},
    {"read-whole-file", by::read, "the whole file read into memory first", slurp_values},
    {"mmap", by::mmap, "one mapping walked, every value touched", mmap_values<map_plain>},
    {"mmap-populate", by::mmap, "MAP_POPULATE", mmap_values<map_populated>, 0, no_populate},
    {"mmap-fancy", by::mmap, "madvise SEQUENTIAL and WILLNEED", mmap_values<map_advised>, 0, no_advice},
    {"mmap-shared", by::mmap, "MAP_SHARED", mmap_values<map_shared>},
};

}  // namespace

void add_mapped(task which, std::vector<contender>& to) {
  if (which == task::primes) add_rows(which, "mapped", prime_rows, to);
}

}  // namespace riffle::bench
