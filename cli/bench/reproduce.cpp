/// The subcommand `riffle bench reproduce`: the published tables beside this machine's.
#include <cstdio>
#include <memory>
#include <ostream>
#include <sstream>

#include "bench/measure/run.hpp"
#include "bench/reproduce/reproduce.hpp"
#include "cli/bench/bench.hpp"
#include "cli/bench/sizes.hpp"
#include "cli/command.hpp"
#include "text/terminal.hpp"

namespace riffle::cli {

namespace {

constexpr const char* footer = R"(Examples:
  riffle bench reproduce                     all of them: about three minutes
  riffle bench reproduce ioaccess --time 20  Lemire's table, in about 20 seconds
  riffle bench reproduce mapped --size 388M  on a file as large as the published one

PROGRAM is nvwa (Wu Yongwei), ioaccess (Daniel Lemire), mapped (Glen Dayton) or
wc_measurements (Thomas Brown). Inputs are made in $TMPDIR, or in /tmp, and read
from the page cache. Ctrl-C prints what there is of the table begun.)";

/// A buffer for standard output, as std::cout does not keep the reason why a table was lost.
class table_buffer : public std::stringbuf {
  int sync() override {
    const std::string table = str();
    str({});
    std::fwrite(table.data(), 1, table.size(), stdout);
    return flushed() ? 0 : -1;
  }
};

int run(const bench::reproduce_options& options) {
  const text::progress_line line;
  bench::reproduce_surroundings outside;
  outside.rounds.interrupted = note_interrupts();
  outside.progress = [&](std::string_view text) { text.empty() ? line.clear() : line.show(text); };
  table_buffer tables;
  std::ostream out(&tables);
  const std::vector<std::string> failures = bench::reproduce(options, outside, out);
  for (const std::string& each : failures) complain("riffle bench reproduce: " + each);
  if (outside.rounds.interrupted()) return interrupted;
  return failures.empty() ? exit_status::success : exit_status::failure;
}

}  // namespace

void add_bench_reproduce(CLI::App& of, int& status) {
  CLI::App* const command =
      of.add_subcommand("reproduce", "Print the published tables beside this machine's");
  command->footer(footer);
  const auto given = std::make_shared<bench::reproduce_options>();
  command->add_option("PROGRAM", given->programs, "Whose tables; all of them by default")
      ->check(CLI::IsMember(bench::published_programs()));
  command
      ->add_option_function<std::string>(
          "--size",
          [given](const std::string& text) {
            const std::vector<std::uint64_t> sizes = parse_sizes(text);
            if (sizes.size() != 1) throw CLI::ValidationError("--size", "one size, such as 64M");
            given->size = sizes.front();
          },
          "Size of each made input; 64M by default")
      ->type_name("SIZE");
  command->add_option("--time", given->budget, "Seconds of measuring; each way gets 3 runs in any case")
      ->check(is_seconds)
      ->capture_default_str();
  command->add_option("--seed", given->seed, "Gives the order within each round")->capture_default_str();
  command->callback([given, &status] { status = run(*given); });
}

}  // namespace riffle::cli
