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
#include "bench/contenders/posix_stdio.hpp"
#include "bench/contenders/raw_input.hpp"
#include "bench/contenders/registry.hpp"
#include "bench/contenders/scans.hpp"
#include "bench/contenders/stdin_streams.hpp"

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

answer words_getc_unlocked(const path& name) {
  const stdio_file file(name);
  word_counter words;
  for (int byte = getc_unlocked(file.get()); byte != EOF; byte = getc_unlocked(file.get())) {
    words.add(static_cast<char>(byte));
  }
  file.check();
  return {words.count(), 0};
}

answer count_extracted(std::istream& in) {
  in.imbue(std::locale::classic());
  answer total;
  std::string word;
  while (in >> word) ++total.count;
  return total;
}

answer words_ifstream(const path& name) {
  std::ifstream in = open_ifstream(name);
  const answer total = count_extracted(in);
  check(in, name);
  return total;
}

template <class Stream>
answer words_stdin(const path& name) {
  Stream in(name);
  const answer total = count_extracted(in.stream());
  in.check();
  return total;
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
answer words_fread_whole(const path& name) {
  const stdio_file file(name);
  const std::size_t size = size_in_memory(name);
  const auto bytes = std::make_unique_for_overwrite<char[]>(size);
  word_counter words;
  words.add(std::string_view(bytes.get(), std::fread(bytes.get(), 1, size, file.get())));
  file.check();
  return {words.count(), 0};
}

// A vector, as there, sets all of that memory to zero first.
answer words_ifstream_read_whole(const path& name) {
  std::ifstream in = open_ifstream(name);
  std::vector<char> bytes(size_in_memory(name));
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  check(in, name);
  word_counter words;
  words.add(std::string_view(bytes.data(), static_cast<std::size_t>(in.gcount())));
  return {words.count(), 0};
}

answer words_read_whole(const path& name) {
  const descriptor file(name);
  const std::size_t size = file.size();
  const auto bytes = std::make_unique_for_overwrite<char[]>(size);
  word_counter words;
  words.add(std::string_view(bytes.get(), file.read_full(bytes.get(), size)));
  return {words.count(), 0};
}

constexpr row word_rows[] = {
    {"fgetc", by::stdio, "fgetc, which locks the FILE for each byte", words_fgetc},
    {"getc_unlocked", by::stdio, "getc_unlocked", words_getc_unlocked, 0, no_posix_stdio},
    {"fread-4K", by::stdio, "fread with a 4 KiB buffer", words_by_blocks<by_fread_4k>, 4 * kib},
    {"fread", by::stdio, "fread with the default buffer", words_by_blocks<by_fread_default>},
    {"fread-32M", by::stdio, "fread with a 32 MiB buffer", words_by_blocks<by_fread_32m>, 32 * mib},
    {"fread-whole-file", by::stdio, "fread of the whole file", words_fread_whole},
    {"ifstream>>char", by::iostream, "ifstream >> char, white space too", words_extracted_one_by_one},
    {"ifstream>>word", by::iostream, "ifstream >> std::string", words_ifstream},
    {"cin-synced>>word", by::iostream, "what std::cin is at first >> std::string", words_stdin<synced_stream>,
     0, no_stdin_streams},
    {"cin-unsynced>>word", by::iostream, "std::cin after sync_with_stdio(false) >> std::string",
     words_stdin<unsynced_stream>, 0, no_stdin_streams},
    {"ifstream-read", by::iostream, "ifstream::read of 64 KiB", words_by_blocks<by_ifstream_read<64 * kib>>},
    {"ifstream-read-whole-file", by::iostream, "ifstream::read of the whole file into a vector",
     words_ifstream_read_whole},
    {"mmap", by::mmap, "one mapping, MAP_PRIVATE", words_by_blocks<by_mmap<map_plain>>},
    {"mmap-populate", by::mmap, "MAP_POPULATE", words_by_blocks<by_mmap<map_populated>>, 0, no_populate},
    {"mmap-fancy", by::mmap, "madvise SEQUENTIAL and WILLNEED", words_by_blocks<by_mmap<map_advised>>, 0,
     no_advice},
    {"mmap-shared", by::mmap, "MAP_SHARED", words_by_blocks<by_mmap<map_shared>>},
    {"read-4K", by::read, "read(2) into 4 KiB", words_by_blocks<by_read_4k>, 4 * kib},
    {"read-64K", by::read, "read(2) into 64 KiB", words_by_blocks<by_read_64k>, 64 * kib},
    {"read-1M", by::read, "read(2) into 1 MiB", words_by_blocks<by_read_1m>, mib},
    {"read-whole-file", by::read, "read(2) of the whole file", words_read_whole},
};

}  // namespace

void add_wordcount(task which, std::vector<contender>& to) {
  if (which == task::words) add_rows(which, "wc_measurements", word_rows, to);
}

}  // namespace riffle::bench
