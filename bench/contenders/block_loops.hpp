/// The loops over blocks of a file that programs 2 and 4 compare, each once, for whatever is done with the
/// blocks; and the contenders of text that are made of them.
#pragma once

#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "bench/contenders/raw_input.hpp"
#include "bench/contenders/registry.hpp"
#include "bench/contenders/scans.hpp"
#include "bench/data/task.hpp"
#include "text/numbers.hpp"

namespace riffle::bench {

using text::kib;
using text::mib;

// Each `by_...(path, use)` calls use(std::string_view) from the first byte to the last.

/// fread, with a FILE buffer of its own size (0: the default) and an array of `chunk` bytes.
template <std::size_t buffer_size, std::size_t chunk>
constexpr auto by_fread = [](const std::filesystem::path& path, auto use) {
  const stdio_file file(path, buffer_size);
  const auto block = std::make_unique_for_overwrite<char[]>(chunk);
  while (const std::size_t count = std::fread(block.get(), 1, chunk, file.get())) {
    use(std::string_view(block.get(), count));
  }
  file.check();
};

/// read(2) into an array of `chunk` bytes.
template <std::size_t chunk>
constexpr auto by_read = [](const std::filesystem::path& path, auto use) {
  const descriptor file(path);
  const auto block = std::make_unique_for_overwrite<char[]>(chunk);
  while (const std::size_t count = file.read(block.get(), chunk)) {
    use(std::string_view(block.get(), count));
  }
};

/// ifstream::read into an array of `chunk` bytes.
template <std::size_t chunk>
constexpr auto by_ifstream_read = [](const std::filesystem::path& path, auto use) {
  std::ifstream in = open_ifstream(path);
  const auto block = std::make_unique_for_overwrite<char[]>(chunk);
  while (in) {
    in.read(block.get(), static_cast<std::streamsize>(chunk));
    use(std::string_view(block.get(), static_cast<std::size_t>(in.gcount())));
  }
  check(in, path);
};

/// The whole file mapped: one block.
template <const map_how& how>
constexpr auto by_mmap = [](const std::filesystem::path& path, auto use) {
  const whole_mapping file(path, how);
  use(file.bytes());
};

template <task which, auto each_block>
answer by_blocks(const std::filesystem::path& path) {
  tally all(which);
  each_block(path, [&](std::string_view block) { all.add(block); });
  return all.result();
}

/// The methods that the programs compare, on the bytes, lines or words of any text.
template <task which>
constexpr std::array block_rows{
    row{"fread", by::stdio, "fread with the default buffer", by_blocks<which, by_fread<0, BUFSIZ>>},
    row{"ifstream-read", by::iostream, "ifstream::read of 64 KiB",
        by_blocks<which, by_ifstream_read<64 * kib>>},
    row{"read-4K", by::read, "read(2) into 4 KiB", by_blocks<which, by_read<4 * kib>>, 4 * kib},
    row{"read-64K", by::read, "read(2) into 64 KiB", by_blocks<which, by_read<64 * kib>>, 64 * kib},
    row{"mmap", by::mmap, "one mapping, MAP_PRIVATE", by_blocks<which, by_mmap<map_plain>>},
    row{"mmap-populate", by::mmap, "MAP_POPULATE", by_blocks<which, by_mmap<map_populated>>}};

}  // namespace riffle::bench
