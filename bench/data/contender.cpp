/// The names of the tasks and the one list of all contenders.
#include "bench/data/contender.hpp"

#include <algorithm>

namespace riffle::bench {

namespace {

struct named_text {
  std::string_view name;
  std::string_view description;
};

// In the order of the enumeration.
constexpr std::array<named_text, all_tasks.size()> texts{{
    {"gc", "count c, C, g and G"},
    {"lines", "count lines and sum their lengths"},
    {"words", "count words"},
    {"ints", "weigh arrays of 32-bit integers"},
    {"primes", "count and sum 64-bit values"},
}};

constexpr std::array<named_text, 8> origins{{
    {"limit", "what no way of reading can beat, measured in the same rounds"},
    {"riffle", "riffle itself"},
    {"nvwa", "nvwa's line and byte readers (Wu Yongwei, 2016 and 2017)"},
    {"ioaccess", "\"Which is fastest: read, fread, ifstream or mmap?\" (Daniel Lemire, 2012)"},
    {"mapped", "\"Memory mapped files\" (Glen Dayton, 2022)"},
    {"wc_measurements", "\"Measuring I/O performance using a wc-like program\""},
    {"perl", "perl, as it is installed here"},
    {"wc", "wc(1), as it is installed here"},
}};

}  // namespace

std::string_view name_of(task which) noexcept {
  return texts[static_cast<std::size_t>(which)].name;
}
std::string_view description_of(task which) noexcept {
  return texts[static_cast<std::size_t>(which)].description;
}

std::optional<task> task_named(std::string_view name) noexcept {
  for (const task which : all_tasks) {
    if (name_of(which) == name) return which;
  }
  return std::nullopt;
}

std::string_view origin_of(std::string_view program) noexcept {
  const auto* const found = std::ranges::find(origins, program, &named_text::name);
  return found == origins.end() ? std::string_view{} : found->description;
}

std::vector<contender> contenders_of(task which, const contender_options& options) {
  std::vector<contender> all;
  add_limit(which, options, all);
  add_riffle(which, options, all);
  add_nvwa(which, all);
  add_ioaccess(which, all);
  add_mapped(which, all);
  add_wordcount(which, all);
  add_processes(which, all);
  return all;
}

void add_rows(task which, std::string_view program, std::span<const row> rows, std::vector<contender>& to) {
  for (const row& each : rows) {
    to.push_back({.task = which,
                  .name = each.name,
                  .program = std::string(program),
                  .method = each.method,
                  .description = each.description,
                  .run = each_file(each.one),
                  .block_size = each.block_size});
  }
}

parallel_options splitting_of(task which, unsigned threads) {
  parallel_options splitting{.threads = threads};
  if (which == task::gc || which == task::primes) splitting.delimiter.reset();
  if (which == task::primes) splitting.record_size = sizeof(std::uint64_t);
  return splitting;
}

bool matches_glob(std::string_view glob, std::string_view text) noexcept {
  // On a mismatch, let the last star swallow one byte more: linear in practice, and no recursion to overflow.
  std::size_t g = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;
  std::size_t resume = 0;
  while (t < text.size()) {
    if (g < glob.size() && glob[g] == '*') {
      star = g++;
      resume = t;
    } else if (g < glob.size() && (glob[g] == '?' || glob[g] == text[t])) {
      ++g;
      ++t;
    } else if (star != std::string_view::npos) {
      g = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (g < glob.size() && glob[g] == '*') ++g;
  return g == glob.size();
}

}  // namespace riffle::bench
