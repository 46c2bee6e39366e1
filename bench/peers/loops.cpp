/// The loops that riffle's users would otherwise write, one program, each printing its answer.
#include <immintrin.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "bench/peers/mapped.hpp"

namespace riffle::peers {

namespace {

std::ifstream open_file(const char* path) {
  std::ifstream file(path);
  if (!file) throw std::system_error(errno, std::generic_category(), path);
  return file;
}

/// Calls `use` with each line of a file, without its newline, found by memchr.
template <class Use>
void each_line(const char* path, Use use) {
  const mapped file(path);
  const char* at = file.bytes().data();
  const char* const end = at + file.bytes().size();
  while (at != end) {
    const void* const newline = std::memchr(at, '\n', static_cast<std::size_t>(end - at));
    const char* const line_end = newline != nullptr ? static_cast<const char*>(newline) : end;
    use(at, line_end);
    at = line_end == end ? end : line_end + 1;
  }
}

records lines_memchr(const char* path) {
  records lines;
  each_line(path, [&](const char* at, const char* end) { lines.add({at, end}); });
  return lines;
}

records lines_getline(const char* path) {
  std::FILE* const file = std::fopen(path, "r");
  if (file == nullptr) throw std::system_error(errno, std::generic_category(), path);
  records lines;
  char* line = nullptr;
  std::size_t capacity = 0;
  for (ssize_t got = 0; (got = getline(&line, &capacity, file)) > 0;) {
    const auto length = static_cast<std::size_t>(got);
    lines.add({line, line[length - 1] == '\n' ? length - 1 : length});
  }
  std::free(line);
  std::fclose(file);
  return lines;
}

records lines_std_getline(const char* path) {
  std::ifstream file = open_file(path);
  records lines;
  for (std::string line; std::getline(file, line);) lines.add(line);
  return lines;
}

/// The third of the tab-separated fields of each line, found by a search for each field: all of them, as a
/// program does that uses several columns, or only those up to the third.
records column_memchr(const char* path, bool all_fields) {
  records fields;
  each_line(path, [&](const char* at, const char* end) {
    for (int number = 1; all_fields || number <= 3; ++number) {
      const void* const tab = std::memchr(at, '\t', static_cast<std::size_t>(end - at));
      const char* const field_end = tab != nullptr ? static_cast<const char*>(tab) : end;
      if (number == 3) fields.add({at, field_end});
      if (tab == nullptr) break;
      at = field_end + 1;
    }
  });
  return fields;
}

/// The newlines among 64 bytes, one bit for each.
[[gnu::target("avx2"), gnu::always_inline]] inline std::uint64_t newline_mask(const char* bytes) noexcept {
  const __m256i newline = _mm256_set1_epi8('\n');
  const auto half = [&](const char* at) __attribute__((target("avx2"), always_inline)) {
    const __m256i block = _mm256_loadu_si256(static_cast<const __m256i*>(static_cast<const void*>(at)));
    return static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(block, newline)));
  };
  return half(bytes) | std::uint64_t{half(bytes + 32)} << 32U;
}

/// By hand: 64 bytes to a mask, then one step a newline. Nobody ships it; it is what an expert would write.
[[gnu::target("avx2,bmi,bmi2")]] records lines_mask(const char* path) {
  const mapped file(path);
  const std::string_view bytes = file.bytes();
  records lines;
  std::size_t start = 0;
  std::size_t at = 0;
  for (; at + 64 <= bytes.size(); at += 64) {
    for (std::uint64_t mask = newline_mask(bytes.data() + at); mask != 0; mask &= mask - 1) {
      const std::size_t newline = at + static_cast<std::size_t>(__builtin_ctzll(mask));
      lines.add({bytes.data() + start, newline - start});
      start = newline + 1;
    }
  }
  for (; at < bytes.size(); ++at) {
    if (bytes[at] != '\n') continue;
    lines.add(bytes.substr(start, at - start));
    start = at + 1;
  }
  if (start < bytes.size()) lines.add(bytes.substr(start));
  return lines;
}

