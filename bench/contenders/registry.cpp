/// Calls every program for its contenders.
#include "bench/contenders/registry.hpp"

#include <fnmatch.h>
#include <riffle/methods.hpp>

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
  add_text_programs(which, all);
  add_readahead(which, all);
  add_value_programs(which, all);
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

bool matches_glob(const std::string& glob, const std::string& text) {
  return fnmatch(glob.c_str(), text.c_str(), FNM_NOESCAPE) == 0;
}

}  // namespace riffle::bench
