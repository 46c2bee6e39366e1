/// `riffle count`: how often a byte, or any of a set of bytes, occurs.
#include <fmt/core.h>
#include <riffle/parallel.hpp>
#include <riffle/scan.hpp>

#include "cli/command_line.hpp"
#include "cli/commands.hpp"
#include "cli/files.hpp"
#include "text/bytes.hpp"

namespace riffle::cli {

namespace {

struct count_arguments : reading_arguments {
  byte_set set;
  bool chosen = false;
};

struct counting {
  const reading_arguments& reading;
  const byte_set& set;

  int run() const {
    std::uint64_t total = 0;
    const int status = for_each_file<std::uint64_t>(
        reading,
        [this](source from, unsigned threads, std::optional<std::uint64_t>& number) {
          number = count_by(threads, std::move(from));
        },
        [&](const std::string& name, const std::optional<std::uint64_t>& number) {
          if (!number) return;
          total += *number;
          write(reading.files.size() == 1 ? fmt::format("{}\n", *number)
                                          : fmt::format("{} {}\n", *number, name));
        });
    if (reading.files.size() > 1) write(fmt::format("{} total\n", total));
    return status;
  }

 private:
  std::uint64_t count_by(unsigned threads, source from) const {
    std::uint64_t sum = 0;
    detail::parallel_reduce_into(sum, std::move(from),
                                 [this](std::string_view split) { return scan::count_any_of(split, set); },
                                 std::plus<>(), {.threads = threads, .delimiter = std::nullopt});
    return sum;
  }
};

void choose(arguments& given, std::string_view bytes) {
  auto& counted = static_cast<count_arguments&>(given);
  if (counted.chosen) throw text::usage_error("use only one of --any-of, --byte, --lines");
  counted.chosen = true;
  counted.set = byte_set(bytes);
}

void set_any_of(arguments& given, std::string_view value) {
  choose(given, text::parse_bytes(value));
}
void set_byte(arguments& given, std::string_view value) {
  const char byte = text::parse_byte(value);
  choose(given, {&byte, 1});
}
void set_lines(arguments& given, std::string_view /*value*/) {
  choose(given, "\n");
}

constexpr std::array own_options{
    option{.name = "any-of",
           .value = takes::argument,
           .argument = "BYTES",
           .help = "Count each byte that is in BYTES: " RIFFLE_BYTES_SYNTAX,
           .set = set_any_of},
    option{.name = "byte",
           .value = takes::argument,
           .argument = "BYTE",
           .help = "Count one byte: " RIFFLE_BYTE_SYNTAX,
           .set = set_byte},
    option{.name = "lines", .short_form = 'l', .help = "Count newlines", .set = set_lines}};
constexpr auto options = concatenated(own_options, reading_options, thread_options);

int run_count(const count_arguments& given) {
  if (!given.chosen) throw text::usage_error("nothing to count; use one of --any-of, --byte, --lines");
  return counting{given, given.set}.run();
}

}  // namespace

constexpr command count_command{
    .name = "count",
    .summary = "Count how often a byte, or any byte of a set, occurs",
    .options = options,
    .operands = files_to_read,
    .notes = "Threads share many files or one large file. The output does not depend on their number.",
    .examples =
        "  riffle count --any-of cCgG genome.fa\n"
        "  riffle count --any-of '0-9\\n' numbers.txt\n"
        "  riffle count --byte '\\0' disk.img\n"
        "  riffle count --lines --threads 2 huge.csv\n",
    .run = run<count_arguments, run_count>};

}  // namespace riffle::cli
