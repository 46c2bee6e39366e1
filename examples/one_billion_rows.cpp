/// The one-billion-row task: the lowest, mean and highest of each station, by `riffle::parallel_for_each`.
#include <cmath>
#include <cstring>
#include <iostream>
#include <map>
#include <mutex>
#include <ranges>
#include <riffle/riffle.hpp>

struct station {
  std::string name;
  double low = 999, high = -999, sum = 0, count = 0;  // temperatures in tenths of a degree
  void add(double lowest, double highest, double total, double readings) {
    low = std::min(low, lowest), high = std::max(high, highest), sum += total, count += readings;
  }
};

/// Adds a row such as `Hamburg;-3.4`; false: it is none. The first eight bytes of a name choose its bucket.
static bool add(std::vector<std::vector<station>>& stations, std::string_view row) {
  if (row.size() < 5) return false;
  const auto digit = [&](int at) { return static_cast<unsigned char>(row.end()[at] - '0'); };
  const bool tens = digit(-4) < 10, minus = row[row.size() - 4 - tens] == '-';
  const std::size_t end = row.size() - 4 - tens - minus;  // of the name
  if (end - 1 >= row.size() || row[end] != ';' || digit(-3) > 9 || row.end()[-2] != '.' || digit(-1) > 9)
    return false;
  const int tenths = (tens * digit(-4) * 100 + digit(-3) * 10 + digit(-1)) * (1 - 2 * minus);
  std::uint64_t first = 0;
  if (row.size() >= 8) std::memcpy(&first, row.data(), 8);
  auto& bucket = stations[(first << (64 - 8 * std::min<std::size_t>(end, 8))) * 0x9E3779B97F4A7C15 >> 52];
  auto at = std::ranges::find(bucket, row.substr(0, end), &station::name);
  if (at == bucket.end()) at = bucket.insert(at, station{std::string(row, 0, end)});
  at->add(tenths, tenths, tenths, 1);
  return true;
}

int main(int argc, char** argv) try {
  if (argc != 2) throw std::invalid_argument("usage: one_billion_rows FILE");
  std::map<std::string, station> all;
  std::mutex merging;
  riffle::parallel_for_each(argv[1], [&](const riffle::block& split) {
    std::vector<std::vector<station>> stations(4096);
    riffle::for_each(riffle::lines(riffle::memory(split.bytes)), [&](std::string_view row) {
      if (add(stations, row)) return;
      const std::uint64_t offset = split.offset + static_cast<std::size_t>(row.data() - split.bytes.data());
      throw std::runtime_error("no station and temperature at offset " + std::to_string(offset));
    });
    const std::lock_guard lock(merging);
    for (const auto& s : stations | std::views::join) all[s.name].add(s.low, s.high, s.sum, s.count);
  });
  const char* before = "{";
  for (const auto& [name, s] : all)
    std::printf("%s%s=%.1f/%.1f/%.1f", std::exchange(before, ", "), name.c_str(), s.low / 10,
                std::floor(0.5 + s.sum / s.count) / 10, s.high / 10);
  std::puts(all.empty() ? "{}" : "}");
  if (std::fflush(stdout) != 0) throw std::runtime_error("cannot write the result");
} catch (const std::exception& failure) {
  std::cerr << "one_billion_rows: " << failure.what() << '\n';
  return 1;
}
