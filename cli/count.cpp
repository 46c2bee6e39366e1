/// `riffle count`: how often a byte, or any of a set of bytes, occurs.
#include <fmt/core.h>
#include <riffle/parallel.hpp>
#include <riffle/scan.hpp>

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
    const file_work<std::uint64_t> work{
        .read = [this](source& from, std::optional<std::uint64_t>& number) { number = count_in(from); },
        .share = [this](const input& from, unsigned threads,
                        std::optional<std::uint64_t>& number) { number = count_by(threads, from); },
        .finish =
            [&](const std::string& name, const std::optional<std::uint64_t>& number) {
              if (!number) return;
              total += *number;
              write(reading.files.size() == 1 ? fmt::format("{}\n", *number)
                                              : fmt::format("{} {}\n", *number, name));
            }};
    const int status = for_each_file(reading, work);
    if (reading.files.size() > 1) write(fmt::format("{} total\n", total));
    return status;
  }

  void choose(const byte_set& wanted) {
    if (chosen) throw CLI::ValidationError("only one of --any-of, --byte, --lines can be counted at a time");
    chosen = true;
    set = wanted;
  }

 private:
  std::uint64_t count_in(source& from) const {
    std::uint64_t sum = 0;
    for (block next = from.next(); !next.empty(); next = from.next()) sum += count_any_of(next.bytes, set);
    return sum;
  }

  std::uint64_t count_by(unsigned threads, const input& from) const {
    return parallel_reduce(
        from, std::uint64_t{0}, [this](std::string_view split) { return count_any_of(split, set); }, {},
        {.threads = threads, .delimiter = std::nullopt}, reading.options);
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
      "Threads take files side by side, and share a large one; the output is that of one thread.\n\n"
      "Examples:\n"
      "  riffle count --any-of cCgG genome.fa\n"
      "  riffle count --byte '\\0' disk.img\n"
      "  riffle count --lines --threads 2 huge.csv");
  command->callback([state, &status] { status = state->run(); });
}

}  // namespace riffle::cli
