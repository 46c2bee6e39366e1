/// Validates a text as UTF-8 and counts its characters by simdutf, in blocks that stay in the cache.
#include <fcntl.h>
#include <simdutf.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <vector>

int main(int argc, char** argv) {
  const int file = argc == 2 ? ::open(argv[1], O_RDONLY | O_CLOEXEC) : -1;
  std::vector<char> buffer(std::size_t{256} << 10U);
  std::size_t characters = 0;
  std::size_t kept = 0;
  for (ssize_t got = 1; got > 0;) {
    got = ::read(file, buffer.data() + kept, buffer.size() - kept);
    if (got < 0) return 1;
    const std::size_t size = kept + static_cast<std::size_t>(got);
    const std::size_t whole = got == 0 ? size : simdutf::trim_partial_utf8(buffer.data(), size);
    if (!simdutf::validate_utf8(buffer.data(), whole)) return 1;
    characters += simdutf::count_utf8(buffer.data(), whole);
    kept = size - whole;
    std::memmove(buffer.data(), buffer.data() + whole, kept);
  }
  std::printf("%zu\n", characters);
}
