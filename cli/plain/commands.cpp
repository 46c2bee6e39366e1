/// The table of commands of a tool that is built without the benchmark.
#include "cli/commands.hpp"

namespace riffle::cli {

std::span<const command* const> commands() noexcept {
  static constexpr std::array table{&wc_command,  &count_command,  &sum_command,
                                    &cat_command, &advise_command, &methods_command};
  return table;
}

}  // namespace riffle::cli
