/// Counts the bases C and G of a genome, in either case: `riffle::count_any_of`.
#include <exception>
#include <iostream>
#include <riffle/count.hpp>

int main(int argc, char** argv) try {
  const riffle::input genome = argc > 1 ? riffle::input(argv[1]) : riffle::input(std::cin);
  std::cout << riffle::count_any_of(genome, "cCgG") << '\n';
} catch (const std::exception& failure) {
  std::cerr << "gc_count: " << failure.what() << '\n';
  return 1;
}
