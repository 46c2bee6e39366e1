/// What a file in C++17 and one in C++20 tell each other of an input.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// What was read before the failure, and what the failure says.
struct answer {
  std::vector<std::string> records = {};
  bool failed = false;
  std::uint64_t offset = 0;
  std::string path = {};
  std::string message = {};
};

/// Ways to read by riffle17.hpp.
answer lines_by_17(const std::string& path, bool decode);
answer words_by_17(const std::string& path, bool decode);
answer lines_of_memory_by_17(const std::string& bytes);
answer reader_by_17(const std::string& path, bool decode);
/// Returns what is wrong with the rest of riffle17.hpp; an empty string if nothing is.
std::string faults_of_17(const std::string& path);
