/// `riffle advise`: what the automatic choice would do with an input, and why; whether
/// that is right, when asked to measure it; and without an input, what the machine can do.
#include <fmt/core.h>
#include <riffle/methods.hpp>

#include <algorithm>
#include <memory>
#include <sstream>

#include "bench/data/report.hpp"
#include "bench/host/cache.hpp"
#include "bench/host/limits.hpp"
#include "bench/host/machine.hpp"
#include "bench/host/temporary_directory.hpp"
#include "bench/judge/advice.hpp"
#include "bench/show/outputs.hpp"
#include "cli/command.hpp"
#include "text/columns.hpp"
#include "text/numbers.hpp"
#include "text/terminal.hpp"

namespace riffle::cli {

namespace {

std::string_view kind_text(input_kind kind) {
  switch (kind) {
    case input_kind::regular_file:
      return "regular file";
    case input_kind::block_device:
      return "block device";
    case input_kind::stream:
      return "pipe, socket, terminal or device";
    case input_kind::file_pointer:
      return "FILE*";
    case input_kind::istream:
      return "std::istream";
    case input_kind::memory:
      return "memory";
  }
  return "unknown";
}

void add_fact(std::string& text, std::string_view what, std::string_view value) {
  if (!value.empty()) text += fmt::format("  {:<12} {}\n", what, value);
}

std::string unavailable_methods() {
  std::string text;
  for (const method_info& info : methods()) {
    if (const auto reason = info.unavailable()) add_fact(text, info.name, "not here: " + *reason);
  }
  return text;
}

std::string options_text(const read_options& reading) {
  std::string text;
  add_fact(text, "C++", bench::as_code(reading));
  add_fact(text, "flags", bench::as_flags(reading));
  return text;
}

// The facts that only a file has which lies somewhere.
std::string place_text(const std::string& name) {
  const bench::machine facts = bench::this_machine(name);
  std::string text;
  add_fact(text, "mounted", facts.mount_options);
  add_fact(text, "device", facts.device);
  if (facts.read_ahead != 0) add_fact(text, "read ahead", text::human_size(facts.read_ahead));
  return text;
}

std::string facts_text(const std::string& name, const facts& known, const choice& chosen) {
  std::string text = (name == "-" ? "standard input" : text::printable(name)) + "\n";
  add_fact(text, "kind", kind_text(known.kind));
  if (known.size != 0) add_fact(text, "size", text::human_size(known.size));
  add_fact(text, "file system", known.file_system);
  if (known.kind == input_kind::regular_file && name != "-") text += place_text(name);
  if (known.resident) add_fact(text, "in cache", fmt::format("{:.0f} %", *known.resident * 100));
  add_fact(text, "method", name_of(chosen.method));
  add_fact(text, "block size", text::human_size(chosen.block_size));
  add_fact(text, "why", chosen.reason);
  text += options_text({.method = chosen.method, .block_size = chosen.block_size});
  return text + unavailable_methods();
}

struct advising {
  read_options reading;
  std::vector<std::string> files;
  bool measure = false;
  double seconds = 5;
  bench::cache_mode cache = bench::cache_mode::hot;

  int run() const {
    if (files.empty()) return describe_machine();
    bool passed = true;
    const int status = for_each_file(files, [&](const std::string& name) {
      const facts known = examine(input_of(name), reading);
      const choice chosen = choose(known);
      write(facts_text(name, known, chosen));
      if (measure) passed = measured(name, known, chosen) && passed;
    });
    return passed ? status : failure;
  }

 private:
  static int describe_machine() {
    std::ostringstream text;
    bench::print_machine(bench::this_machine(std::filesystem::current_path()), text);
    write(text.str());
    flush_output();  // the limits take seconds
    const bench::temporary_directory room;
    text.str("");
    bench::print_limits(bench::measure_limits(room.path(), bench::steady_clock()), text);
    write(text.str() + unavailable_methods());
    return success;
  }

  // Whether automatic passed. What could not be measured has not.
  bool measured(const std::string& name, const facts& known, const choice& chosen) const {
    const std::vector<std::filesystem::path> file{name == "-" ? "/dev/stdin" : name};
    if (const auto reason = bench::cannot_measure(file.front(), known)) {
      write("  " + *reason + "\n");
      return false;
    }
    if (name == "-") {
      write("  cannot measure standard input: each contender must open it; name the file\n");
      return false;
    }
    const std::uint64_t bytes = std::min(known.size, bench::most_measured);
    write(fmt::format("\n  {}, counting newlines{} for {:g} seconds\n", bench::description_of(cache),
                      bytes < known.size ? " in the first " + text::human_size(bytes) : "", seconds));
    flush_output();
    bench::round_options rounds{.rounds = 1000, .budget = seconds};
    if (!bench::is_cached(cache)) rounds.shortest = 0;
    const text::progress_line line;
    bench::round_hooks hooks;
    hooks.tell = [&](const bench::contender& one, unsigned round, double seconds_left) {
      line.show(fmt::format("  round {}: {}; {:.0f} s left", round, one.name, seconds_left));
    };
    hooks.prepare = bench::prepare_cache(cache, file);
    const std::vector<bench::tried> all = bench::try_ways(bench::ways_to_read(known), file, rounds, hooks);
    line.clear();
    const bench::advice advice = bench::judge(all, chosen.method);
    std::ostringstream table;
    bench::print_tried(all, advice, bytes, table);
    write(table.str() + "\n  " + advice.text + "\n");
    if (advice.faster) write(options_text(all[*advice.faster].reading));
    return advice.passed;
  }
};

}  // namespace

void add_advise(CLI::App& tool, int& status) {
  auto state = std::make_shared<advising>();
  CLI::App* command = tool.add_subcommand(
      "advise",
      "Say what the automatic choice would do with an input, and why; or measure whether it is right");
  command->add_option("FILE", state->files,
                      "Files to look at; '-': standard input; none: describe the machine and its limits");
  command->add_flag_callback(
      "--no-guard", [state] { state->reading.fault_guard = false; }, "As if the fault guard were off");
  CLI::Option* measure = command->add_flag(
      "--measure", state->measure,
      "Run the methods on each FILE; status 1 where another is over 5 % faster than the automatic choice, or "
      "nothing can be measured");
  command->add_option("--time", state->seconds, "Seconds to measure each FILE for")
      ->needs(measure)
      ->check(is_seconds)
      ->type_name("SECONDS")
      ->capture_default_str();
  command
      ->add_option_function<std::string>(
          "--cache",
          [state](const std::string& name) { state->cache = bench::cache_mode_named(name).value(); },
          "Measure with the file in the page cache (hot, the default) or evicted before each run (cold)")
      ->needs(measure)
      ->check(CLI::IsMember({"hot", "cold"}))
      ->type_name("STATE");
  command->footer(
      "Examples:\n"
      "  riffle advise                                the machine and its limits\n"
      "  riffle advise access.log                     the method that riffle picks, and why\n"
      "  riffle advise --measure --time 10 access.log whether that is the fastest here\n"
      "  riffle advise --measure --cache cold big.bin the same, from the device\n"
      "  cat access.log | riffle advise -");
  command->callback([state, &status] { status = state->run(); });
}

}  // namespace riffle::cli
