/// The contenders of nvwa's programs (Wu Yongwei, 2016 and 2017): bytes by getc and by a mapping, lines
/// by stream, by FILE and by mapping, copied to strings and as views.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "bench/contenders/raw_input.hpp"
#include "bench/contenders/registry.hpp"
#include "bench/contenders/scans.hpp"
#include "bench/contenders/stdio_streams.hpp"

namespace riffle::bench {

namespace {

using std::filesystem::path;

// ---- bytes

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
  const char* const end = file.end();
  for (const char* at = file.begin(); at != end; ++at) {
    if (*at == 'c' || *at == 'C' || *at == 'g' || *at == 'G') ++total.count;
  }
  return total;
}

answer gc_char_reader(const path& name) {
  const whole_mapping characters(name);
  answer total;
  for (const char byte : characters) {
    if (is_gc(byte)) ++total.count;
  }
  return total;
}

// ---- lines: each calls `use` with every line

constexpr auto by_stream = [](std::istream& in, auto use) {
  std::string line;
  while (std::getline(in, line)) use(std::string_view(line));
};

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

// ---- what is done with the lines

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

constexpr row gc_rows[] = {
    {"getc", by::stdio, "getc, which locks the FILE for each byte", gc_by<std::getc>},
    {"getc_unlocked", by::stdio, "getc_unlocked", gc_by<getc_unlocked>},
    {"mmap-compares", by::mmap, "pointer over a mapping, four compares a byte", gc_mmap_compares},
    {"mmap-char-reader", by::mmap, "range-for over a mapping, one AND and one compare", gc_char_reader},
    {"mmap-lines-copied", by::mmap, "memchr over a mapping, each line copied to a string", gc_of<by_copies>},
    {"mmap-lines-views", by::mmap, "memchr over a mapping, each line a string_view", gc_of<by_views>},
};

constexpr row line_rows[] = {
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

void add_nvwa(task which, std::vector<contender>& to) {
  if (which == task::gc) add_rows(which, "nvwa", gc_rows, to);
  if (which == task::lines) add_rows(which, "nvwa", line_rows, to);
}

}  // namespace riffle::bench
