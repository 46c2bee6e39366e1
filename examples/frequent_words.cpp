/// Prints the ten most frequent words of a file or of standard input: `riffle::words`.
#include <algorithm>
#include <cstring>
#include <iostream>
#include <ranges>
#include <riffle/riffle.hpp>

struct counted {
  std::string word;
  std::uint64_t count = 0;
};

/// A hash table with at least four buckets a word: most hold one word at most.
class word_counts {
 public:
  void add(std::string_view word) {
    std::vector<counted>& bucket = bucket_of(word);
    auto at = bucket.begin();
    while (at != bucket.end() && at->word != word) ++at;
    if (at == bucket.end()) at = bucket.insert(at, counted{std::string(word)});
    if (++at->count == 1 && ++words_ > buckets_.size() / 4) grow();
  }
  [[nodiscard]] auto all() const { return buckets_ | std::views::join; }

 private:
  std::vector<counted>& bucket_of(std::string_view word) {
    std::uint64_t hash = word.size(), last = 0;
    for (; word.size() >= 8; word.remove_prefix(8)) {
      std::memcpy(&last, word.data(), 8);
      hash = (hash ^ last) * 0x9E3779B97F4A7C15;
      hash ^= hash >> 32;
    }
    for (const char byte : word) last = last << 8 | static_cast<unsigned char>(byte);
    return buckets_[((hash ^ last) * 0x9E3779B97F4A7C15 >> 32) & (buckets_.size() - 1)];
  }
  void grow() {
    auto before = std::exchange(buckets_, std::vector<std::vector<counted>>(4 * buckets_.size()));
    for (counted& one : before | std::views::join) bucket_of(one.word).push_back(std::move(one));
  }
  std::vector<std::vector<counted>> buckets_{1 << 14};
  std::size_t words_ = 0;
};

int main(int argc, char** argv) try {
  const riffle::input from = argc > 1 ? riffle::input(argv[1]) : riffle::input(std::cin);
  word_counts counts;
  riffle::for_each(riffle::words(from), [&](std::string_view word) { counts.add(word); });
  std::vector<counted> top(10);
  const auto more = [](const counted& one, const counted& other) {
    return one.count != other.count ? one.count > other.count : one.word < other.word;
  };
  const auto end = std::ranges::partial_sort_copy(counts.all(), top, more).out;
  for (auto at = top.begin(); at != end; ++at) std::cout << at->count << '\t' << at->word << '\n';
  if (!std::cout.flush()) throw std::runtime_error("cannot write standard output");
} catch (const std::exception& failure) {
  std::cerr << "frequent_words: " << failure.what() << '\n';
  return 1;
}
