/// What users write for the tasks of the examples with the standard library alone, each printing its answer.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <map>
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
  if (task == "stations") return stations(path);
  if (task == "frequent-words") return frequent_words(path);
  if (task == "fastq") return fastq(path);
  if (task == "sum-tsv") return sum_tsv(path);
  throw std::invalid_argument("no such task");
}

}  // namespace

}  // namespace riffle::peers

int main(int count, char** arguments) {
  return riffle::peers::run_task("record_loops", riffle::peers::run, count, arguments);
}
