/// The options of every command that shows its progress.
#ifndef RIFFLE_CLI_PROGRESS_OPTIONS_HPP
#define RIFFLE_CLI_PROGRESS_OPTIONS_HPP

#include <array>
#include <optional>
#include <string_view>

#include "cli/command.hpp"

namespace riffle::cli {

/// What `--progress --no-progress` were given.
struct progress_arguments : arguments {
  std::optional<bool> progress;  // nothing: riffle looks where standard output goes
};

inline void set_progress(arguments& given, std::string_view /*value*/) {
  static_cast<progress_arguments&>(given).progress = true;
}
inline void set_no_progress(arguments& given, std::string_view /*value*/) {
  static_cast<progress_arguments&>(given).progress = false;
}

inline constexpr std::array progress_options{
    option{.name = "progress",
           .help = "Show the progress on the terminal of standard error, wherever standard output goes",
           .set = set_progress},
    option{.name = "no-progress", .help = "Show no progress", .set = set_no_progress}};

}  // namespace riffle::cli

#endif
