/// The published programs that read text: its bytes, lines or words.

#include <array>
#include <cstdlib>
#include <istream>
#include <locale>
#include <string>
#include <vector>

#if __has_include(<ext/stdio_filebuf.h>)
#include <ext/stdio_filebuf.h>
#include <ext/stdio_sync_filebuf.h>
#endif

#include "bench/contenders/published.hpp"
#include "bench/contenders/registry.hpp"
#include "text/typed.hpp"

namespace riffle::bench {

namespace {

using std::filesystem::path;
using text::kib;

// ---- the loops over blocks that ioaccess (Daniel Lemire, 2012), its readers and wc_measurements compare:
// each calls `use` with every block

constexpr auto by_fread = [](const path& name, auto use) {
  const stdio_file file(name);
  const auto block = std::make_unique_for_overwrite<char[]>(BUFSIZ);
  while (const std::size_t count = std::fread(block.get(), 1, BUFSIZ, file.get())) {
    use(std::string_view(block.get(), count));
  }
  file.check();
};

template <std::size_t chunk>
constexpr auto by_read = [](const path& name, auto use) {
  const os::file file = os::file::open(name);
  const auto block = std::make_unique_for_overwrite<char[]>(chunk);
  std::uint64_t at = 0;
  while (const std::size_t count = file.read({block.get(), chunk}, at)) {
    use(std::string_view(block.get(), count));
    at += count;
  }
};

template <std::size_t chunk>
constexpr auto by_ifstream_read = [](const path& name, auto use) {
  std::ifstream in = open_ifstream(name);
  const auto block = std::make_unique_for_overwrite<char[]>(chunk);
  while (in) {
    in.read(block.get(), static_cast<std::streamsize>(chunk));
    use(std::string_view(block.get(), static_cast<std::size_t>(in.gcount())));
  }
  check(in, name);
};

template <int flags>
constexpr auto by_mmap = [](const path& name, auto use) {
  const whole_mapping file(name, flags);
  use(file.bytes());
};

/// The methods that the programs compare, on the bytes, lines or words of any text.
template <task which>
constexpr std::array block_rows{
    contender_row{"fread", by::stdio, "fread with the default buffer", by_blocks<which, by_fread>},
    contender_row{"ifstream-read", by::iostream, "ifstream::read of 64 KiB",
                  by_blocks<which, by_ifstream_read<64 * kib>>},
    contender_row{"read-4K", by::read, "read(2) into 4 KiB", by_blocks<which, by_read<4 * kib>>, 4 * kib},
    contender_row{"read-64K", by::read, "read(2) into 64 KiB", by_blocks<which, by_read<64 * kib>>, 64 * kib},
    contender_row{"mmap", by::mmap, "one mapping, MAP_PRIVATE", by_blocks<which, by_mmap<MAP_PRIVATE>>},
    contender_row{"mmap-populate", by::mmap, "MAP_POPULATE",
                  by_blocks<which, by_mmap<MAP_PRIVATE | MAP_POPULATE>>}};

// ---- wc_measurements, a wc-like program, without the errors that made its six counts differ

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

// Three of the six contenders read the whole file at once, into memory of its size.
std::size_t size_in_memory(const path& name) {
  return static_cast<std::size_t>(std::filesystem::file_size(name));
}

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
  const os::file file = os::file::open(name);
  const std::size_t size = size_of(file);
  const auto bytes = std::make_unique_for_overwrite<char[]>(size);
  use(std::string_view(bytes.get(), read_full(file, {bytes.get(), size})));
};

constexpr contender_row word_rows[] = {
    {"fgetc", by::stdio, "fgetc, which locks the FILE for each byte", words_fgetc},
    {"fread-whole-file", by::stdio, "fread of the whole file", by_blocks<task::words, by_fread_whole>},
    {"ifstream>>char", by::iostream, "ifstream >> char, white space too", words_extracted_one_by_one},
    {"ifstream-read-whole-file", by::iostream, "ifstream::read of the whole file into a vector",
     by_blocks<task::words, by_ifstream_read_whole>},
    {"read-whole-file", by::read, "read(2) of the whole file", by_blocks<task::words, by_read_whole>},
};

// ---- nvwa's programs (Wu Yongwei, 2016 and 2017): bytes by getc and by a mapping, lines by stream, by FILE
// and by mapping, copied to strings and as views

template <int (*next_byte)(std::FILE*)>
answer gc_by(const path& name) {
  const stdio_file file(name);
  answer total;
  for (int byte = next_byte(file.get()); byte != EOF; byte = next_byte(file.get())) {
    total.count += is_gc(static_cast<char>(byte)) ? 1U : 0U;
  }
  file.check();
  return total;
}

answer gc_mmap_compares(const path& name) {
  const whole_mapping file(name);
  answer total;
  const char* const end = file.bytes().data() + file.bytes().size();
  for (const char* at = file.bytes().data(); at != end; ++at) {
    if (*at == 'c' || *at == 'C' || *at == 'g' || *at == 'G') ++total.count;
  }
  return total;
}

answer gc_char_reader(const path& name) {
  const whole_mapping characters(name);
  answer total;
  for (const char byte : characters.bytes()) {
    if (is_gc(byte)) ++total.count;
  }
  return total;
}

// Each of these calls `use` with every line.

constexpr auto by_stream = [](std::istream& in, auto use) {
  std::string line;
  while (std::getline(in, line)) use(std::string_view(line));
};

// The stream buffers of std::cin before and after sync_with_stdio(false), by which nvwa's programs read. That
// concerns std::cin alone and cannot be undone, so streams of their own are built on what libstdc++ puts
// under it.
#if __has_include(<ext/stdio_filebuf.h>)

/// Reads as std::cin does at first: every byte by getc on a FILE.
using synced_buffer = __gnu_cxx::stdio_sync_filebuf<char>;
/// Reads as std::cin does after sync_with_stdio(false): read(2) into a buffer of its own.
struct unsynced_buffer : __gnu_cxx::stdio_filebuf<char> {
  explicit unsynced_buffer(std::FILE* file) : stdio_filebuf(file, std::ios::in | std::ios::binary) {}
};

std::optional<std::string> no_stdin_streams(input_files) {
  return std::nullopt;
}

#else

/// Other libraries do not open those stream buffers to programs. Nothing reads these.
struct synced_buffer : std::streambuf {
  explicit synced_buffer(std::FILE*) {}
};
using unsynced_buffer = synced_buffer;

std::optional<std::string> no_stdin_streams(input_files) {
  return "riffle was not built with libstdc++, whose std::cin this is";
}

#endif

constexpr auto by_ifstream = [](const path& name, auto use) {
  std::ifstream in = open_ifstream(name);
  by_stream(in, use);
  check(in, name);
};

template <class Buffer>
constexpr auto by_stdin = [](const path& name, auto use) {
  const stdio_file file(name);
  Buffer buffer(file.get());
  std::istream in(&buffer);
  by_stream(in, use);
  file.check();
};

// fgets does not say how much it read, and NUL bytes may be part of a line. So the unused part of the buffer
// is kept full of newlines: the line's own newline is the one that fgets put its terminator behind.
constexpr auto by_fgets = [](const path& name, auto use) {
  const stdio_file file(name);
  char piece[4096];
  std::memset(piece, '\n', sizeof piece);
  std::string line;
  bool open = false;  // `line` holds the start of a line that is not complete
  while (std::fgets(piece, sizeof piece, file.get()) != nullptr) {
    const char* const found = static_cast<const char*>(std::memchr(piece, '\n', sizeof piece));
    const std::size_t at = found == nullptr ? sizeof piece : static_cast<std::size_t>(found - piece);
    const bool complete = at + 1 < sizeof piece && piece[at + 1] == '\0';
    const std::size_t length = complete ? at : at - 1;
    if (complete && !open) {
      use(std::string_view(piece, length));
    } else {
      line.append(piece, length);
      open = !complete;
      if (complete) {
        use(std::string_view(line));
        line.clear();
      }
    }
    std::memset(piece, '\n', std::min(length + 2, sizeof piece));
  }
  if (open) use(std::string_view(line));
  file.check();
};

constexpr auto by_getline = [](const path& name, auto use) {
  const stdio_file file(name);
  char* buffer = nullptr;
  std::size_t capacity = 0;
  std::ptrdiff_t length = 0;
  while ((length = getline(&buffer, &capacity, file.get())) > 0) {
    if (buffer[length - 1] == '\n') --length;
    use(std::string_view(buffer, static_cast<std::size_t>(length)));
  }
  std::free(buffer);
  file.check();
};

constexpr auto by_views = [](const path& name, auto use) {
  const whole_mapping file(name);
  each_line_by_memchr(file.bytes(), use);
};

constexpr auto by_copies = [](const path& name, auto use) {
  const whole_mapping file(name);
  std::string line;
  each_line_by_memchr(file.bytes(), [&](std::string_view view) {
    line.assign(view);
    use(std::string_view(line));
  });
};

template <auto each_line>
answer lines_of(const path& name) {
  answer total;
  each_line(name, [&](std::string_view line) { total += {1, line.size()}; });
  return total;
}

template <auto each_line>
answer gc_of(const path& name) {
  answer total;
  each_line(name, [&](std::string_view line) { total.count += count_gc(line); });
  return total;
}

constexpr contender_row gc_rows[] = {
    {"getc", by::stdio, "getc, which locks the FILE for each byte", gc_by<std::getc>},
    {"getc_unlocked", by::stdio, "getc_unlocked", gc_by<getc_unlocked>},
    {"mmap-compares", by::mmap, "pointer over a mapping, four compares a byte", gc_mmap_compares},
    {"mmap-char-reader", by::mmap, "range-for over a mapping, one AND and one compare", gc_char_reader},
    {"mmap-lines-copied", by::mmap, "memchr over a mapping, each line copied to a string", gc_of<by_copies>},
    {"mmap-lines-views", by::mmap, "memchr over a mapping, each line a string_view", gc_of<by_views>},
};

constexpr contender_row line_rows[] = {
    {"fgets", by::stdio, "fgets into 4 KiB, long lines and NUL bytes put right", lines_of<by_fgets>},
    {"getline(3)", by::stdio, "POSIX getline", lines_of<by_getline>},
    {"ifstream-getline", by::iostream, "std::getline on an ifstream", lines_of<by_ifstream>},
    {"cin-synced-getline", by::iostream, "std::getline on what std::cin is at first",
     lines_of<by_stdin<synced_buffer>>, 0, no_stdin_streams},
    {"cin-unsynced-getline", by::iostream, "std::getline on std::cin after sync_with_stdio(false)",
     lines_of<by_stdin<unsynced_buffer>>, 0, no_stdin_streams},
    {"mmap-lines-copied", by::mmap, "memchr over a mapping, each line copied to a string",
     lines_of<by_copies>},
    {"mmap-lines-views", by::mmap, "memchr over a mapping, each line a string_view", lines_of<by_views>},
};

}  // namespace

void add_text_programs(task which, std::vector<contender>& to) {
  if (which == task::gc) {
    add_rows(which, "nvwa", gc_rows, to);
    add_rows(which, "ioaccess", block_rows<task::gc>, to);
  } else if (which == task::lines) {
    add_rows(which, "nvwa", line_rows, to);
    add_rows(which, "ioaccess", block_rows<task::lines>, to);
  } else if (which == task::words) {
    add_rows(which, "wc_measurements", word_rows, to);
    add_rows(which, "wc_measurements", block_rows<task::words>, to);
  }
}

}  // namespace riffle::bench
