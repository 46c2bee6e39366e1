/// Prints the ten most frequent words of a file; their memory is a
/// std::pmr pool on `riffle::anonymous_memory`.
#include <riffle/anonymous_memory.hpp>
#include <riffle/error.hpp>
#include <riffle/words.hpp>

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <memory_resource>
#include <string>
#include <unordered_map>
#include <vector>

int main(int argc, char** argv) try {
  if (argc != 2) {
    std::cerr << "usage: pool FILE\n";
    return 2;
  }
  riffle::anonymous_memory memory(riffle::anonymous_options{.huge_pages = true});
  std::pmr::monotonic_buffer_resource pool(std::size_t{1} << 20,
                                           &memory);  // freed as a whole at the end
  std::pmr::unordered_map<std::pmr::string, std::uint64_t> counts(&pool);

  std::pmr::string key(&pool);
  for (const std::string_view word : riffle::words(argv[1])) ++counts[key.assign(word)];

  using entry = const std::pair<const std::pmr::string, std::uint64_t>*;
  std::pmr::vector<entry> ranking(&pool);
  for (const auto& word : counts) ranking.push_back(&word);
  std::ranges::sort(ranking, [](entry one, entry other) {
    return one->second != other->second ? one->second > other->second : one->first < other->first;
  });
  for (std::size_t i = 0; i < std::min<std::size_t>(10, ranking.size()); ++i) {
    std::cout << ranking[i]->second << '\t' << ranking[i]->first << '\n';
  }
  return 0;
} catch (const riffle::error& failure) {
  std::cerr << "pool: " << failure.what() << '\n';
  return 1;
}
