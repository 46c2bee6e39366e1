/// Shows work in parallel: counts the words of files, each split among all processors.
#include <cstdint>
#include <exception>
#include <iostream>
#include <riffle/riffle.hpp>
#include <string_view>

int main(int argc, char** argv) try {
  std::uint64_t total = 0;
  for (int index = 1; index < argc; ++index) {
    total += riffle::parallel_reduce(argv[index], std::uint64_t{0},
                                     [](std::string_view split) { return riffle::count_words(split); });
  }
  std::cout << total << '\n';
} catch (const std::exception& failure) {
  std::cerr << "word_count: " << failure.what() << '\n';
  return 1;
}
