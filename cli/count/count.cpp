/// `riffle count`: how often the bytes of a set or a text occur, in all or in each line; the lines that
/// contain a text; the rows of CSV; the bases of FASTA and FASTQ files.
#include <riffle/count.hpp>
#include <riffle/parallel.hpp>
#include <riffle/parallel_rows.hpp>
#include <riffle/scan.hpp>

#include <array>
#include <optional>

#include "cli/command_line.hpp"
#include "cli/commands.hpp"
#include "cli/count/fasta.hpp"
#include "cli/count/fastq.hpp"
#include "cli/count/per_line.hpp"
#include "cli/count/rows.hpp"
#include "cli/files.hpp"
#include "cli/lines/choice.hpp"
#include "cli/progress/progress.hpp"
#include "cli/rows/fields.hpp"
#include "text/bad_rows.hpp"
#include "text/bytes.hpp"

namespace riffle::cli {

namespace {

enum class counted : std::uint8_t {
  nothing,
  bytes,
  each_byte,
  occurrences,
  lines_with,
  every_line,
  rows,
  sequences,
  reads
};

struct count_arguments : field_arguments {
  counted what = counted::nothing;
  std::string_view chosen_by;  // the name of the option that set it
  byte_set set;
  line_choice lines;  // the text of `occurrences` too
  line_step every;
  bool per_line = false;

