/// The loops over blocks of a file that programs 2 and
/// 4 compare, each once, for whatever is done with the blocks.
#ifndef RIFFLE_BENCH_CONTENDERS_BLOCK_LOOPS_HPP
#define RIFFLE_BENCH_CONTENDERS_BLOCK_LOOPS_HPP

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "bench/contenders/raw_input.hpp"
#include "bench/contenders/scans.hpp"
#include "bench/data/task.hpp"
#include "text/numbers.hpp"

namespace riffle::bench {

using text::kib;
using text::mib;

// Each is a type whose `each_block(path, use)` calls use(std::string_view) from the first byte to the last.

/// fread, with a FILE buffer of its own size (0: the default) and an array of `chunk` bytes.
template <std::size_t buffer_size, std::size_t chunk>
struct by_fread {
  template <class Use>
  static void each_block(const std::filesystem::path& path, Use use) {
    const stdio_file file(path, buffer_size);
    const auto block = std::make_unique_for_overwrite<char[]>(chunk);
    while (const std::size_t count = std::fread(block.get(), 1, chunk, file.get())) {
      use(std::string_view(block.get(), count));
    }
    file.check();
  }
};

/// read(2) into an array of `chunk` bytes.
template <std::size_t chunk>
struct by_read {
  template <class Use>
  static void each_block(const std::filesystem::path& path, Use use) {
    const descriptor file(path);
    const auto block = std::make_unique_for_overwrite<char[]>(chunk);
    while (const std::size_t count = file.read(block.get(), chunk)) {
      use(std::string_view(block.get(), count));
    }
  }
};

/// ifstream::read into an array of `chunk` bytes.
template <std::size_t chunk>
struct by_ifstream_read {
  template <class Use>
  static void each_block(const std::filesystem::path& path, Use use) {
    std::ifstream in = open_ifstream(path);
    const auto block = std::make_unique_for_overwrite<char[]>(chunk);
    while (in) {
      in.read(block.get(), static_cast<std::streamsize>(chunk));
      use(std::string_view(block.get(), static_cast<std::size_t>(in.gcount())));
    }
    check(in, path);
  }
};

/// The whole file mapped: one block.
template <const map_how& how>
struct by_mmap {
  template <class Use>
  static void each_block(const std::filesystem::path& path, Use use) {
    const whole_mapping file(path, how);
    use(file.bytes());
  }
};

using by_fread_4k = by_fread<4 * kib, 4 * kib>;
using by_fread_default = by_fread<0, BUFSIZ>;
using by_fread_32m = by_fread<32 * mib, 64 * kib>;
using by_read_4k = by_read<4 * kib>;
using by_read_64k = by_read<64 * kib>;
using by_read_1m = by_read<mib>;

/// Puts the lines of successive blocks together: a line cut by a block's end is copied, the others are views.
template <class Use>
class line_joiner {
 public:
  explicit line_joiner(Use use) : use_(std::move(use)) {}

  void add(std::string_view block) {
    if (!start_.empty()) {
      const std::size_t newline = block.find('\n');
      start_.append(block.substr(0, newline));
      if (newline == std::string_view::npos) return;
      use_(std::string_view(start_));
      start_.clear();
      block.remove_prefix(newline + 1);
    }
    const std::size_t last = block.rfind('\n');
    if (last == std::string_view::npos) {
      start_.assign(block);
      return;
    }
    each_line_by_memchr(block.substr(0, last + 1), use_);
    start_.assign(block.substr(last + 1));
  }
  /// To be called after the last block: a last line may have no newline.
  void finish() {
    if (!start_.empty()) use_(std::string_view(start_));
  }

 private:
  Use use_;
  std::string start_;  // the line whose newline has not come yet
};

template <class By>
answer gc_by_blocks(const std::filesystem::path& path) {
  answer total;
  By::each_block(path, [&](std::string_view block) { total.count += count_gc(block); });
  return total;
}

template <class By>
answer words_by_blocks(const std::filesystem::path& path) {
  word_counter words;
  By::each_block(path, [&](std::string_view block) { words.add(block); });
  return {words.count(), 0};
}

template <class By>
answer lines_by_blocks(const std::filesystem::path& path) {
  answer total;
  line_joiner lines([&](std::string_view line) { total += {1, line.size()}; });
  By::each_block(path, [&](std::string_view block) { lines.add(block); });
  lines.finish();
  return total;
}

}  // namespace riffle::bench

#endif
