/// Reads a binary format by `riffle::reader`: arrays, each a length and that many int32. Prints their
/// weighted sum: elements at odd indices count twice.
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>
#include <riffle/riffle.hpp>
#include <span>

int main(int argc, char** argv) try {
  if (argc != 2) throw std::invalid_argument("usage: ioaccess FILE");
  riffle::reader in(argv[1]);
  std::int64_t sum = 0;
  while (!in.at_end()) {
    const auto length = in.get<std::int32_t>();
    const std::span<const std::int32_t> array = in.take<std::int32_t>(length);
    for (std::size_t i = 0; i < array.size(); ++i) sum += i % 2 == 0 ? array[i] : std::int64_t{2} * array[i];
  }
  std::cout << sum << '\n';
} catch (const std::exception& failure) {
  std::cerr << "ioaccess: " << failure.what() << '\n';
  return 1;
}
