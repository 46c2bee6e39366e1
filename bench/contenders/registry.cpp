/// Calls every program for its contenders.
#include "bench/contenders/registry.hpp"

#include <riffle/blocks.hpp>
#include <riffle/methods.hpp>

#include <algorithm>

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
  if (which == task::commands) {
    add_commands(options, all);
    return all;
  }
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
  for (const std::filesystem::path& file : files) read_only(input(file), reading);
  return std::nullopt;
}

void read_only(const riffle::input& from, const read_options& reading) {
  for ([[maybe_unused]] const block part : blocks(from, reading)) {
  }
}

bool matches_glob(std::string_view glob, std::string_view text) {
  std::vector<bool> reached(text.size() + 1);  // by the glob so far, after so many bytes of the text
  reached[0] = true;
  for (const char wanted : glob) {
    if (wanted == '*') {
      std::fill(std::ranges::find(reached, true), reached.end(), true);
      continue;
    }
    for (std::size_t at = text.size(); at > 0; --at) {
      reached[at] = reached[at - 1] && (wanted == '?' || wanted == text[at - 1]);
    }
    reached[0] = false;
  }
  return reached.back();
}

}  // namespace riffle::bench
