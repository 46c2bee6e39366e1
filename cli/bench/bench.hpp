/// The parts of `riffle bench`, one file each.
#ifndef RIFFLE_CLI_BENCH_BENCH_HPP
#define RIFFLE_CLI_BENCH_BENCH_HPP

#include <functional>

#include "cli/command.hpp"

namespace riffle::cli {

extern const command bench_command;
extern const command bench_compare_command;
extern const command bench_reproduce_command;

/// The exit status after Ctrl-C, as a shell reports it.
inline constexpr int interrupted = 130;

/// From now on Ctrl-C and the like, and a standard output that is lost, only say that it is time to stop, so
/// that files are written and the temporary ones removed: returns whether it is.
std::function<bool()> note_interrupts();

}  // namespace riffle::cli

#endif
