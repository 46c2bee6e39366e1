/// `riffle cat`: copies inputs to standard output: all of them, some lines, or some fields of each row.
#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>

#include "cli/cat/arguments.hpp"
#include "cli/cat/copier.hpp"
#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/os/system.hpp"
#include "cli/output.hpp"
#include "cli/reading.hpp"
#include "text/typed.hpp"

namespace riffle::cli {

namespace {

cat_arguments& cat(arguments& given) {
  return static_cast<cat_arguments&>(given);
}
void set_longest_line(arguments& given, std::string_view value) {
  set_max_length(given, value);
  cat(given).whole_lines = true;
}

constexpr dialect cut_rows = [] {
  dialect rows = plain;
  rows.separator = '\t';
  return rows;
}();

void set_fields(arguments& given, std::string_view value) {
  cat(given).as_cut = true;
  append_by<parse_columns, &cat_arguments::columns>(given, value);
}

constexpr const char* to_copy_columns = "columns fields";
constexpr const char* to_copy_rows = "columns fields where csv tsv plain whitespace";

constexpr std::array own_options{
    option{.name = "number",
           .short_form = 'n',
           .help = "Write the number of each line before it",
           .set = set_to<true, &cat_arguments::number>},
    option{.name = "distinct",
           .help = "Of equal lines or rows, as they are written, copy the first in all files",
           .set = set_to<true, &cat_arguments::distinct>},
    option{.name = "columns",
           .argument = "LIST",
           .help = "Copy these fields of each line, in this order: numbers, ranges and names, such as 3,1, "
                   "2-4,7- or item,price; name:3 and \"a, b\" are names",
           .set = append_by<parse_columns, &cat_arguments::columns>},
    option{.name = "fields",
           .short_form = 'f',
           .argument = "LIST",
           .help = "As --columns LIST; without --csv, --tsv, --plain or --whitespace, bytes between tabs, or "
                   "between the bytes of -d, as for cut",
           .set = set_fields},
    option{.name = "complement",
           .help = "Copy the other columns, in the order of the row",
           .needs = to_copy_columns,
           .set = set_to<true, &cat_arguments::complement>},
    option{.name = "to-separator",
           .argument = "BYTE",
           .help = "Write this byte between fields, instead of that of --separator",
           .needs = to_copy_columns,
           .set = set_by<text::parse_byte, &cat_arguments::to_separator>},
    option{.name = "to-delimiter",
           .argument = "BYTE",
           .help = "Write this byte for each delimiter; with --columns, at the end of each row, and not "
                   "between fields (--to-separator)",
           .set = set_by<text::parse_byte, &cat_arguments::to_delimiter>},
    option{.name = "delimiter",
           .argument = "BYTE",
           .help = "Byte that ends a line: " RIFFLE_BYTE_SYNTAX,
           .preset = "\\n",
           .set = set_by<text::parse_byte, &cat_arguments::delimiter>},
    option{.name = "strip-cr",
           .help = "Turn CR LF into LF and end the last line",
           .set = set_to<true, &cat_arguments::strip_cr>},
    option{.name = "lines",
           .help = "Write whole lines only: the start of a line waits for its end",
           .set = set_to<true, &cat_arguments::whole_lines>},
    option{.name = "max-length",
           .argument = "SIZE",
           .help = "Fail at a longer line, which bounds the memory; implies --lines",
           .set = set_longest_line}};
constexpr auto options = concatenated(
    own_options, memory_options("distinct"), thread_options, input_options, choice_options,
    in_group(rows_group, concatenated(field_options(to_copy_rows, nullptr), header_options(to_copy_rows),
                                      trim_options(to_copy_columns))),
    reading_options);

// Applies what the options mean together.
void settle(cat_arguments& given) {
  if (given.edits() || given.whole_lines || given.distinct || given.lines.any() || given.by_rows())
    decode_records(given);
  if (given.as_cut && given.named_dialect == nullptr) use_dialect(given.rows, cut_rows);
  if (!(given.by_rows() && given.has_quotes())) {
    check_texts(given.lines, given.delimiter, "use a text without it");
  }
  if (!given.by_rows()) {
    if (given.threads && given.lines.texts.empty() && !given.distinct) {
      throw text::usage_error(
          "--threads needs --columns, --where, --containing, --starting-with or --distinct");
    }
    return;
  }
  given.rows.delimiter = given.delimiter;
  given.rows.strip_cr |= given.strip_cr;
  given.rows.header |= given.columns.empty() && given.lines.where.empty();
  resolve(given, with_conditions(given.columns, given.lines), !given.lines.where.empty());
  if (given.to_separator &&
      (given.to_separator == given.ending() || given.to_separator == given.rows.quote)) {
    throw text::usage_error("--to-separator, --quote and the end of a row must be three different bytes");
  }
}

int run_cat(cat_arguments& given) {
  settle(given);
  const auto progress = shown_progress(given, true);
  read_options& reading = given.options;
  // The last lines are read backwards, in blocks that a mapping would be too large for. The user did not name
  // `read`, so options that it has no use for are no error.
  if (given.lines.tail && reading.method == method::automatic) {
    reading.method = method::read;
    reading.queue_depth = 0;
    reading.mapping = {};
  }
  cat_output out(1);
  const auto flush = [&out] { out.flush(); };
  reading.watch.before_block = flush;  // reading may wait
  copier copying(given, out, reading.watch.compressed_progress);
  const bool longer = given.number || given.by_rows();
  bool all_copied = true;
  std::atomic<bool> too_many = false;
  const int status = for_each_file<no_result>(
      given, given.files, 1,
      {.read =
           [&](const std::string& name, source from, const auto&, auto&) {
             if (!os::copy_would_never_end(from.descriptor(), from.start(), longer)) {
               const riffle::thread_options splitting =
                   splitting_for(from, given.threads, threads_for({&name, 1}, given.threads));
               if (!given.distinct) return copying.copy(std::move(from), splitting);
               const std::string file = from.name();  // its own ends with it
               return within_memory("copy", file, too_many,
                                    [&] { copying.copy(std::move(from), splitting); });
             }
             all_copied = false;
             complain(fmt::format(
                 "riffle: cannot copy '{}': the input file is the output file; write to another file",
                 name == "-" ? "standard input" : name));
           },
       .takes_text = given.by_rows() || !given.lines.texts.empty()});
  return all_copied ? status : failure;
}

}  // namespace

constexpr command cat_command{
    .name = "cat",
    .summary = "Copy files to standard output: all of them, some lines, or some fields",
    .options = options,
    .operands = files_to_read,
    .notes =
        "Numbers run through all files. With an option that chooses or counts lines they are those of the "
        "lines in their file; so they are with --distinct.\n" RIFFLE_ORDER_OF_CHOICE
        " If no line is chosen, the exit status is 0, unlike that of grep.\n"
        "With --columns riffle takes rows, and TEXT may stand anywhere in a row.\n"
        "With --columns and a header, riffle prints the header of the first file that has one, and copies "
        "the rows below the header of each file. Those are what is chosen and counted. If fields are "
        "numbers, the headers must be the same.\n"
        "With --where, --csv, --tsv, --plain or --whitespace and without --columns, riffle copies whole "
        "rows; "
        "the first row of each file is its header, unless --where names no column.\n"
        "Unlike cut, riffle copies fields in the order of LIST, and of a row without a separator the first "
        "field only.\n"
        "With --containing or --starting-with, threads share a large file; with --columns too, unless "
        "--head, --tail, --range, --every or --number count its rows. The output does not depend on their "
        "number.\n",
    .examples =
        "  tail -f access.log | riffle cat --number\n"
        "  riffle cat --range 1000000:1000010 access.log\n"
        "  riffle cat --tail 100 access.log\n"
        "  riffle cat --containing ' 500 ' --number access.log\n"
        "  riffle cat --starting-with '#' -v table.txt\n"
        "  riffle cat --every 2~4 reads.fastq\n"
        "  riffle cat --distinct names.txt\n"
        "  find . -print0 | riffle cat --delimiter '\\0' --to-delimiter '\\n'\n"
        "  riffle cat --strip-cr dos.txt > unix.txt\n"
        "  riffle cat --tsv --columns 3,1 table.tsv\n"
        "  riffle cat --columns 2- prices.csv\n"
        "  riffle cat --csv 2025.csv 2026.csv > both.csv\n"
        "  riffle cat -d : -f 1,7 /etc/passwd\n"
        "  ps aux | riffle cat --whitespace --columns 2,11\n"
        "  riffle cat --columns price,item prices.csv\n"
        "  riffle cat --tsv --columns 1- --to-separator , table.tsv\n",
    .run = run<cat_arguments, run_cat>};

}  // namespace riffle::cli
