/// Counts the 64-bit primes in a binary file, and prints their sum and the last one: `riffle::values`.
#include <cstdint>
#include <exception>
#include <iostream>
#include <riffle/riffle.hpp>

int main(int argc, char** argv) try {
  if (argc != 2) throw std::invalid_argument("usage: primes FILE");
  std::uint64_t count = 0;
  std::uint64_t sum = 0;
  std::uint64_t last = 0;
  for (const std::uint64_t prime : riffle::values<std::uint64_t>(argv[1])) {
    ++count;
    sum += prime;
    last = prime;
  }
  std::cout << count << " primes, sum " << sum << ", last " << last << '\n';
} catch (const std::exception& failure) {
  std::cerr << "primes: " << failure.what() << '\n';
  return 1;
}
