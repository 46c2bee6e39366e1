/// The bytes of the generated inputs: the same size gives the same bytes everywhere.
#include <algorithm>
#include <array>
#include <ostream>
#include <string>
#include <vector>

#include "bench/inputs/inputs.hpp"
#include "bench/stats/random.hpp"

namespace riffle::bench {

namespace {

std::vector<std::string> vocabulary() {
  constexpr std::array onsets{"b", "c", "d", "f", "g",  "h",  "l", "m", "n",
                              "p", "r", "s", "t", "th", "st", "w", "tr"};
  constexpr std::array vowels{"a", "e", "i", "o", "u", "ea", "ou"};
  constexpr std::array endings{"", "", "n", "r", "s", "t", "nd", "ll", "ck"};
  random_numbers random(7);
  std::vector<std::string> words;
  for (unsigned i = 0; i < 4096; ++i) {
    // Frequent words are short.
    const std::uint64_t syllables = 1 + random.below(i < 128 ? 2 : 4);
    std::string word;
    for (std::uint64_t s = 0; s < syllables; ++s) {
      word += onsets[random.below(onsets.size())];
      word += vowels[random.below(vowels.size())];
    }
    words.push_back(word + endings[random.below(endings.size())]);
  }
  return words;
}

// Zipf's law, near enough: a word's rank is 2^x - 1 for
// x uniform, so each doubling of rank is equally likely.
std::size_t rank(random_numbers& random) {
  const std::size_t ranks = std::size_t{1} << random.below(12);
  return ranks - 1 + random.below(ranks);
}

std::string next_line(random_numbers& random, const std::vector<std::string>& words) {
  // From 12 to 115 bytes, the longest word's part included.
  const std::uint64_t least = 12 + random.below(104);
  std::string line = words[rank(random)];
  if (random.below(8) == 0) line[0] = static_cast<char>(line[0] - 'a' + 'A');
  while (line.size() + 1 < least) {
    const std::uint64_t mark = random.below(16);
    if (mark == 0) line += ',';
    if (mark == 1) line += '.';
    line += ' ';
    line += words[rank(random)];
  }
  line += '\n';
  return line;
}

/// Collects small pieces and writes them in large ones.
class gathered {
 public:
  explicit gathered(std::ostream& out) : out_(out) {}
  gathered(const gathered&) = delete;
  gathered& operator=(const gathered&) = delete;
  ~gathered() { flush(); }
  void add(std::string_view bytes) {
    pending_.append(bytes);
    if (pending_.size() > (std::size_t{1} << 20)) flush();
  }
  /// False after a failure: what comes now is for nothing.
  explicit operator bool() const { return static_cast<bool>(out_); }

 private:
  void flush() {
    out_.write(pending_.data(), static_cast<std::streamsize>(pending_.size()));
    pending_.clear();
  }
  std::ostream& out_;
  std::string pending_;
};

template <class T>
std::string_view bytes_of(const T& values) {
  return {static_cast<const char*>(static_cast<const void*>(values.data())),
          values.size() * sizeof(typename T::value_type)};
}

}  // namespace

void write_text(std::ostream& out, std::uint64_t size, std::uint64_t seed) {
  const std::vector<std::string> words = vocabulary();
  random_numbers random(seed);
  gathered text(out);
  std::uint64_t written = 0;
  while (text) {
    const std::string line = next_line(random, words);
    if (written + line.size() > size) return;
    text.add(line);
    written += line.size();
  }
}

void write_genome(std::ostream& out, std::uint64_t size) {
  constexpr std::string_view header = ">riffle made sequence\n";
  constexpr std::size_t line_size = 61;
  if (size < header.size()) return;
  random_numbers random(11);
  gathered genome(out);
  genome.add(header);
  for (std::uint64_t left = size - header.size(); left >= line_size && genome; left -= line_size) {
    std::array<char, line_size> line;
    for (std::size_t i = 0; i < line_size - 1; i += 30) {
      std::uint64_t bits = random.next();
      for (std::size_t j = 0; j < 30; ++j, bits >>= 2) line[i + j] = "ACGT"[bits & 3U];
    }
    line.back() = '\n';
    genome.add({line.data(), line.size()});
  }
}

void write_ints(std::ostream& out, std::uint64_t size) {
  constexpr std::int32_t length = 512;
  std::array<std::int32_t, length + 1> array{};
  array[0] = length;
  random_numbers random(13);
  gathered arrays(out);
  for (std::uint64_t left = size; left >= sizeof array && arrays; left -= sizeof array) {
    for (std::size_t i = 1; i < array.size(); ++i) array[i] = static_cast<std::int32_t>(random.next() >> 33);
    arrays.add(bytes_of(array));
  }
}

void write_primes(std::ostream& out, std::uint64_t size) {
  // A segmented sieve of Eratosthenes. `small` holds the primes up to the square root of the segment's end,
  // and `next` the first multiple of each that has not been crossed out.
  constexpr std::size_t segment = std::size_t{1} << 18;
  std::uint64_t wanted = size / sizeof(std::uint64_t);
  std::vector<std::uint64_t> small;
  std::vector<std::uint64_t> next;
  std::vector<std::uint64_t> found;
  std::uint64_t candidate = 2;  // the next that may join `small`
  gathered primes(out);
  for (std::uint64_t low = 0; wanted > 0 && primes; low += segment) {
    for (; candidate * candidate < low + segment; ++candidate) {
      if (std::none_of(small.begin(), small.end(), [&](std::uint64_t p) { return candidate % p == 0; })) {
        small.push_back(candidate);
        next.push_back(candidate * candidate);
      }
    }
    std::vector<bool> composite(segment, false);
    if (low == 0) composite[0] = composite[1] = true;
    for (std::size_t i = 0; i < small.size(); ++i) {
      for (; next[i] < low + segment; next[i] += small[i]) {
        composite[static_cast<std::size_t>(next[i] - low)] = true;
      }
    }
    found.clear();
    for (std::size_t i = 0; i < segment && found.size() < wanted; ++i) {
      if (!composite[i]) found.push_back(low + i);
    }
    wanted -= found.size();
    primes.add(bytes_of(found));
  }
}

}  // namespace riffle::bench
