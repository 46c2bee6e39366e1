/// The published programs that read numbers: Lemire's arrays and 64-bit primes.
#include <unistd.h>

#include <array>
#include <atomic>
#include <exception>
#include <future>
#include <new>
#include <thread>
#include <vector>

#include "bench/contenders/published.hpp"
#include "bench/contenders/registry.hpp"
#include "text/typed.hpp"

namespace riffle::bench {

namespace {

using std::filesystem::path;
using text::kib;
using text::mib;

// ---- ioaccess (Daniel Lemire, 2012), and what its readers asked for: read, fread with three buffers,
// ifstream, and the mappings with and without hints

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
  const os::file file = os::file::open(name);
  return weigh_arrays(name, size_of(file), [&](void* into, std::size_t size) {
    return read_full(file, {static_cast<char*>(into), size});
  });
}

// The `read` with a proper buffer, partial reads handled, that the comments ask for.
template <std::size_t capacity>
answer ints_read_buffered(const path& name) {
  const os::file file = os::file::open(name);
  const auto buffer = std::make_unique_for_overwrite<char[]>(capacity);
  std::size_t at = 0;
  std::size_t end = 0;
  return weigh_arrays(name, size_of(file), [&](void* into, std::size_t size) {
    std::size_t done = 0;
    while (done < size) {
      if (at == end) {
        at = 0;
        end = file.read({buffer.get(), capacity}, 0);
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

// At an address that is aligned for the values.
answer weigh_whole(std::string_view bytes, const path& name) {
  const std::span ints(static_cast<const std::int32_t*>(static_cast<const void*>(bytes.data())),
                       bytes.size() / sizeof(std::int32_t));
  if (bytes.size() % sizeof(std::int32_t) != 0) fail_on_format(name, bytes.size());
  answer total;
  for (std::size_t at = 0; at < ints.size();) {
    const auto length = static_cast<std::size_t>(ints[at]);  // a negative one is too long
    if (length > ints.size() - at - 1) fail_on_format(name, at * sizeof(std::int32_t));
    total += {1, weigh(ints.subspan(at + 1, length))};
    at += 1 + length;
  }
  return total;
}

template <int flags, map_hints hints>
answer ints_mmap(const path& name) {
  const whole_mapping file(name, flags, hints);
  return weigh_whole(file.bytes(), name);
}

using enum map_hints;
constexpr contender_row int_rows[] = {
    {"fread", by::stdio, "fread of each length and array, default buffer", ints_fread<0>},
    {"fread-4K", by::stdio, "fread with a 4 KiB buffer", ints_fread<4 * kib>, 4 * kib},
    {"fread-32M", by::stdio, "fread with a 32 MiB buffer", ints_fread<32 * mib>, 32 * mib},
    {"read-two-calls", by::read, "two calls of read(2) an array", ints_read_two_calls},
    {"read-64K", by::read, "read(2) into a 64 KiB buffer", ints_read_buffered<64 * kib>, 64 * kib},
    {"ifstream-read", by::iostream, "ifstream::read of each length and array", ints_ifstream},
    {"mmap", by::mmap, "one mapping, MAP_PRIVATE", ints_mmap<MAP_PRIVATE, none>},
    {"mmap-populate", by::mmap, "MAP_POPULATE", ints_mmap<MAP_PRIVATE | MAP_POPULATE, none>},
    {"mmap-fancy", by::mmap, "madvise SEQUENTIAL and WILLNEED, two calls",
     ints_mmap<MAP_PRIVATE, sequential_then_willneed>},
    {"mmap-fancy-as-published", by::mmap, "MAP_POPULATE, madvise SEQUENTIAL|WILLNEED in one call",
     ints_mmap<MAP_PRIVATE | MAP_POPULATE, joined>},
    {"mmap-shared", by::mmap, "MAP_SHARED", ints_mmap<MAP_SHARED, none>},
    {"mmap-fancy-shared", by::mmap, "MAP_SHARED, madvise SEQUENTIAL and WILLNEED",
     ints_mmap<MAP_SHARED, sequential_then_willneed>},
};

// ---- "Memory mapped files" (Glen Dayton, 2022): ifstream::read, and a walk over a mapping, which unlike
// there touches each value

constexpr std::size_t value_size = sizeof(std::uint64_t);

// At an address that is aligned for the values.
answer sum_values(std::string_view bytes) noexcept {
  const auto* const values = static_cast<const std::uint64_t*>(static_cast<const void*>(bytes.data()));
  const std::size_t count = bytes.size() / value_size;
  std::uint64_t sum = 0;
  for (const std::uint64_t value : std::span(values, count)) sum += value;
  return {count, sum};
}

// The values of a file, which cannot end inside one.
std::size_t size_of_values(const path& name, std::size_t size) {
  if (size % value_size != 0) fail_on_format(name, size / value_size * value_size);
  return size;
}

answer ifstream_values(const path& name) {
  std::ifstream in = open_ifstream(name);
  answer total;
  std::uint64_t value = 0;
  while (in.read(static_cast<char*>(static_cast<void*>(&value)), value_size)) total += {1, value};
  if (in.gcount() != 0) fail_on_format(name, total.count * value_size);
  check(in, name);
  return total;
}

answer mmap_values(const path& name) {
  const whole_mapping file(name);
  size_of_values(name, file.bytes().size());
  return sum_values(file.bytes());
}

constexpr contender_row prime_rows[] = {
    {"ifstream-read-8", by::iostream, "ifstream::read of 8 bytes at a time", ifstream_values},
    {"mmap", by::mmap, "one mapping walked, every value touched", mmap_values},
};

// The walk as it was published touches no value and gives no sum.

// Nothing in it depends on the bytes, so an optimising compiler makes one subtraction of it, or nothing.
std::size_t as_published(const std::uint64_t* values, const std::uint64_t* end) {
  std::size_t census = 0;
  for (const std::uint64_t* value = values; value != end; ++value) ++census;
  return census;
}

// The same with a volatile pointer, which has to be stored and loaded at each step, as without an optimiser.
std::size_t kept(const std::uint64_t* values, const std::uint64_t* end) {
  std::size_t census = 0;
  for (const std::uint64_t* volatile value = values; value != end; ++census) {
    const std::uint64_t* const here = value;
    value = here + 1;
  }
  return census;
}

// Walks the first 1/part of a file.
template <auto walk, std::size_t part>
answer walked(const path& name) {
  const whole_mapping file(name);
  const auto* const values = static_cast<const std::uint64_t*>(static_cast<const void*>(file.bytes().data()));
  const std::size_t count = file.bytes().size() / value_size / part;
  if (walk(values, values + count) != count) fail_on_format(name, count);
  return {};
}

constexpr contender_row walk_rows[] = {
    {"walk-as-published", by::mmap, "a pointer counted over a mapping, no value touched",
     walked<as_published, 1>},
    {"walk-as-published-half", by::mmap, "the same over half of the mapping", walked<as_published, 2>},
    {"walk-kept", by::mmap, "the same, the pointer volatile, so that the loop stays", walked<kept, 1>},
};

// ---- "io_uring is faster than mmap" (bitflux, 2025) and its critics: six workers that read past the cache,
// and six threads that prefetch a mapping. One thread that faults it in is mapped/mmap.

constexpr std::size_t workers = 6;
constexpr std::size_t slots = 2 * workers;
constexpr std::size_t piece = mib;
constexpr std::size_t page = 4 * kib;

// Sums the pieces of a file in order, while the workers fetch those ahead: `fetch(piece)` returns the bytes,
// which have to stay until `slots` pieces later.
template <class Fetch>
answer sum_fetched(std::size_t size, Fetch fetch) {
  std::vector<std::promise<std::string_view>> fetched((size + piece - 1) / piece);
  std::atomic<std::size_t> next = 0;
  std::atomic<std::size_t> used = 0;
  const auto work = [&] {
    for (std::size_t mine = next++; mine < fetched.size(); mine = next++) {
      for (std::size_t now = used; mine >= now + slots; now = used) used.wait(now);
      try {
        fetched[mine].set_value(fetch(mine));
      } catch (...) {
        fetched[mine].set_exception(std::current_exception());
      }
    }
  };
  answer total;
  std::exception_ptr failure;
  {
    std::array<std::jthread, workers> threads;
    for (std::jthread& each : threads) each = std::jthread(work);
    for (auto& each : fetched) {
      try {
        total += sum_values(each.get_future().get());
      } catch (...) {
        failure = std::current_exception();  // the workers go on to the end all the same
      }
      ++used;
      used.notify_all();
    }
  }
  if (failure) std::rethrow_exception(failure);
  return total;
}

answer by_direct(const path& name) {
  struct aligned {
    void operator()(char* memory) const noexcept { ::operator delete(memory, std::align_val_t{page}); }
  };
  const os::file file = os::file::open(name).reopen_direct();
  const std::unique_ptr<char, aligned> buffers(
      static_cast<char*>(::operator new(slots * piece, std::align_val_t{page})));
  return sum_fetched(size_of_values(name, size_of(file)), [&](std::size_t index) {
    char* const into = buffers.get() + index % slots * piece;
    return std::string_view(into, file.read_at({into, piece}, std::uint64_t{index} * piece));
  });
}

answer by_prefetch(const path& name) {
  const whole_mapping file(name);
  return sum_fetched(size_of_values(name, file.bytes().size()), [&](std::size_t index) {
    const std::string_view bytes = file.bytes().substr(index * piece, piece);
    for (std::size_t at = 0; at < bytes.size(); at += page) [[maybe_unused]]
      const char touched = static_cast<const volatile char&>(bytes[at]);
    return bytes;
  });
}

constexpr contender_row bitflux_rows[] = {
    {"direct-6", by::direct, "six threads of pread(2) with O_DIRECT, one thread that sums", by_direct, piece,
     no_direct},
    {"mmap-prefetch-6", by::mmap, "one mapping, six threads touch the pages ahead of one that sums",
     by_prefetch},
};

}  // namespace

void add_value_programs(task which, std::vector<contender>& to) {
  if (which == task::ints) add_rows(which, "ioaccess", int_rows, to);
  if (which != task::primes) return;
  add_rows(which, "mapped", prime_rows, to);
  add_rows(which, "bitflux", bitflux_rows, to, true);
}

void add_walks(task which, std::vector<contender>& to) {
  if (which != task::primes) return;
  const std::size_t before = to.size();
  add_rows(which, "mapped", walk_rows, to);
  for (contender& each : std::span(to).subspan(before)) {
    each.role = role::limit;  // without an answer, it is not ranked
    each.run = [run = each.run](input_files files) {
      run(files);
      return std::optional<answer>();
    };
  }
}

}  // namespace riffle::bench
