/// The options of every command that shows its progress.
#ifndef RIFFLE_CLI_PROGRESS_OPTIONS_HPP
#define RIFFLE_CLI_PROGRESS_OPTIONS_HPP

#include <array>
#include <optional>

#include "cli/command.hpp"

namespace riffle::cli {

/// What `--progress --no-progress` were given.
struct progress_arguments : arguments {
  std::optional<bool> progress;  // nothing: riffle looks where standard output goes
};

inline constexpr std::array progress_options{
    option{.name = "progress",
           .help = "Show the progress on the terminal of standard error, wherever standard output goes",
           .set = set_to<true, &progress_arguments::progress>},
    option{.name = "no-progress",
           .help = "Show no progress",
           .set = set_to<false, &progress_arguments::progress>}};

}  // namespace riffle::cli

#endif
