/// Few threads, and splits that fit 8 MiB together: the tool runs in a control group of 16 MiB.
#include "cli/threads/rule.hpp"

#include <riffle/input.hpp>
#include <riffle/methods.hpp>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace riffle::cli {

namespace {

constexpr unsigned most_threads_unasked = 4;
constexpr std::size_t all_splits = std::size_t{8} << 20U;
// Below these, threads win less than they cost: docs/choosing.md has the curves.
constexpr std::uint64_t large = std::uint64_t{32} << 20U;
constexpr std::size_t many = 256;

// To find the number of processors takes longer than to count a small file.
unsigned threads_unasked() {
  return std::min(thread_count(), most_threads_unasked);
}

// To look at a file takes a tenth of the time to count a small one.
bool are_large(std::span<const std::string> files) {
  std::uint64_t sizes = 0;
  for (const std::string& name : files) {
    if (name == "-") return true;  // it may be
    std::error_code failure;
    const std::uintmax_t size = std::filesystem::file_size(detail::path_of(name), failure);
    if (!failure) sizes += size;
    if (sizes >= large) return true;
  }
  return false;
}

}  // namespace

unsigned thread_rule::for_files(std::span<const std::string> files) const {
  if (asked_) return *asked_;
  if (files.size() == 1) return most_threads_unasked;
  return files.size() >= many || are_large(files) ? threads_unasked() : 1;
}

parallel_options thread_rule::for_input(const source& opened, unsigned granted) const {
  parallel_options splitting{.threads = granted, .delimiter = std::nullopt};
  if (asked_) return splitting;
  // Queues of several threads read ahead over the ends of their splits.
  const bool queues = find_method(opened.method())->queues;
  const bool shared = opened.size_hint() >= opened.start() + large && opened.seekable() && !queues;
  splitting.threads = shared ? std::min(granted, threads_unasked()) : 1;
  splitting.split_size = all_splits / splitting.threads;
  return splitting;
}

}  // namespace riffle::cli
