/// Shows the whole answer in one call: counts the words of files, each split among all processors.
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