/// isspace of the C locale, without its call or its table.
bool is_white(char byte) noexcept {
  return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

/// Words as views, byte by byte.
records words_bytes(const char* path) {
  const mapped file(path);
  const char* at = file.bytes().data();
  const char* const end = at + file.bytes().size();
  records words;
  while (true) {
    while (at != end && is_white(*at)) ++at;
    if (at == end) return words;
    const char* const start = at;
    while (at != end && !is_white(*at)) ++at;
    words.add({start, static_cast<std::size_t>(at - start)});
  }
}

/// The one-billion-row task.
int stations(const char* path) {
  struct station {
    double low = 100;
    double high = -100;
    double sum = 0;
    std::uint64_t count = 0;
  };
  std::ifstream file = open_file(path);
  std::unordered_map<std::string, station> all;
  std::string name;
  std::string text;
  while (std::getline(file, name, ';') && std::getline(file, text)) {
    const double degrees = std::stod(text);
    station& one = all[name];
    one.low = std::min(one.low, degrees);
    one.high = std::max(one.high, degrees);
    one.sum += degrees;
    ++one.count;
  }
  std::cout << std::fixed << std::setprecision(1) << '{';
  const char* comma = "";
  for (const auto& [place, one] : std::map<std::string, station>(all.begin(), all.end())) {
    // The sum is rounded to tenths first: its error is far below. Halves go up, as the task says.
    const double mean = std::round(10 * one.sum) / static_cast<double>(one.count);
    std::cout << comma << place << '=' << one.low << '/' << std::floor(mean + 0.5) / 10 << '/' << one.high;
    comma = ", ";
  }
  std::cout << "}\n";
  return 0;
}

int frequent_words(const char* path) {
  std::ifstream file = open_file(path);
  std::unordered_map<std::string, std::uint64_t> counts;
  for (std::string word; file >> word;) ++counts[word];
  std::vector<std::pair<std::string, std::uint64_t>> ranking(counts.begin(), counts.end());
  std::ranges::sort(ranking, [](const auto& one, const auto& other) {
    return one.second != other.second ? one.second > other.second : one.first < other.first;
  });
  ranking.resize(std::min<std::size_t>(10, ranking.size()));
  for (const auto& [word, count] : ranking) std::cout << count << '\t' << word << '\n';
  return 0;
}

int fastq(const char* path) {
  std::ifstream file = open_file(path);
  std::uint64_t bases = 0;
  std::uint64_t gc = 0;
  std::uint64_t quality = 0;
  std::vector<std::size_t> lengths;
  for (std::string name, read, plus, qualities; std::getline(file, name);) {
    std::getline(file, read);
    std::getline(file, plus);
    std::getline(file, qualities);
    if (name.front() != '@' || plus.front() != '+' || read.size() != qualities.size())
      throw std::runtime_error("no FASTQ");
    bases += read.size();
    lengths.push_back(read.size());
    for (const char base : read) gc += base == 'G' || base == 'C' || base == 'g' || base == 'c' ? 1U : 0U;
    for (const char one : qualities) quality += static_cast<unsigned char>(one) - 33U;
  }
  std::ranges::sort(lengths);
  std::uint64_t below = 0;
  std::size_t n50 = 0;
  for (const std::size_t length : lengths) {
    if (2 * below <= bases) n50 = length;
    below += length;
  }
  std::cout << std::fixed << std::setprecision(2) << lengths.size() << '\t' << bases << '\t'
            << 100 * static_cast<double>(gc) / static_cast<double>(bases) << '\t'
            << static_cast<double>(quality) / static_cast<double>(bases) << '\t' << n50 << '\n';
  return 0;
}

/// The sum of the fourth column.
int sum_tsv(const char* path) {
  std::ifstream file = open_file(path);
  std::string line;
  std::getline(file, line);
  double sum = 0;
  while (std::getline(file, line)) {
    std::size_t start = 0;
    for (int tabs = 0; tabs < 3; ++tabs) start = line.find('\t', start) + 1;
    sum += std::stod(line.substr(start, line.find('\t', start) - start));
  }
  std::cout << std::fixed << std::setprecision(2) << sum << '\n';
  return 0;
}

int run(std::string_view task, const char* path) {
  if (task == "lines-memchr") return print(lines_memchr(path));
  if (task == "lines-getline") return print(lines_getline(path));
  if (task == "lines-std-getline") return print(lines_std_getline(path));
  if (task == "lines-mask") return print(lines_mask(path));
  if (task == "tsv-memchr") return print(column_memchr(path, true));
  if (task == "tsv-memchr-first") return print(column_memchr(path, false));
  if (task == "words-bytes") return print(words_bytes(path));
  if (task == "gc-mapped") return count_gc(mapped(path).bytes());
  if (task == "stations") return stations(path);
  if (task == "frequent-words") return frequent_words(path);
  if (task == "fastq") return fastq(path);
  if (task == "sum-tsv") return sum_tsv(path);
  throw std::invalid_argument("no such task");
}

}  // namespace

}  // namespace riffle::peers

int main(int count, char** arguments) {
  return riffle::peers::run_task("loops", riffle::peers::run, count, arguments);
}
