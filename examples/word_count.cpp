/// Counts the words of files by all processors: `riffle::count_words`.
#include <cstdint>
#include <exception>
#include <iostream>
#include <riffle/count.hpp>

int main(int argc, char** argv) try {
  std::uint64_t total = 0;
  for (int index = 1; index < argc; ++index) total += riffle::count_words(argv[index], {.threads = 0});
  std::cout << total << '\n';
} catch (const std::exception& failure) {
  std::cerr << "word_count: " << failure.what() << '\n';
  return 1;
}
