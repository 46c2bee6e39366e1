/// Why this file exists: it declares the subcommand `riffle bench`.
#ifndef RIFFLE_CLI_BENCH_HPP
#define RIFFLE_CLI_BENCH_HPP

#include <CLI/CLI.hpp>

namespace riffle::cli {

/// Adds `bench` to `app`; when it is called, it runs and sets `exit_code` (0, 1 for a failure, 2 for usage).
CLI::App* add_bench(CLI::App& app, int& exit_code);

}  // namespace riffle::cli

#endif
