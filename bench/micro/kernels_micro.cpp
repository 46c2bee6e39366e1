/// Shows how far each SIMD kernel is from the limit of the L1 cache, the L2 cache and the memory.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "cli/kernel/kernels.hpp"

namespace {

using riffle::kernel::table;
using tool_table = riffle::cli::kernel::table;

/// One SIMD kernel over all of `data`; the masks go to a
/// buffer for 16 KiB at a time, as line iterators use them.
template <class Table>
struct scan {
  const char* name;
  std::function<void(const Table&, std::string_view data)> run;
};

template <class Match>
void match_batches(std::string_view data, Match match) {
  constexpr std::size_t batch = 16384;
  std::uint64_t masks[batch / 64];
  for (; !data.empty(); data.remove_prefix(std::min(batch, data.size()))) {
    match(data.substr(0, batch), masks);
    benchmark::DoNotOptimize(masks);
  }
}

template <class T>
void min_max(const tool_table& kernel, std::string_view data) {
  benchmark::DoNotOptimize(
      std::get<riffle::cli::kernel::min_max_kernel<T>>(kernel.min_max)(data.data(), data.size() / sizeof(T)));
}

const riffle::byte_set gc("cCgG");
const riffle::byte_set vowels_high("aeiou\xC3\x80\xF1");

const std::vector<scan<table>>& scans() {
  static const std::vector<scan<table>> list{
      {"count_byte",
       [](auto& k, auto d) { benchmark::DoNotOptimize(k.count_byte(d.data(), d.size(), '\n')); }},
      {"count_set/cube",
       [](auto& k, auto d) { benchmark::DoNotOptimize(k.count_set(d.data(), d.size(), gc)); }},
      {"count_set/nibble",
       [](auto& k, auto d) {
         benchmark::DoNotOptimize(k.count_set(d.data(), d.size(), riffle::white_space));
       }},
      {"count_set/any",
       [](auto& k, auto d) { benchmark::DoNotOptimize(k.count_set(d.data(), d.size(), vowels_high)); }},
      {"count_words",
       [](auto& k, auto d) { benchmark::DoNotOptimize(k.count_words(d.data(), d.size(), false)); }},
      {"valid_utf8", [](auto& k, auto d) { benchmark::DoNotOptimize(k.valid_utf8(d.data(), d.size())); }},
      {"count_utf8", [](auto& k, auto d) { benchmark::DoNotOptimize(k.count_utf8(d.data(), d.size())); }},
      {"match_byte",
       [](auto& k, auto d) {
         match_batches(d,
                       [&k](auto part, auto* masks) { k.match_byte(part.data(), part.size(), '\n', masks); });
       }},
      {"match_set/nibble",
       [](auto& k, auto d) {
         match_batches(d, [&k](auto part, auto* masks) {
           k.match_set(part.data(), part.size(), riffle::white_space, masks);
         });
       }},
      {"match_set/any",
       [](auto& k, auto d) {
         match_batches(
             d, [&k](auto part, auto* masks) { k.match_set(part.data(), part.size(), vowels_high, masks); });
       }},
      {"sum_u8", [](auto& k, auto d) { benchmark::DoNotOptimize(k.sum_u8(d.data(), d.size())); }},
      {"sum_i16", [](auto& k, auto d) { benchmark::DoNotOptimize(k.sum_i16(d.data(), d.size() / 2)); }},
      {"sum_i32", [](auto& k, auto d) { benchmark::DoNotOptimize(k.sum_i32(d.data(), d.size() / 4)); }},
      {"sum_u64", [](auto& k, auto d) { benchmark::DoNotOptimize(k.sum_u64(d.data(), d.size() / 8)); }},
      {"add_f32",
       [](auto& k, auto d) {
         double lanes[riffle::kernel::float_lanes] = {};
         k.add_f32(d.data(), d.size() / 4, lanes);
         benchmark::DoNotOptimize(lanes);
       }},
      {"add_f64",
       [](auto& k, auto d) {
         double lanes[riffle::kernel::float_lanes] = {};
         k.add_f64(d.data(), d.size() / 8, lanes);
         benchmark::DoNotOptimize(lanes);
       }},
  };
  return list;
}

const std::vector<scan<tool_table>>& scans_of_tool() {
  static const std::vector<scan<tool_table>> list{
      {"count_words_utf8",
       [](auto& k, auto d) {
         bool in_word = false;
         benchmark::DoNotOptimize(k.count_words_utf8(d.data(), d.size(), {}, in_word));
       }},
      {"find_wide_line",
       [](auto& k, auto d) {
         const riffle::cli::kernel::column_bounds bounds{
             riffle::cli::kernel::plan(riffle::byte_set("acegimothn,.GT \xA9")), true};
         benchmark::DoNotOptimize(k.find_wide_line(d.data(), d.size(), bounds, 1000));
       }},
      {"min_max_u8", min_max<std::uint8_t>},
      {"min_max_i32", min_max<std::int32_t>},
      {"min_max_u64", min_max<std::uint64_t>},
      {"min_max_f64", min_max<double>},
  };
  return list;
}

/// Text of short words, some of it not ASCII, whose bytes also make harmless floats.
const std::string& text() {
  static const std::string bytes = [] {
    std::string made(std::size_t{256} << 20U, ' ');
    std::uint32_t random = 1;
    for (std::size_t i = 0; i < made.size(); ++i) {
      random = random * 1664525 + 1013904223;
      made[i] = "acegimot \xC3h\n,.GT"[random >> 28U];
      if (made[i] == '\xC3' && i + 1 != made.size()) made[++i] = '\xA9';
    }
    return made;
  }();
  return bytes;
}

template <class Table>
void measure(benchmark::State& state, const Table& kernel, const scan<Table>& scanned) {
  const std::string_view data = std::string_view(text()).substr(0, static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) scanned.run(kernel, data);
  state.SetBytesProcessed(state.iterations() * state.range(0));
}

/// The least that a plain loop can do with every word. In memory that is its limit; in the caches the
/// kernels, with wider loads, are above it.
void plain(benchmark::State& state) {
  const std::string_view data = std::string_view(text()).substr(0, static_cast<std::size_t>(state.range(0)));
  const auto* const words = reinterpret_cast<const std::uint64_t*>(data.data());
  for (auto _ : state) {
    std::uint64_t a = 0;
    std::uint64_t b = 0;
    std::uint64_t c = 0;
    std::uint64_t d = 0;
    for (std::size_t i = 0; i < data.size() / 8; i += 32) {
      for (std::size_t j = 0; j < 32; j += 4) {
        a ^= words[i + j];
        b ^= words[i + j + 1];
        c ^= words[i + j + 2];
        d ^= words[i + j + 3];
      }
    }
    benchmark::DoNotOptimize(a ^ b ^ c ^ d);
  }
  state.SetBytesProcessed(state.iterations() * state.range(0));
}

benchmark::internal::Benchmark* sized(benchmark::internal::Benchmark* measured) {
  return measured->Arg(16 << 10)->Arg(1 << 20)->Arg(256 << 20);
}

template <class Table>
void add_benchmark(const scan<Table>& scanned, const Table& kernel) {
  sized(benchmark::RegisterBenchmark(
      (std::string(scanned.name) + "/" + kernel.name).c_str(),
      [&kernel, &scanned](benchmark::State& state) { measure(state, kernel, scanned); }));
}

}  // namespace

int main(int argc, char** argv) {
  sized(benchmark::RegisterBenchmark("plain/xor", plain));
  for (const table* const kernel : riffle::kernel::available()) {
    for (const auto& scanned : scans()) add_benchmark(scanned, *kernel);
    for (const auto& scanned : scans_of_tool()) add_benchmark(scanned, riffle::cli::kernel::beside(*kernel));
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
