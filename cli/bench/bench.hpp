/// The parts of `riffle bench`, one file each.
#ifndef RIFFLE_CLI_BENCH_BENCH_HPP
#define RIFFLE_CLI_BENCH_BENCH_HPP

#include <CLI/CLI.hpp>
#include <functional>

namespace riffle::cli {

/// The exit status after Ctrl-C, as a shell reports it.
inline constexpr int interrupted = 130;

/// From now on Ctrl-C and the like, and a standard output that is lost, only say that it is time to stop, so
/// that files are written and the temporary ones removed: returns whether it is.
std::function<bool()> note_interrupts();

/// Adds `compare` and `reproduce` to the subcommand `bench`. Each stores how it ended in `status`.
void add_bench_compare(CLI::App& bench, int& status);
void add_bench_reproduce(CLI::App& bench, int& status);

}  // namespace riffle::cli

#endif
