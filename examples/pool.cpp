/// Prints the ten most frequent words of a file; their memory is a
/// std::pmr pool on `riffle::anonymous_memory`.
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <memory_resource>
#include <riffle/riffle.hpp>
#include <string>
#include <unordered_map>
#include <vector>

int main(int argc, char** argv) try {
  if (argc != 2) throw std::invalid_argument("usage: pool FILE");
  riffle::anonymous_memory memory(riffle::anonymous_options{.huge_pages = true});
  std::pmr::monotonic_buffer_resource pool(std::size_t{1} << 20, &memory);  // freed as a whole at the end
  std::pmr::unordered_map<std::pmr::string, std::int64_t> counts(&pool);

  std::pmr::string key(&pool);
  for (const std::string_view word : riffle::words(argv[1])) ++counts[key.assign(word)];

  std::pmr::vector<std::pair<std::int64_t, std::string_view>> top(&pool);
  for (const auto& [word, count] : counts) top.emplace_back(-count, word);  // the most frequent is the least
  std::ranges::sort(top);
  top.resize(std::min<std::size_t>(10, top.size()));
  for (const auto& [count, word] : top) std::cout << -count << '\t' << word << '\n';
} catch (const std::exception& failure) {
  std::cerr << "pool: " << failure.what() << '\n';
  return 1;
}
