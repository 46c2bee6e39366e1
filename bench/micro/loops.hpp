/// The loops that people write by hand, beside which records of files and of short memory are measured.
#ifndef RIFFLE_BENCH_MICRO_LOOPS_HPP
#define RIFFLE_BENCH_MICRO_LOOPS_HPP

#include <riffle/riffle.hpp>

#include <cstring>

namespace riffle::micro {

/// What every loop sums up, so that none can be dropped.
struct total {
  std::uint64_t records = 0;
  std::uint64_t bytes = 0;
  void add(std::string_view record) {
    ++records;
    bytes += record.size();
  }
  friend bool operator==(const total&, const total&) = default;
};

using loop = void (*)(std::string_view, total&);

// With `empty_last`, there is a record behind a delimiter at the end.
template <char delimiter, bool empty_last>
void by_memchr(std::string_view text, total& sum) {
  const char* const end = text.data() + text.size();
  for (const char* at = text.data();;) {
    if (!empty_last && at == end) return;
    const auto* const stop =
        static_cast<const char*>(std::memchr(at, delimiter, static_cast<std::size_t>(end - at)));
    sum.add({at, static_cast<std::size_t>((stop == nullptr ? end : stop) - at)});
    if (stop == nullptr) return;
    at = stop + 1;
  }
}

inline void words_by_hand(std::string_view text, total& sum) {
  const auto white = [](char byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); };
  for (std::size_t at = 0; at < text.size();) {
    if (white(text[at])) {
      ++at;
      continue;
    }
    const std::size_t word = at;
    while (at < text.size() && !white(text[at])) ++at;
    sum.add(text.substr(word, at - word));
  }
}

inline void lines_of_memory(std::string_view text, total& sum) {
  for (const std::string_view line : lines(memory(text))) sum.add(line);
}

}  // namespace riffle::micro

#endif
