/// The contenders of wc_measurements, a wc-like program: words by fgetc, fread, `>>`, ifstream::read,
/// mmap and read, of whole files and of blocks, without the errors that made its six counts differ.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <locale>
#include <memory>
#include <string>
#include <vector>

#include "bench/contenders/block_loops.hpp"
#include "bench/contenders/raw_input.hpp"
#include "bench/contenders/registry.hpp"
#include "bench/contenders/scans.hpp"

namespace riffle::bench {

namespace {

using std::filesystem::path;

answer words_fgetc(const path& name) {
  const stdio_file file(name);
  word_counter words;
  for (int byte = std::fgetc(file.get()); byte != EOF; byte = std::fgetc(file.get())) {
    words.add(static_cast<char>(byte));
  }
  file.check();
  return {words.count(), 0};
}

answer words_extracted_one_by_one(const path& name) {
  std::ifstream in = open_ifstream(name);
  in.imbue(std::locale::classic());
  word_counter words;
  char byte = 0;
  while (in >> std::noskipws >> byte) words.add(byte);
  check(in, name);
  return {words.count(), 0};
}

// What does not fit into memory fails there, as in the published programs.
std::size_t size_in_memory(const path& name) {
  return static_cast<std::size_t>(
      std::min<std::uintmax_t>(std::filesystem::file_size(name), std::numeric_limits<std::ptrdiff_t>::max()));
}

// Three of the six contenders read the whole file at once, into memory of its size.
constexpr auto by_fread_whole = [](const path& name, auto use) {
  const stdio_file file(name);
  const std::size_t size = size_in_memory(name);
  const auto bytes = std::make_unique_for_overwrite<char[]>(size);
  use(std::string_view(bytes.get(), std::fread(bytes.get(), 1, size, file.get())));
  file.check();
};

// A vector, as there, sets all of that memory to zero first.
constexpr auto by_ifstream_read_whole = [](const path& name, auto use) {
  std::ifstream in = open_ifstream(name);
  std::vector<char> bytes(size_in_memory(name));
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  check(in, name);
  use(std::string_view(bytes.data(), static_cast<std::size_t>(in.gcount())));
};

constexpr auto by_read_whole = [](const path& name, auto use) {
  const descriptor file(name);
  const std::size_t size = file.size();
  const auto bytes = std::make_unique_for_overwrite<char[]>(size);
  use(std::string_view(bytes.get(), file.read_full(bytes.get(), size)));
};

constexpr row word_rows[] = {
    {"fgetc", by::stdio, "fgetc, which locks the FILE for each byte", words_fgetc},
    {"fread-whole-file", by::stdio, "fread of the whole file", by_blocks<task::words, by_fread_whole>},
    {"ifstream>>char", by::iostream, "ifstream >> char, white space too", words_extracted_one_by_one},
    {"ifstream-read-whole-file", by::iostream, "ifstream::read of the whole file into a vector",
     by_blocks<task::words, by_ifstream_read_whole>},
    {"read-whole-file", by::read, "read(2) of the whole file", by_blocks<task::words, by_read_whole>},
};

}  // namespace

void add_wordcount(task which, std::vector<contender>& to) {
  if (which != task::words) return;
  add_rows(which, "wc_measurements", word_rows, to);
  add_rows(which, "wc_measurements", block_rows<task::words>, to);
}

}  // namespace riffle::bench
