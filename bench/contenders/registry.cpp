/// Calls every program for its contenders.
#include "bench/contenders/registry.hpp"

#include <riffle/blocks.hpp>
#include <riffle/methods.hpp>

#include "bench/host/os/raw_file.hpp"

namespace riffle::bench {

namespace {

// The other tasks know the number of their values by the size of the file.
bool is_of_text(task which) {
  return which == task::gc || which == task::lines || which == task::words;
}

}  // namespace

std::vector<contender> contenders_of(task which, const contender_options& options) {
  std::vector<contender> all;
  if (options.reading.decode != decoding::none && is_of_text(which)) {
    add_decoded(which, options, all);
    return all;
  }
  add_limit(which, options, all);
  add_riffle(which, options, all);
  add_nvwa(which, all);
  add_ioaccess(which, all);
  add_readahead(which, all);
  add_mapped(which, all);
  add_bitflux(which, all);
  add_wordcount(which, all);
  add_processes(which, all);
  return all;
}

void add_rows(task which, std::string_view program, std::span<const row> rows, std::vector<contender>& to,
              bool for_storage) {
  for (const row& each : rows) {
    to.push_back({.task = which,
                  .name = each.name,
                  .program = std::string(program),
                  .method = std::string(name_of(each.method)),
                  .description = each.description,
                  .run = each_file(each.one),
                  .unavailable = each.unavailable,
                  .block_size = each.block_size,
                  .for_storage = for_storage});
  }
}

std::optional<answer> read_only(input_files files, const read_options& reading) {
  for (const std::filesystem::path& file : files) {
    for ([[maybe_unused]] const block part : blocks(file, reading)) {
    }
  }
  return std::nullopt;
}

std::optional<std::string> no_populate(input_files) {
  if (os::populates) return std::nullopt;
  return "this system has no MAP_POPULATE";
}

std::optional<std::string> no_advice(input_files) {
  if (os::takes_advice) return std::nullopt;
  return "this system has no posix_fadvise and no madvise";
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
