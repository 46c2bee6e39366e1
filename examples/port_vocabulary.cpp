/// Counts the words and sentences of a training text, one a line, as trainers of word vectors do:
/// `port_vocabulary before|after FILE`, by std::ifstream or by `riffle::tokens`.
#include <fstream>
#include <functional>
#include <iostream>
#include <riffle/words.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unordered_map>

namespace {

struct view_hash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

struct vocabulary {
  std::unordered_map<std::string, std::uint64_t, view_hash, std::equal_to<>> words;
  std::uint64_t sentences = 0;
};

// A failure to read is as the end of the file.
vocabulary before(const char* path) {
  vocabulary found;
  std::ifstream in(path);
  std::string word;
  for (std::string line; std::getline(in, line); ++found.sentences) {
    std::istringstream words(line);
    while (words >> word) ++found.words[word];
  }
  return found;
}

vocabulary after(const char* path) {
  vocabulary found;
  for (const std::string_view word : riffle::tokens(path, {.decode = riffle::decoding::automatic})) {
    if (word.empty()) {
      ++found.sentences;
    } else if (const auto at = found.words.find(word); at != found.words.end()) {
      ++at->second;
    } else {
      found.words.emplace(word, 1);
    }
  }
  return found;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3) throw std::invalid_argument("usage: port_vocabulary before|after FILE");
  const vocabulary found = argv[1] == std::string("before") ? before(argv[2]) : after(argv[2]);
  std::uint64_t total = 0;
  for (const auto& [word, count] : found.words) total += count;
  std::cout << found.words.size() << ' ' << total << ' ' << found.sentences << '\n';
} catch (const std::exception& failure) {
  std::cerr << "port_vocabulary: " << failure.what() << '\n';
  return 1;
}
