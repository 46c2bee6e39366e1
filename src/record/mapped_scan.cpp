/// The scans over a mapped file: faulted in by windows ahead of the kernel, checked before the answer counts.
#include <riffle/mapped_file.hpp>

namespace riffle {

namespace {

// One populating call per window keeps the page cache a little ahead of the kernel. Smaller pays more calls,
// larger lets pages of a file larger than memory be dropped again before they are looked at.
constexpr std::size_t window_size = std::size_t{8} << 20;

template <class Kernel>
void scan(const mapped_file& file, Kernel kernel) {
  for (std::size_t position = 0; position < file.size(); position += window_size) {
    file.populate(position, window_size);
    kernel(file.view(position, window_size));
  }
  file.check();
}

template <class Kernel>
std::uint64_t total(const mapped_file& file, Kernel kernel) {
  std::uint64_t count = 0;
  scan(file, [&](std::string_view window) { count += kernel(window); });
  return count;
}

}  // namespace

std::uint64_t count_byte(const mapped_file& file, char byte) {
  return total(file, [byte](std::string_view window) { return count_byte(window, byte); });
}

std::uint64_t count_lines(const mapped_file& file) {
  return count_byte(file, '\n');
}

std::uint64_t count_any_of(const mapped_file& file, const byte_set& set) {
  return total(file, [&set](std::string_view window) { return count_any_of(window, set); });
}

std::uint64_t count_any_of(const mapped_file& file, std::string_view set) {
  return count_any_of(file, byte_set(set));
}

std::uint64_t count_words(const mapped_file& file) {
  std::uint64_t count = 0;
  bool in_word = false;
  scan(file, [&](std::string_view window) {
    count += count_words(window, in_word);
    in_word = !white_space.contains(window.back());
  });
  return count;
}

std::uint64_t count_utf8(const mapped_file& file) {
  return total(file, [](std::string_view window) { return count_utf8(window); });
}

}  // namespace riffle
