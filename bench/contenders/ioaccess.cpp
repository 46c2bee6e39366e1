/// The contenders of ioaccess (Daniel Lemire, 2012) and those that its readers asked for: read, fread with
/// three buffers, ifstream, and the mappings with and without hints; on its arrays, on bytes and on lines.
#include <cstdio>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "bench/contenders/block_loops.hpp"
#include "bench/contenders/raw_input.hpp"
#include "bench/contenders/registry.hpp"
#include "bench/contenders/scans.hpp"

namespace riffle::bench {

namespace {

using std::filesystem::path;

// Weighs the arrays that `get(into, size)` reads, which returns the bytes it got: 0 at the end. A length is
// trusted only as far as the file is long, so that a wrong one cannot ask for all memory.
template <class Get>
answer weigh_arrays(const path& name, std::uint64_t file_size, Get get) {
  answer total;
  std::vector<std::int32_t> array;
  std::uint64_t offset = 0;
  std::int32_t length = 0;
  while (const std::size_t got = get(&length, sizeof length)) {
    if (got != sizeof length || length < 0) fail_on_format(name, offset);
    const std::size_t size = static_cast<std::size_t>(length) * sizeof(std::int32_t);
    if (size > file_size - offset - sizeof length) fail_on_format(name, offset);
    array.resize(static_cast<std::size_t>(length));
    if (get(array.data(), size) != size) fail_on_format(name, offset);
    total += {1, weigh(array)};
    offset += sizeof length + size;
  }
  return total;
}

template <std::size_t buffer_size>
answer ints_fread(const path& name) {
  const stdio_file file(name, buffer_size);
  const answer total =
      weigh_arrays(name, std::filesystem::file_size(name),
                   [&](void* into, std::size_t size) { return std::fread(into, 1, size, file.get()); });
  file.check();
  return total;
}

answer ints_ifstream(const path& name) {
  std::ifstream in = open_ifstream(name);
  const answer total =
      weigh_arrays(name, std::filesystem::file_size(name), [&](void* into, std::size_t size) {
        in.read(static_cast<char*>(into), static_cast<std::streamsize>(size));
        return static_cast<std::size_t>(in.gcount());
      });
  check(in, name);
  return total;
}

answer ints_read_two_calls(const path& name) {
  const descriptor file(name);
  return weigh_arrays(name, file.size(),
                      [&](void* into, std::size_t size) { return file.read_full(into, size); });
}

// The `read` with a proper buffer, partial reads handled, that the comments ask for.
template <std::size_t capacity>
answer ints_read_buffered(const path& name) {
  const descriptor file(name);
  const auto buffer = std::make_unique_for_overwrite<char[]>(capacity);
  std::size_t at = 0;
  std::size_t end = 0;
  return weigh_arrays(name, file.size(), [&](void* into, std::size_t size) {
    std::size_t done = 0;
    while (done < size) {
      if (at == end) {
        at = 0;
        end = file.read(buffer.get(), capacity);
        if (end == 0) break;
      }
      const std::size_t part = std::min(size - done, end - at);
      std::memcpy(static_cast<char*>(into) + done, buffer.get() + at, part);
      at += part;
      done += part;
    }
    return done;
  });
}

template <const map_how& how>
answer ints_mmap(const path& name) {
  const whole_mapping file(name, how);
  return weigh_whole(file.bytes(), name);
}

constexpr row int_rows[] = {
    {"fread", by::stdio, "fread of each length and array, default buffer", ints_fread<0>},
    {"fread-4K", by::stdio, "fread with a 4 KiB buffer", ints_fread<4 * kib>, 4 * kib},
    {"fread-32M", by::stdio, "fread with a 32 MiB buffer", ints_fread<32 * mib>, 32 * mib},
    {"read-two-calls", by::read, "two calls of read(2) an array", ints_read_two_calls},
    {"read-64K", by::read, "read(2) into a 64 KiB buffer", ints_read_buffered<64 * kib>, 64 * kib},
    {"ifstream-read", by::iostream, "ifstream::read of each length and array", ints_ifstream},
    {"mmap", by::mmap, "one mapping, MAP_PRIVATE", ints_mmap<map_plain>},
    {"mmap-populate", by::mmap, "MAP_POPULATE", ints_mmap<map_populated>},
    {"mmap-fancy", by::mmap, "madvise SEQUENTIAL and WILLNEED, two calls", ints_mmap<map_advised>},
    {"mmap-fancy-as-published", by::mmap, "MAP_POPULATE, madvise SEQUENTIAL|WILLNEED in one call",
     ints_mmap<map_joined_hints>},
    {"mmap-shared", by::mmap, "MAP_SHARED", ints_mmap<map_shared>},
    {"mmap-fancy-shared", by::mmap, "MAP_SHARED, madvise SEQUENTIAL and WILLNEED",
     ints_mmap<map_advised_shared>},
};

}  // namespace

void add_ioaccess(task which, std::vector<contender>& to) {
  if (which == task::ints) add_rows(which, "ioaccess", int_rows, to);
  if (which == task::gc) add_rows(which, "ioaccess", block_rows<task::gc>, to);
  if (which == task::lines) add_rows(which, "ioaccess", block_rows<task::lines>, to);
}

}  // namespace riffle::bench
