/// Why this file exists: the limit is the fastest scan of the same bytes in memory already mapped: what is
/// left when reading costs nothing.
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <new>
#include <riffle/scan.hpp>
#include <string>

#include "contender.hpp"
#include "raw_input.hpp"
#include "scans.hpp"

namespace riffle::bench {

namespace {

using scan = answer (*)(std::string_view);

/// One file's bytes, on huge pages where the system has them, so that nothing but the memory limits a scan.
class loaded_file {
 public:
  explicit loaded_file(const std::filesystem::path& name) {
    constexpr std::size_t huge_page = std::size_t{2} << 20;
    const descriptor file(name);
    const std::size_t size = file.size();
    const std::size_t page = size < huge_page ? 4096 : huge_page;
    const std::size_t room = (size / page + 1) * page;
    bytes_.reset(static_cast<char*>(std::aligned_alloc(page, room)));
    if (!bytes_) throw std::bad_alloc();
    madvise(bytes_.get(), room, MADV_HUGEPAGE);  // a wish: without it the scan is a little slower
    size_ = file.read_full(bytes_.get(), size);
  }
  [[nodiscard]] std::string_view bytes() const noexcept { return {bytes_.get(), size_}; }

 private:
  struct release {
    void operator()(char* memory) const noexcept { std::free(memory); }
  };
  std::unique_ptr<char, release> bytes_;
  std::size_t size_ = 0;
};

/// The files' bytes, loaded by the first run, which is the one that is not timed.
class loaded_files {
 public:
  answer run(input_files files, scan look) {
    if (contents_.size() != files.size()) load(files);
    answer total;
    for (const loaded_file& file : contents_) total += look(file.bytes());
    return total;
  }

 private:
  void load(input_files files) {
    contents_.clear();
    for (const auto& name : files) contents_.emplace_back(name);
  }

  std::vector<loaded_file> contents_;
};

std::optional<std::string> does_not_fit(input_files files) {
  std::uintmax_t size = 0;
  for (const auto& file : files) size += std::filesystem::file_size(file);
  const auto memory = static_cast<std::uintmax_t>(sysconf(_SC_PHYS_PAGES)) *
                      static_cast<std::uintmax_t>(sysconf(_SC_PAGESIZE));
  if (size > memory / 2) return "the input is larger than half of the memory";
  return std::nullopt;
}

answer scan_gc(std::string_view bytes) {
  return {count_any_of(bytes, byte_set("cCgG")), 0};
}
answer scan_words(std::string_view bytes) {
  return {count_words(bytes), 0};
}

// All lengths together are the bytes that are not newlines.
answer scan_lines(std::string_view bytes) {
  const std::uint64_t newlines = count_byte(bytes, '\n');
  const bool open = !bytes.empty() && bytes.back() != '\n';
  return {newlines + (open ? 1 : 0), bytes.size() - newlines};
}

// The memory starts at a page, so it is aligned for any value.
template <class T>
std::span<const T> values_in(std::string_view bytes) {
  return {static_cast<const T*>(static_cast<const void*>(bytes.data())), bytes.size() / sizeof(T)};
}

answer scan_ints(std::string_view bytes) {
  if (bytes.size() % sizeof(std::int32_t) != 0) fail_on_format("arrays in memory", bytes.size());
  const std::span<const std::int32_t> ints = values_in<std::int32_t>(bytes);
  answer total;
  for (std::size_t at = 0; at < ints.size();) {
    const auto length = static_cast<std::size_t>(ints[at]);
    if (length > ints.size() - at - 1) fail_on_format("arrays in memory", at * sizeof(std::int32_t));
    total += {1, weigh(ints.subspan(at + 1, length))};
    at += 1 + length;
  }
  return total;
}

answer scan_primes(std::string_view bytes) {
  const std::span<const std::uint64_t> values = values_in<std::uint64_t>(bytes);
  return {values.size(), sum_of(values)};
}

scan scan_of(task which) {
  switch (which) {
    case task::gc:
      return scan_gc;
    case task::lines:
      return scan_lines;
    case task::words:
      return scan_words;
    case task::ints:
      return scan_ints;
    case task::primes:
      return scan_primes;
  }
  return nullptr;
}

}  // namespace

void add_limit(task which, std::vector<contender>& to) {
  auto files_in_memory = std::make_shared<loaded_files>();
  to.push_back(
      {which, "memory", "limit", "memory", "the same scan over memory that is already mapped",
       [files_in_memory, which](input_files files) { return files_in_memory->run(files, scan_of(which)); },
       does_not_fit});
}

}  // namespace riffle::bench
