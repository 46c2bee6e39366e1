/// A stranger's program in C++17.
#include <riffle/riffle17.hpp>

static_assert(__cplusplus == 201703L);

int main(int, char** arguments) {
  std::size_t count = 0;
  for (const std::string_view line : riffle17::lines(arguments[0])) count += line.empty() ? 0U : 1U;
  return count == 0 ? 1 : 0;
}
