/// Why this file exists: the least program that includes riffle, links it and catches what it throws.
#include <riffle/error.hpp>

#include <cstdio>

int main() {
  try {
    throw riffle::error(riffle::errc::truncated, "read", "sample", 4096);
  } catch (const riffle::error& error) {
    std::puts(error.what());
    return error.offset() == 4096 ? 0 : 1;
  }
}
