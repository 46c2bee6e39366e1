/// Counts the files that `riffle wc` was given, in their order.
#pragma once

#include <optional>
#include <string>

#include "cli/reading.hpp"
#include "cli/wc/messages.hpp"
#include "cli/wc/table.hpp"

namespace riffle::cli {

/// What `riffle wc` was given.
struct wc_arguments : reading_arguments {
  wanted what;
  total_row total = total_row::automatic;
  std::optional<std::string> list;  // the file of --files0-from
  bool debug = false;
};

/// Counts the files and prints their rows. Returns the exit status. Throws `output_lost`.
int count_files(wc_arguments given, const wc_messages& messages);

}  // namespace riffle::cli
