/// `riffle cat`: copies inputs to standard output, by blocks or line by line.
#include <fmt/core.h>
#include <riffle/blocks.hpp>
#include <riffle/lines.hpp>

#include <filesystem>
#include <optional>

#include "cli/command_line.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/own_output.hpp"
#include "cli/reading.hpp"
#include "text/bytes.hpp"

namespace riffle::cli {

namespace {

// Refuses a mistyped length.
constexpr std::uint64_t longest_line = std::uint64_t{1} << 60U;

struct cat_arguments : reading_arguments {
  line_options lines{.keep_delimiter = true};
  bool by_lines = false;
  bool strip_cr = false;
};

struct copying {
  const reading_arguments& reading;
  line_options lines;
  bool by_lines;
  bool strip_cr;

  int run() const {
    bool all_copied = true;
    const int status = for_each_file(reading.files, [&](const std::string& name) {
      if (copy_would_never_end(name)) {
        complain(
            fmt::format("riffle: cannot copy '{}': the input file is the output file; write to another file",
                        name == "-" ? "standard input" : name));
        all_copied = false;
        return;
      }
      if (strip_cr) {
        copy_stripped(input_of(name));
      } else if (by_lines) {
        for_each(riffle::lines(input_of(name), lines, reading.options),
                 [](std::string_view line) { write(line); });
      } else {
        for (const block& next : blocks(input_of(name), reading.options)) write(next.bytes);
      }
      flush_output();
    });
    return all_copied ? status : failure;
  }

 private:
  void copy_stripped(const input& from) const {
    line_options stripped = lines;
    stripped.keep_delimiter = false;
    stripped.strip_cr = true;
    for_each(riffle::lines(from, stripped, reading.options), [&](std::string_view line) {
      write(line);
      write({&stripped.delimiter, 1});
    });
  }
};

cat_arguments& cat(arguments& given) {
  return static_cast<cat_arguments&>(given);
}
void set_lines(arguments& given, std::string_view /*value*/) {
  cat(given).by_lines = true;
}
void set_delimiter(arguments& given, std::string_view value) {
  cat(given).lines.delimiter = text::parse_byte(value);
  cat(given).by_lines = true;
}
void set_strip_cr(arguments& given, std::string_view /*value*/) {
  cat(given).strip_cr = true;
}
void set_max_length(arguments& given, std::string_view value) {
  cat(given).lines.max_length = text::parse_size(value, 0, longest_line);
  cat(given).by_lines = true;
}

constexpr std::array own_options{
    option{.name = "lines", .help = "Copy line by line", .set = set_lines},
    option{.name = "delimiter",
           .value = takes::argument,
           .argument = "BYTE",
           .help = "Byte that ends a line: " RIFFLE_BYTE_SYNTAX "; implies --lines",
           .set = set_delimiter},
    option{.name = "strip-cr",
           .help = "Turn CR LF into LF and end the last line; implies --lines",
           .set = set_strip_cr},
    option{.name = "max-length",
           .value = takes::argument,
           .argument = "SIZE",
           .help = "Fail at a longer line, which bounds the memory; implies --lines",
           .set = set_max_length}};
constexpr auto options = concatenated(own_options, reading_options);

int run_cat(const cat_arguments& given) {
  return copying{given, given.lines, given.by_lines, given.strip_cr}.run();
}

}  // namespace

constexpr command cat_command{.name = "cat",
                              .summary = "Copy files to standard output, by blocks or by lines",
                              .options = options,
                              .operands = files_to_read,
                              .examples =
                                  "  riffle cat --lines --method mmap access.log\n"
                                  "  riffle cat --delimiter '\\0' --max-length 1MiB list.bin\n"
                                  "  riffle cat --strip-cr dos.txt > unix.txt\n",
                              .run = run<cat_arguments, run_cat>};

}  // namespace riffle::cli
