/// The table of commands of a tool that has the benchmark.
#include "cli/command.hpp"

#include "cli/bench/bench.hpp"

namespace riffle::cli {

std::span<const command* const> commands() noexcept {
  static constexpr std::array table{
      &wc_command,     &count_command,   &sum_command,   &freq_command,
      &cat_command,    &split_command,   &bench_command, &bench_reproduce_command,
      &advise_command, &methods_command, &help_command};
  return table;
}

}  // namespace riffle::cli
