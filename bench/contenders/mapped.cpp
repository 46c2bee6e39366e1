/// The contenders of "Memory mapped files" (Glen Dayton, 2022): 64-bit primes by ifstream::read and by
/// walking a mapping. Unlike there, the walk touches each value.
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

answer mmap_values(const path& name) {
  const whole_mapping file(name);
  const std::size_t size = file.bytes().size();
  if (size % value_size != 0) fail_on_format(name, size / value_size * value_size);
  return sum_values(file.bytes());
}

constexpr row prime_rows[] = {
    {"ifstream-read-8", by::iostream, "ifstream::read of 8 bytes at a time", ifstream_values},
    {"mmap", by::mmap, "one mapping walked, every value touched", mmap_values},
};

// ---- the loop over a mapping as it was published. It touches no value and gives no sum.

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

// Walks the first 1/part of each file.
template <auto walk, std::size_t part>
std::optional<answer> walked(input_files files) {
  for (const std::filesystem::path& name : files) {
    const whole_mapping file(name);
    const auto* const values = static_cast<const std::uint64_t*>(static_cast<const void*>(file.begin()));
    const std::size_t count = file.bytes().size() / sizeof(std::uint64_t) / part;
    if (walk(values, values + count) != count) fail_on_format(name, count);
  }
  return std::nullopt;
}

struct walk {
  const char* name;
  const char* description;
  std::optional<answer> (*run)(input_files);
};

constexpr walk walks[] = {
    {"walk-as-published", "a pointer counted over a mapping, no value touched", walked<as_published, 1>},
    {"walk-as-published-half", "the same over half of the mapping", walked<as_published, 2>},
    {"walk-kept", "the same, the pointer volatile, so that the loop stays", walked<kept, 1>},
};

}  // namespace

void add_mapped(task which, std::vector<contender>& to) {
  if (which == task::primes) add_rows(which, "mapped", prime_rows, to);
}

void add_walks(task which, std::vector<contender>& to) {
  if (which != task::primes) return;
  for (const walk& each : walks) {
    to.push_back({.task = which,
                  .name = each.name,
                  .program = "mapped",
                  .method = "mmap",
                  .description = each.description,
                  .run = each.run});
  }
}

}  // namespace riffle::bench