  bool counts_text() const { return what == counted::occurrences || what == counted::lines_with; }
  bool counts_whole_lines() const { return lines.at_start || lines.invert; }
};

// The lines of an input, of which only some count.
struct stepped_lines {
  std::uint64_t lines = 0;
  line_step every = {};
};

row_form form_of(const count_arguments& given) {
  return {.files = given.files.size(), .json = given.json};
}

void add(std::uint64_t& total, std::uint64_t found) {
  total += found;
}
void add(std::uint64_t& total, const stepped_lines& found) {
  total += found.every.count(found.lines);
}
void add(byte_counts& total, const byte_counts& found) {
  for (std::size_t i = 0; i != total.size(); ++i) total[i] += found[i];
}
void add(line_histogram& total, const part_lines& found) {
  total.add(found.lines());
}
void add(read_counts& total, const read_counts& found) {
  total.add(found);
}

// Counts in each file by `count`, and prints each result, as a `Total`, and the total. What was counted
// before a failure is printed too.
template <class Total, class Result = Total, class Count>
int count_files(const count_arguments& given, Count count) {
  row_form form = form_of(given);
  Total total{};
  reading_progress progress(given);
  const int status = for_each_file<Result>(
      given, given.files, given.what == counted::reads ? 1 : given.threads, progress.counting(given.options),
      {.read = [&](const auto&, source from, const parallel_options& splitting,
                   std::optional<Result>& result) { count(result.emplace(), std::move(from), splitting); },
       .finish =
           [&](const std::string& name, const std::optional<Result>& result, const auto&) {
             if (!result) return;
             Total found{};
             add(found, *result);
             add(total, *result);
             ++form.rows;
             print(form, &name, found);
           },
       .takes_text = given.what == counted::rows || given.counts_text() || given.per_line});
  if (given.files.size() > 1) print(form, nullptr, total);
  return status;
}

int run_bytes(const count_arguments& given) {
  const auto count = [&](std::string_view part) { return scan::count_any_of(part, given.set); };
  return count_files<std::uint64_t>(
      given, [&](std::uint64_t& total, source from, const parallel_options& splitting) {
        parallel_reduce_into(total, std::move(from), count, std::plus<>(), splitting);
      });
}

int run_each_byte(const count_arguments& given) {
  return count_files<byte_counts>(given, count_bytes_into);
}

// Lines that are counted in parts of whole lines.
int run_chosen(const count_arguments& given) {
  const line_finder finder(given.lines, '\n');
  const auto count = [&](std::string_view part) { return finder.count(part); };
  return count_files<std::uint64_t>(
      given, [&](std::uint64_t& total, source from, parallel_options splitting) {
        splitting.delimiter = '\n';
        parallel_reduce_into(total, std::move(from), count, std::plus<>(), splitting);
      });
}

int run_every(const count_arguments& given) {
  const auto count = [](std::string_view part) { return lines_in(part, '\n'); };
  return count_files<std::uint64_t, stepped_lines>(
      given, [&](stepped_lines& found, source from, parallel_options splitting) {
        found.every = given.every;
        splitting.delimiter = '\n';
        parallel_reduce_into(found.lines, std::move(from), count, std::plus<>(), splitting);
      });
}

int run_text(const count_arguments& given) {
  if (given.counts_whole_lines()) return run_chosen(given);
  const auto count_into = given.what == counted::lines_with ? count_lines_with_into : count_occurrences_into;
  return count_files<std::uint64_t>(
      given, [&](std::uint64_t& total, source from, const parallel_options& splitting) {
        count_into(total, std::move(from), given.lines.text, splitting);
      });
}

int run_rows(count_arguments given) {
  struct counted_rows {
    std::uint64_t good = 0;
    text::bad_rows bad;
  };
  resolve(given, {});
  const auto count = [&](row_range& part) {
    counted_rows rows{.bad = text::bad_rows(given.skip_bad_rows)};
    rows.bad.for_each(part, [&rows](const row&) { ++rows.good; });
    return rows;
  };
  return count_files<std::uint64_t>(
      given, [&](std::uint64_t& total, source from, const parallel_options& splitting) {
        const std::string name = from.name();
        text::bad_rows skipped;
        const auto add = [&](std::uint64_t before, const counted_rows& part) {
          skipped.add(part.bad);
          return before + part.good;
        };
        parallel_rows_into(total, row_range(std::move(from), given.rows), count, add, splitting);
        skipped.fail_if_any(name);
      });
}

int run_text_per_line(const count_arguments& given) {
  const auto count = [&](std::string_view part) { return occurrences_per_line(part, given.lines.text); };
  return count_files<line_histogram, part_lines>(
      given, [&](part_lines& found, source from, parallel_options splitting) {
        splitting.delimiter = '\n';
        parallel_reduce_into(found, std::move(from), count, line_counter::join, splitting);
      });
}

int run_per_line(const count_arguments& given) {
  line_counter counter(given.set);
  return count_files<line_histogram, part_lines>(
      given, [&](part_lines& found, source from, const parallel_options& splitting) {
        parallel_reduce_into(found, std::move(from), std::ref(counter), line_counter::join, splitting);
      });
}

int run_fastq(const count_arguments& given) {
  return count_files<read_counts>(
      given, [](read_counts& counts, source from, const auto&) { count_reads(std::move(from), counts); });
}

// Writes the rows of the sequences as they end.
void write_sequences(source from, const count_arguments& given, const std::string& name) {
  std::string rows;
  fasta_counter counter(from.name(),
                        [&](const sequence& found) { append(rows, form_of(given), name, found); });
  const auto before_reading = [&] {
    from.seekable() ? flush_before_next(given.files.size()) : flush_output();  // reading may wait
  };
  before_reading();
  for (block next = behind_byte_order_mark(from); !next.empty(); next = from.next()) {
    try {
      counter.add(next);
    } catch (const error&) {
      from.check();  // bytes that were lost are zeros
      throw;
    }
    from.finish_block();
    write(rows);
    rows.clear();
    before_reading();
  }
  counter.finish();
  write(rows);
}

int run_fasta(const count_arguments& given) {
  reading_progress progress(given, true);
  return for_each_file<no_result>(given, given.files, 1, progress.counting(given.options),
                                  {.read = [&](const std::string& name, source from, const auto&, auto&) {
                                    write_sequences(std::move(from), given, name);
                                  }});
}

#define RIFFLE_COUNTED                                                                                     \
  "--any-of, --none-of, --byte, --bytes, --lines, --containing, --starting-with, --every, --occurrences, " \
  "--rows, --fasta, --fastq"

// Only one may be given, but it may be given again: the last one counts.
count_arguments& choose(arguments& given, std::string_view name, counted what) {
  auto& arguments = static_cast<count_arguments&>(given);
  if (!arguments.chosen_by.empty() && arguments.chosen_by != name) {
    throw text::usage_error("use only one of " RIFFLE_COUNTED);
  }
  arguments.what = what;
  arguments.chosen_by = name;
  return arguments;
}

void set_any_of(arguments& given, std::string_view value) {
  choose(given, "any-of", counted::bytes).set = byte_set(text::parse_bytes(value));
}
void set_none_of(arguments& given, std::string_view value) {
  choose(given, "none-of", counted::bytes).set = ~byte_set(text::parse_bytes(value));
}
void set_byte(arguments& given, std::string_view value) {
  const char byte = text::parse_byte(value);
  choose(given, "byte", counted::bytes).set = byte_set({&byte, 1});
}
void set_lines(arguments& given, std::string_view /*value*/) {
  choose(given, "lines", counted::bytes).set = byte_set("\n");
}
void set_bytes(arguments& given, std::string_view /*value*/) {
  choose(given, "bytes", counted::each_byte);
}
std::string text_in_line(std::string_view value) {
  std::string text = text::parse_text(value);
  if (text.find('\n') != std::string::npos) {
    throw text::usage_error("no line holds a newline; use --occurrences for a text that does");
  }
  return text;
}
void set_containing(arguments& given, std::string_view value) {
  choose(given, "containing", counted::lines_with).lines.text = text_in_line(value);
}
void set_starting(arguments& given, std::string_view value) {
  line_choice& lines = choose(given, "starting-with", counted::lines_with).lines;
  lines.text = text_in_line(value);
  lines.at_start = true;
}
void set_every(arguments& given, std::string_view value) {
  choose(given, "every", counted::every_line).every = parse_step(value);
}
void set_occurrences(arguments& given, std::string_view value) {
  choose(given, "occurrences", counted::occurrences).lines.text = text::parse_text(value);
}
void set_rows(arguments& given, std::string_view /*value*/) {
  choose(given, "rows", counted::rows);
}
void set_fasta(arguments& given, std::string_view /*value*/) {
  choose(given, "fasta", counted::sequences);
}
void set_fastq(arguments& given, std::string_view /*value*/) {
  choose(given, "fastq", counted::reads);
}

constexpr std::array own_options{
    option{.name = "any-of",
           .argument = "SET",
           .help = "Count each byte that is in SET, written " RIFFLE_SET_SYNTAX,
           .set = set_any_of},
    option{.name = "none-of",
           .argument = "SET",
           .help = "Count each byte that is not in SET",
           .set = set_none_of},
    option{
        .name = "byte", .argument = "BYTE", .help = "Count one byte: " RIFFLE_BYTE_SYNTAX, .set = set_byte},
    option{.name = "bytes",
           .help = "Print each byte that occurs, as --byte takes it, a tab, and how often",
           .set = set_bytes},
    option{.name = "lines", .short_form = 'l', .help = "Count newlines", .set = set_lines},
    option{.name = "containing",
           .argument = "TEXT",
           .help = "Count the lines that contain TEXT: " RIFFLE_TEXT_SYNTAX,
           .set = set_containing},
    option{.name = "starting-with",
           .argument = "TEXT",
           .help = "Count the lines that start with TEXT",
           .set = set_starting},
    option{.name = "invert-match",
           .short_form = 'v',
           .help = "With either, count the other lines",
           .set = set_to<true, &count_arguments::lines, &line_choice::invert>},
    option{.name = "every", .argument = "FIRST~STEP", .help = "Count " RIFFLE_EVERY_HELP, .set = set_every},
    option{.name = "occurrences",
           .argument = "TEXT",
           .help = "Count how often TEXT occurs, without overlaps",
           .set = set_occurrences},
    option{.name = "rows",
           .help = "Count the rows of CSV, whose fields may hold newlines, or with --tsv those of TSV",
           .set = set_rows},
    option{.name = "per-line",
           .help =
               "Print how many lines have 0, 1, 2, ... of the bytes counted, or of TEXT: the number, a tab, "
               "the lines",
           .set = set_to<true, &count_arguments::per_line>},
    option{.name = "fasta",
           .help = "Print a row for each sequence of a FASTA file: name, length, A, C, G, T, N and the "
                   "percentage of G and C, with tabs between them",
           .set = set_fasta},
    option{.name = "fastq",
           .help = "Print the reads and bases of a FASTQ file, and how many bases have each quality",
           .set = set_fastq}};
constexpr auto options =
    concatenated(own_options, field_options("rows"), reading_options, thread_options, json_options);

// Whether lines, rows or sequences are counted, and not bytes.
bool counts_records(const count_arguments& given) {
  return given.per_line || given.what == counted::lines_with || given.what == counted::every_line ||
         given.what == counted::rows || given.what == counted::sequences || given.what == counted::reads;
}

int run_count(const count_arguments& typed) {
  count_arguments given = typed;
  if (counts_records(given)) decode_records(given);
  if (given.what != counted::lines_with) require_text({.invert = given.lines.invert});
  if (given.per_line &&
      (given.counts_whole_lines() || (given.what != counted::bytes && !given.counts_text()))) {
    throw text::usage_error(
        "--per-line counts bytes or a text; use it with --any-of, --none-of, --byte or --occurrences");
  }
  switch (given.what) {
    case counted::nothing:
      break;
    case counted::bytes:
      return given.per_line ? run_per_line(given) : run_bytes(given);
    case counted::each_byte:
      return run_each_byte(given);
    case counted::occurrences:
    case counted::lines_with:
      return given.per_line ? run_text_per_line(given) : run_text(given);
    case counted::every_line:
      return run_every(given);
    case counted::rows:
      return run_rows(given);
    case counted::sequences:
      return run_fasta(given);
    case counted::reads:
      return run_fastq(given);
  }
  throw text::usage_error("nothing to count; use one of " RIFFLE_COUNTED);
}

}  // namespace

constexpr command count_command{
    .name = "count",
    .summary =
        "Count bytes or a text, in all or per line, rows of CSV, or the bases of FASTA and FASTQ files",
    .options = options,
    .operands = files_to_read,
    .notes =
        "If there are several files, each row ends in the name of its file, and rows of the total follow, "
        "except with --fasta.\n"
        "TEXT is compared byte by byte, without regard to encodings, and is no pattern: for regular "
        "expressions, or for letters of either case, use ripgrep. \"aa\" occurs once in \"aaa\". "
        "--containing with --per-line counts the occurrences in each line.\n"
        "With --rows, riffle counts neither empty rows nor, with --header, the header.\n"
        "Threads share many files or one large file. The output does not depend on their number. --fasta and "
        "--fastq use one thread.\n"
        "--json prints JSON Lines: an object with \"file\" for each row, and with \"total\":true for those "
        "of the total.",
    .examples =
        "  riffle count --any-of cCgG genome.fa\n"
        "  riffle count --none-of '[:print:][:space:]' notes.txt\n"
        "  riffle count --byte '\\0' disk.img\n"
        "  riffle count --lines --threads 2 huge.csv\n"
        "  riffle count --byte , --per-line table.csv\n"
        "  riffle count --containing ' 500 ' access.log\n"
        "  riffle count --starting-with '>' genome.fa\n"
        "  riffle count --starting-with '#' -v table.txt\n"
        "  riffle count --occurrences '\\0\\xFF' disk.img\n"
        "  riffle count --rows --header table.csv\n"
        "  riffle count --fasta genome.fa\n"
        "  riffle count --fastq reads.fq\n"
        "  riffle count --fasta --json genome.fa | jq 'select(.gc > 60) | .name'\n",
    .run = run<count_arguments, run_count>};

}  // namespace riffle::cli
