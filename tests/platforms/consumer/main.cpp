/// A user's program: counts the lines and bytes of a file, or of standard input.
#include <riffle/riffle.hpp>

#include <iostream>

int main(int count, char** arguments) try {
  const riffle::input from = count > 1 ? riffle::input(arguments[1]) : riffle::input(0);
  std::uint64_t lines = 0, bytes = 0;
  for (const riffle::block part : riffle::blocks(from)) {
    lines += riffle::scan::count_lines(part.bytes);
    bytes += part.size();
  }
  std::cout << lines << " lines, " << bytes << " bytes\n";
} catch (const riffle::error& failure) {
  std::cerr << failure.what() << '\n';
  return 1;
}
