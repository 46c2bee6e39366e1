/// Loads vectors from text, whose first number is their length: `port_vectors before|after FILE`, by `>>` of
/// a std::ifstream or by `reader::number`.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <riffle/reader.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct vectors {
  std::size_t length = 0;
  std::vector<float> values;
};

// What is no number ends it as the end of the file does.
vectors before(const char* path) {
  vectors found;
  std::ifstream in(path);
  in >> found.length;
  for (float value = 0; in >> value;) found.values.push_back(value);
  return found;
}

vectors after(const char* path) {
  vectors found;
  riffle::reader in(path, {.decode = riffle::decoding::automatic});
  found.length = in.number<std::size_t>().value_or(0);
  while (const auto value = in.number<float>()) found.values.push_back(*value);
  return found;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3) throw std::invalid_argument("usage: port_vectors before|after FILE");
  const vectors found = argv[1] == std::string("before") ? before(argv[2]) : after(argv[2]);
  if (found.length == 0 || found.values.size() % found.length != 0)
    throw std::runtime_error("a vector is cut");
  double sum = 0;
  for (const float value : found.values) sum += value;
  std::printf("%zu %.6f\n", found.values.size() / found.length, sum);
} catch (const std::exception& failure) {
  std::cerr << "port_vectors: " << failure.what() << '\n';
  return 1;
}
