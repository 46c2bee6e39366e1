/// The parts of `riffle bench`, one file each.
#ifndef RIFFLE_CLI_BENCH_BENCH_HPP
#define RIFFLE_CLI_BENCH_BENCH_HPP

#include <functional>

#include "cli/command.hpp"

namespace riffle::cli {

extern const command bench_command;
extern const command bench_compare_command;
extern const command bench_reproduce_command;

/// Variables of every command that measures.
inline constexpr std::array measuring_variables{
    definition{"TMPDIR", "where bench and advise make their files; default: /tmp"}};

/// From now on Ctrl-C and the like, and a standard output that is lost, only say that it is time to stop, so
/// that files are written and the temporary ones removed: returns whether it is.
std::function<bool()> time_to_stop();
/// Ends the program by the signal that was noted, if there was one. Throws like `flush_output`.
void end_if_interrupted();

}  // namespace riffle::cli

#endif
