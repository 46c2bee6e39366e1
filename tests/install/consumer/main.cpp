/// A stranger's program: it includes riffle, reads its own executable with it, catches its error.
#include <riffle/error.hpp>
#include <riffle/lines.hpp>
#include <riffle/scan.hpp>

#include <cstdint>
#include <cstdio>
#include <string_view>

int main(int, char** arguments) {
  std::uint64_t bytes = 0;
  for (const std::string_view line : riffle::lines(arguments[0], {.keep_delimiter = true}))
    bytes += line.size();
  if (bytes == 0 || riffle::scan::count_any_of("gattaca", "gc") != 2) return 1;
  try {
    for (const std::string_view line : riffle::lines("no such file")) return static_cast<int>(line.size());
  } catch (const riffle::error& error) {
    std::puts(error.what());
    return error.path() == "no such file" ? 0 : 1;
  }
  return 1;
}
