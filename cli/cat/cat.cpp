/// `riffle cat`: copies inputs to standard output: all of them, some lines, or some fields of each row.
#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <limits>

#include "cli/cat/arguments.hpp"
#include "cli/cat/copier.hpp"
#include "cli/command_line.hpp"
#include "cli/commands.hpp"
#include "cli/files.hpp"
#include "cli/os/own_output.hpp"
#include "cli/output.hpp"
#include "cli/progress/progress.hpp"
#include "cli/reading.hpp"
#include "cli/threads/rule.hpp"
#include "text/bytes.hpp"
#include "text/numbers.hpp"

namespace riffle::cli {

namespace {

// Refuses a mistyped length.
constexpr std::uint64_t longest_line = std::uint64_t{1} << 60U;

cat_arguments& cat(arguments& given) {
  return static_cast<cat_arguments&>(given);
}
void set_max_length(arguments& given, std::string_view value) {
  // No line is longer than the addresses of this machine.
  cat(given).max_length = static_cast<std::size_t>(std::min<std::uint64_t>(
      text::parse_size(value, 0, longest_line), std::numeric_limits<std::size_t>::max()));
  cat(given).whole_lines = true;
}

// Of the options that choose lines only one may be given, but it may be given again.
cat_arguments& choosing(arguments& given, std::string_view name) {
  const char*& by = cat(given).chosen_by;
  if (by != nullptr && by != name)
    throw text::usage_error(
        "use only one of --head, --tail, --range, --containing, --starting-with, --every");
  by = name.data();
  return cat(given);
}
void set_containing(arguments& given, std::string_view value) {
  choosing(given, "containing").lines.text = text::parse_text(value);
}
void set_starting(arguments& given, std::string_view value) {
  line_choice& lines = choosing(given, "starting-with").lines;
  lines.text = text::parse_text(value);
  lines.at_start = true;
}
void set_every(arguments& given, std::string_view value) {
  choosing(given, "every").every = parse_step(value);
}
void set_head(arguments& given, std::string_view value) {
  choosing(given, "head").span = line_span{.last = parse_lines(value)};
}
void set_tail(arguments& given, std::string_view value) {
  choosing(given, "tail").tail = parse_lines(value);
}
void set_range(arguments& given, std::string_view value) {
  choosing(given, "range").span = parse_span(value);
}

constexpr std::array own_options{
    option{.name = "number",
           .short_form = 'n',
           .help = "Write the number of each line before it",
           .set = set_to<true, &cat_arguments::number>},
    option{.name = "head", .argument = "N", .help = "Copy the first N lines of each file", .set = set_head},
    option{.name = "tail", .argument = "N", .help = "Copy the last N lines of each file", .set = set_tail},
    option{.name = "range",
           .argument = "FIRST:LAST",
           .help = "Copy these lines of each file, such as 2:4, 5: or :3; the first line is 1",
           .set = set_range},
    option{.name = "containing",
           .argument = "TEXT",
           .help = "Copy the lines that contain TEXT: " RIFFLE_TEXT_SYNTAX,
           .set = set_containing},
    option{.name = "starting-with",
           .argument = "TEXT",
           .help = "Copy the lines that start with TEXT",
           .set = set_starting},
    option{.name = "invert-match",
           .short_form = 'v',
           .help = "With either, copy the other lines",
           .set = set_to<true, &cat_arguments::lines, &line_choice::invert>},
    option{.name = "every", .argument = "FIRST~STEP", .help = "Copy " RIFFLE_EVERY_HELP, .set = set_every},
    option{.name = "delimiter",
           .argument = "BYTE",
           .help = "Byte that ends a line: " RIFFLE_BYTE_SYNTAX,
           .preset = "\\n",
           .set = set_by<text::parse_byte, &cat_arguments::delimiter>},
    option{.name = "to-delimiter",
           .argument = "BYTE",
           .help =
               "Write this byte for each delimiter; with --columns, at the end of each row, and not between "
               "fields (--to-separator)",
           .set = set_by<text::parse_byte, &cat_arguments::to_delimiter>},
    option{.name = "strip-cr",
           .help = "Turn CR LF into LF and end the last line",
           .set = set_to<true, &cat_arguments::strip_cr>},
    option{.name = "lines",
           .help = "Write whole lines only: the start of a line waits for its end",
           .set = set_to<true, &cat_arguments::whole_lines>},
    option{.name = "max-length",
           .argument = "SIZE",
           .help = "Fail at a longer line, which bounds the memory; implies --lines",
           .set = set_max_length},
    option{
        .name = "columns",
        .argument = "LIST",
        .help =
            "Copy these fields of each line, in this order: numbers, ranges and names, such as 3,1, 2-4,7- "
            "or item,price; name:3 is a name",
        .set = set_by<parse_columns, &cat_arguments::columns>},
    option{.name = "to-separator",
           .argument = "BYTE",
           .help = "Write this byte between fields, instead of that of --separator",
           .needs = "columns",
           .set = set_by<text::parse_byte, &cat_arguments::to_separator>}};
constexpr auto options = concatenated(own_options, header_options("columns"), field_options("columns"),
                                      trim_options("columns"), reading_options, thread_options);

// Applies what the options mean together.
cat_arguments resolved(cat_arguments given) {
  if (given.edits() || given.whole_lines || given.chosen_by != nullptr || !given.columns.empty())
    decode_records(given);
  require_text(given.lines);
  given.whole_lines |= given.every.has_value();
  const bool by_text = !given.lines.text.empty();
  if (given.lines.text.find(given.delimiter) != std::string::npos) {
    throw text::usage_error("no line holds the byte that ends it; use a text without it");
  }
  if (given.columns.empty()) {
    if (given.threads && !by_text) {
      throw text::usage_error("--threads needs --columns, --containing or --starting-with");
    }
    return given;
  }
  if (by_text || given.every) {
    throw text::usage_error(fmt::format(
        "--{0} looks at lines, and --columns copies fields of rows; write riffle cat --{0} ... | riffle cat "
        "--columns LIST",
        given.chosen_by));
  }
  given.rows.delimiter = given.delimiter;
  given.rows.strip_cr |= given.strip_cr;
  given.rows.max_length = given.max_length;
  resolve(given, given.columns);
  if (given.to_separator &&
      (given.to_separator == given.ending() || given.to_separator == given.rows.quote)) {
    throw text::usage_error("--to-separator, --quote and the end of a row must be three different bytes");
  }
  if (given.tail) {
    throw text::usage_error(
        "--tail does not count the rows of --columns; write riffle cat --tail N | riffle cat --columns LIST");
  }
  return given;
}

int run_cat(const cat_arguments& typed) {
  const cat_arguments given = resolved(typed);
  reading_progress progress(given, true);
  read_options reading = progress.counting(given.options);
  // The last lines are read backwards, in blocks that a mapping would be too large for.
  if (given.tail && reading.method == method::automatic) reading.method = method::read;
  cat_output out(1);
  const auto flush = [&out] { out.flush(); };
  reading.before_block = flush;  // reading may wait
  copier copying(given, out, reading.progress);
  const thread_rule threads(given.threads);
  const bool longer = given.number || !given.columns.empty();
  bool all_copied = true;
  const int status = for_each_file<no_result>(
      given, given.files, 1, reading,
      {.read =
           [&](const std::string& name, source from, const auto&, auto&) {
             if (!os::copy_would_never_end(from.descriptor(), from.start(), longer)) {
               const parallel_options splitting = threads.for_input(from, threads.for_files({&name, 1}));
               return copying.copy(std::move(from), splitting);
             }
             all_copied = false;
             complain(fmt::format(
                 "riffle: cannot copy '{}': the input file is the output file; write to another file",
                 name == "-" ? "standard input" : name));
           },
       .takes_text = !given.columns.empty() || !given.lines.text.empty()});
  return all_copied ? status : failure;
}

}  // namespace

constexpr command cat_command{
    .name = "cat",
    .summary = "Copy files to standard output: all of them, some lines, or some fields",
    .options = options,
    .operands = files_to_read,
    .notes =
        "Numbers run through all files. With an option that chooses lines they are those of the lines in "
        "their file.\n"
        "TEXT is compared byte by byte, without regard to encodings, and is no pattern: for regular "
        "expressions, or for letters of either case, use ripgrep. If no line is chosen, the exit status is "
        "0, "
        "unlike that of grep.\n"
        "With --columns and a header, riffle prints the header of the first file that has one, and copies "
        "the rows below the header of each file. Those are what --head and --range count. If fields are "
        "numbers, the headers must be the same.\n"
        "With --containing or --starting-with, threads share a large file; with --columns too, unless "
        "--head, --range or "
        "--number count its rows. The output does not depend on their number.\n",
    .examples =
        "  tail -f access.log | riffle cat --number\n"
        "  riffle cat --range 1000000:1000010 access.log\n"
        "  riffle cat --tail 100 access.log\n"
        "  riffle cat --containing ' 500 ' --number access.log\n"
        "  riffle cat --starting-with '#' -v table.txt\n"
        "  riffle cat --every 2~4 reads.fastq\n"
        "  find . -print0 | riffle cat --delimiter '\\0' --to-delimiter '\\n'\n"
        "  riffle cat --strip-cr dos.txt > unix.txt\n"
        "  riffle cat --tsv --columns 3,1 table.tsv\n"
        "  riffle cat --columns 2- prices.csv\n"
        "  riffle cat --columns price,item prices.csv\n"
        "  riffle cat --tsv --columns 1- --to-separator , table.tsv\n",
    .run = run<cat_arguments, run_cat>};

}  // namespace riffle::cli
