/// Why this file exists: `riffle count`: how often a byte, or any of a set of bytes, occurs.
#include <fmt/format.h>
#include <riffle/blocks.hpp>
#include <riffle/parallel.hpp>
#include <riffle/scan.hpp>

#include <functional>
#include <memory>

#include "cli/files.hpp"

namespace riffle::cli {

namespace {

struct counting {
  reading_arguments reading;
  byte_set set;
  bool chosen = false;

  int run() const {
    if (!chosen) throw CLI::RequiredError("one of --any-of, --byte, --lines");
    std::uint64_t total = 0;
    const int status =
        read_files<std::uint64_t>(reading, std::bind_front(&counting::count_file, this),
                                  [&](const std::string& name, std::uint64_t number) {
                                    total += number;
                                    write(reading.files.size() == 1 ? fmt::format("{}\n", number)
                                                                    : fmt::format("{} {}\n", number, name));
                                  });
    if (reading.files.size() > 1) write(fmt::format("{} total\n", total));
    return status;
  }

  void choose(const byte_set& wanted) {
    if (chosen) throw CLI::ValidationError("only one of --any-of, --byte, --lines can be counted at a time");
    chosen = true;
    set = wanted;
  }

 private:
  void count_file(const std::string& name, unsigned threads, std::optional<std::uint64_t>& number) const {
    if (threads != 1) {
      number = parallel_reduce(
          input_of(name), std::uint64_t{0},
          [this](std::string_view split) { return count_any_of(split, set); }, {},
          {.threads = threads, .delimiter = std::nullopt}, reading.options);
      return;
    }
    std::uint64_t sum = 0;
    for (const block& next : blocks(input_of(name), reading.options)) sum += count_any_of(next.bytes, set);
    number = sum;
  }
};

}  // namespace

void add_count(CLI::App& tool, int& status) {
  auto state = std::make_shared<counting>();
  CLI::App* command = tool.add_subcommand("count", "Count a byte, or any of a set of bytes");
  command
      ->add_option_function<std::string>(
          "--any-of", [state](const std::string& bytes) { state->choose(byte_set(bytes)); },
          "Count the bytes that occur in BYTES")
      ->type_name("BYTES");
  command
      ->add_option_function<std::string>(
          "--byte",
          [state](const std::string& text) {
            const char byte = parse_byte(text);
            state->choose(byte_set(std::string_view(&byte, 1)));
          },
          "Count one byte: a character, or \\n \\t \\0 \\xHH")
      ->type_name("BYTE");
  command->add_flag_callback("--lines", [state] { state->choose(byte_set("\n")); }, "Count newlines");
  add_reading(*command, state->reading, true);
  command->footer(
      "Examples:\n"
      "  riffle count --any-of cCgG genome.fa\n"
      "  riffle count --byte '\\0' disk.img\n"
      "  riffle count --lines --threads 2 huge.csv");
  command->callback([state, &status] { status = state->run(); });
}

}  // namespace riffle::cli
