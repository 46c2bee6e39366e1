/// Copies lines from a file or standard input to standard output: `riffle::lines`.
#include <exception>
#include <iostream>
#include <riffle/riffle.hpp>
#include <string_view>

int main(int argc, char** argv) try {
  std::ios::sync_with_stdio(false);
  const riffle::input from = argc > 1 ? riffle::input(argv[1]) : riffle::input(std::cin);
  for (const std::string_view line : riffle::lines(from, {.keep_delimiter = true})) std::cout << line;
  std::cout.flush();
  if (!std::cout) throw std::runtime_error("cannot write standard output");
} catch (const std::exception& failure) {
  std::cerr << "copy_lines: " << failure.what() << '\n';
  return 1;
}
