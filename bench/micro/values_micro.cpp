/// Shows what a value costs beside loops by hand over the same memory, by `memcpy` as a careful author writes
/// them.
#include <benchmark/benchmark.h>
#include <riffle/riffle.hpp>

#include <cstring>
#include <random>
#include <span>
#include <string>
#include <type_traits>

namespace {

struct of_12 {
  std::uint32_t id;
  std::uint16_t kind;
  std::uint16_t flags;
  float weight;
};
struct of_16 {
  std::uint64_t id;
  std::uint32_t kind;
  float weight;
};

/// The bytes all loops read. A multiple of every size of value; the numbers in them are ordinary ones.
std::string_view data(std::size_t size) {
  static const std::string made = [] {
    std::string bytes(48 << 20, '\0');
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> number;
    for (std::size_t at = 0; at != bytes.size(); at += sizeof(double)) {
      const double value = number(random);
      std::memcpy(bytes.data() + at, &value, sizeof(value));
    }
    return bytes;
  }();
  return std::string_view(made).substr(0, size);
}

template <class T>
using total = std::conditional_t<std::is_same_v<T, double>, double, std::uint64_t>;

template <class T>
void add(total<T>& sum, const T& value) {
  if constexpr (std::is_same_v<T, char>) {
    sum += (value & 0xDB) == 0x43 ? 1 : 0;  // 'C' and 'G' in either case
  } else if constexpr (std::is_arithmetic_v<T>) {
    sum += value;
  } else if constexpr (std::is_same_v<T, of_12>) {
    sum += value.id + value.kind + value.flags + (value.weight > 1.0F ? 1 : 0);
  } else {
    sum += value.id + value.kind + (value.weight > 1.0F ? 1 : 0);
  }
}

template <class T>
total<T> by_hand(std::string_view bytes) {
  total<T> sum{};
  for (const char *at = bytes.data(), *end = at + bytes.size(); at != end; at += sizeof(T)) {
    T value;
    std::memcpy(&value, at, sizeof(T));
    add<T>(sum, value);
  }
  return sum;
}

template <class T>
total<T> range_for(std::string_view bytes) {
  total<T> sum{};
  for (const T value : riffle::values<T>(riffle::memory(bytes))) add<T>(sum, value);
  return sum;
}

template <class T>
total<T> for_each(std::string_view bytes) {
  total<T> sum{};
  riffle::for_each(riffle::values<T>(riffle::memory(bytes)), [&](const T& value) { add<T>(sum, value); });
  return sum;
}

template <class T>
total<T> spans(std::string_view bytes) {
  total<T> sum{};
  for (const std::span<const T> some : riffle::values<T>(riffle::memory(bytes)).spans()) {
    for (const T& value : some) add<T>(sum, value);
  }
  return sum;
}

std::uint64_t fields_by_hand(std::string_view bytes) {
  std::uint64_t sum = 0;
  for (const char *at = bytes.data(), *end = at + bytes.size(); at != end; at += sizeof(of_12)) {
    of_12 value;
    std::memcpy(&value.id, at, 4);
    std::memcpy(&value.kind, at + 4, 2);
    std::memcpy(&value.flags, at + 6, 2);
    std::memcpy(&value.weight, at + 8, 4);
    add<of_12>(sum, value);
  }
  return sum;
}

std::uint64_t four_gets(std::string_view bytes) {
  std::uint64_t sum = 0;
  riffle::reader in{riffle::memory(bytes)};
  while (!in.at_end()) {
    const of_12 value{in.get<std::uint32_t>(), in.get<std::uint16_t>(), in.get<std::uint16_t>(),
                      in.get<float>()};
    add<of_12>(sum, value);
  }
  return sum;
}

template <class T>
using loop = total<T> (*)(std::string_view);

// `by_hand` gives the answer, to the last bit: doubles are added in the same order by every loop.
template <class T>
void measure(const std::string& name, loop<T> run, loop<T> plain) {
  benchmark::RegisterBenchmark(name.c_str(),
                               [run, plain](benchmark::State& state) {
                                 const std::string_view bytes =
                                     data(static_cast<std::size_t>(state.range(0)));
                                 const total<T> expected = plain(bytes);
                                 for (auto _ : state) {
                                   if (run(bytes) != expected) return state.SkipWithError("wrong answer");
                                 }
                                 state.SetBytesProcessed(state.iterations() * state.range(0));
                               })
      ->Arg(192 << 10)
      ->Arg(6 << 20)
      ->Arg(48 << 20);
}

template <class T>
void measure_values(const std::string& name) {
  measure<T>("values/" + name + "/by-hand", by_hand<T>, by_hand<T>);
  measure<T>("values/" + name + "/range-for", range_for<T>, by_hand<T>);
  measure<T>("values/" + name + "/for_each", for_each<T>, by_hand<T>);
  measure<T>("values/" + name + "/spans", spans<T>, by_hand<T>);
}

const bool registered = [] {
  measure_values<char>("gc");
  measure_values<std::uint16_t>("u16");
  measure_values<std::uint32_t>("u32");
  measure_values<std::uint64_t>("u64");
  measure_values<double>("double");
  measure_values<of_12>("struct12");
  measure_values<of_16>("struct16");
  measure<of_12>("reader/by-hand", fields_by_hand, fields_by_hand);
  measure<of_12>("reader/four-gets", four_gets, fields_by_hand);
  return true;
}();

}  // namespace
