/// `riffle cat`: copies inputs to standard output, by blocks or line by line.
#include <riffle/blocks.hpp>
#include <riffle/lines.hpp>

#include <memory>

#include "cli/command.hpp"

namespace riffle::cli {

namespace {

struct copying {
  reading_arguments reading;
  line_options lines{.keep_delimiter = true};
  bool by_lines = false;
  bool strip_cr = false;

  int run() const {
    return for_each_file(reading.files, [&](const std::string& name) {
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

}  // namespace

void add_cat(CLI::App& tool, int& status) {
  auto state = std::make_shared<copying>();
  CLI::App* command = tool.add_subcommand("cat", "Copy files to standard output, by blocks or by lines");
  command->add_flag("--lines", state->by_lines, "Copy line by line");
  command
      ->add_option_function<std::string>(
          "--delimiter",
          [state](const std::string& text) {
            state->lines.delimiter = parse_byte(text);
            state->by_lines = true;
          },
          "The byte that ends a line: a character, or \\n \\t \\0 \\xHH; copies by lines")
      ->type_name("BYTE");
  command->add_flag("--strip-cr", state->strip_cr, "Turn CR LF into LF; ends the last line too");
  command
      ->add_option_function<std::size_t>(
          "--max-length",
          [state](const std::size_t& length) {
            state->lines.max_length = length;
            state->by_lines = true;
          },
          "Fail at a line that is longer; bounds memory; copies by lines")
      ->transform(as_size)
      ->type_name("SIZE");
  add_reading(*command, state->reading, false);
  command->footer(
      "Examples:\n"
      "  riffle cat --lines --method mmap access.log\n"
      "  riffle cat --delimiter '\\0' --max-length 1MiB list.bin\n"
      "  riffle cat --strip-cr dos.txt > unix.txt");
  command->callback([state, &status] { status = state->run(); });
}

}  // namespace riffle::cli
