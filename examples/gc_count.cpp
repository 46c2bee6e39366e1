/// Shows how to count a set of bytes: the C and G, either case, in a genome.
#include <cstdint>
#include <exception>
#include <iostream>
#include <riffle/riffle.hpp>

int main(int argc, char** argv) try {
  const riffle::input genome = argc > 1 ? riffle::input(argv[1]) : riffle::input(std::cin);
  std::uint64_t count = 0;
  for (const riffle::block block : riffle::blocks(genome)) count += riffle::count_any_of(block.bytes, "cCgG");
  std::cout << count << '\n';
} catch (const std::exception& failure) {
  std::cerr << "gc_count: " << failure.what() << '\n';
  return 1;
}
