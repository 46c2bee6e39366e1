/// `riffle count`: how often the bytes of a set or a text occur, in all or in each line; the lines that
/// contain a text; the rows of CSV; the bases of FASTA and FASTQ files.
#include <fmt/core.h>
#include <riffle/count.hpp>
#include <riffle/parallel.hpp>
#include <riffle/parallel_rows.hpp>
#include <riffle/scan.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "cli/command_line.hpp"
#include "cli/commands.hpp"
#include "cli/count/fasta.hpp"
#include "cli/count/fastq.hpp"
#include "cli/count/per_line.hpp"
#include "cli/files.hpp"
#include "cli/json.hpp"
#include "cli/progress/progress.hpp"
#include "cli/rows/fields.hpp"
#include "text/bad_rows.hpp"
#include "text/bytes.hpp"
#include "text/quoted.hpp"

namespace riffle::cli {

namespace {

enum class counted : std::uint8_t {
  nothing,
  bytes,
  each_byte,
  occurrences,
  lines_with,
  rows,
  sequences,
  reads
};

struct count_arguments : field_arguments {
  counted what = counted::nothing;
  std::string_view chosen_by;  // the name of the option that set it
  byte_set set;
  std::string text;
  bool per_line = false;

  bool counts_text() const { return what == counted::occurrences || what == counted::lines_with; }
};

// What all rows of a run have in common.
struct row_form {
  std::size_t files = 1;  // several: each row of text names its file
  bool json = false;
  std::size_t rows = 0;  // of files so far, for the total in JSON
};

// What ends a row.
std::string end_of(const row_form& form, const std::string* name, char separator) {
  return form.files == 1 ? "\n"
                         : separator + (name == nullptr ? "total" : text::quoted_for_row(*name)) + "\n";
}

json_row json_of(const row_form& form, const std::string* name) {
  return name == nullptr ? json_row::of_total(form.rows) : json_row::of_file(*name);
}

// By hand, as a file of short reads has a row for every hundred bytes.
void append(std::string& text, std::uint64_t number) {
  std::array<char, 20> space;
  text.append(space.data(), std::to_chars(space.data(), space.data() + space.size(), number).ptr);
}

// The share of G and C among A, C, G and T, in hundredths of a percent.
std::optional<std::uint64_t> gc_of(const sequence& found) {
  const auto [a, c, g, t, n] = found.counts;
  const std::uint64_t all = a + c + g + t;
  if (all == 0) return std::nullopt;
  return static_cast<std::uint64_t>(
      std::llround(1e4 * static_cast<double>(c + g) / static_cast<double>(all)));
}

void append_json(std::string& text, const row_form& form, const std::string& name, const sequence& found) {
  json_row row = json_of(form, &name);
  row.add("name", found.name).add("length", found.length);
  for (std::size_t i = 0; i != bases.size(); ++i) row.add(bases.substr(i, 1), found.counts[i]);
  if (const auto gc = gc_of(found)) {
    row.add("gc", static_cast<double>(*gc) / 100);
  } else {
    row.add_null("gc");
  }
  text += row.line();
}

void print_json(const row_form& form, const std::string* name, const read_counts& counts) {
  write(json_of(form, name).add("reads", counts.reads).add("bases", counts.bases).line());
  for (std::size_t quality = 0; quality != read_counts::qualities; ++quality) {
    const std::uint64_t number = counts.of_quality(quality);
    if (number != 0) write(json_of(form, name).add("quality", quality).add("bases", number).line());
  }
}

// Print the rows of the file called `name`; nullptr: those of all files together. Throw `output_lost`.
void print(const row_form& form, const std::string* name, std::uint64_t count) {
  if (form.json) return write(json_of(form, name).add("count", count).line());
  write(fmt::format("{}{}", count, end_of(form, name, ' ')));
}

void print(const row_form& form, const std::string* name, const byte_counts& counts) {
  const std::string end = end_of(form, name, '\t');
  for (std::size_t byte = 0; byte != counts.size(); ++byte) {
    if (counts[byte] == 0) continue;
    if (form.json) {
      write(json_of(form, name).add("byte", byte).add("count", counts[byte]).line());
    } else if (byte > ' ' && byte < 127 && byte != '\\') {
      write(fmt::format("{}\t{}{}", static_cast<char>(byte), counts[byte], end));
    } else {  // as --byte takes it
      write(fmt::format("\\x{:02X}\t{}{}", byte, counts[byte], end));
    }
  }
}

void print(const row_form& form, const std::string* name, const line_histogram& lines) {
  const std::string end = end_of(form, name, '\t');
  lines.for_each([&](std::uint64_t matches, std::uint64_t number) {
    if (form.json) return write(json_of(form, name).add("count", matches).add("lines", number).line());
    write(fmt::format("{}\t{}{}", matches, number, end));
  });
}

void print(const row_form& form, const std::string* name, const read_counts& counts) {
  if (form.json) return print_json(form, name, counts);
  const std::string end = end_of(form, name, '\t');
  write(fmt::format("reads\t{}{}bases\t{}{}", counts.reads, end, counts.bases, end));
  for (std::size_t quality = 0; quality != read_counts::qualities; ++quality) {
    const std::uint64_t number = counts.of_quality(quality);
    if (number != 0) write(fmt::format("Q{}\t{}{}", quality, number, end));
  }
}

// The row of a sequence, with its end.
void append(std::string& text, const row_form& form, const std::string& name, const sequence& found) {
  if (form.json) return append_json(text, form, name, found);
  text.append(found.name).append("\t");
  append(text, found.length);
  for (const std::uint64_t count : found.counts) append(text += '\t', count);
  if (const auto gc = gc_of(found)) {
    append(text += '\t', *gc / 100);
    const char decimals[] = {'.', static_cast<char>('0' + *gc / 10 % 10), static_cast<char>('0' + *gc % 10)};
    text.append(decimals, 3);
  } else {
    text += "\tNA";
  }
  text += end_of(form, &name, '\t');
}

row_form form_of(const count_arguments& given) {
  return {.files = given.files.size(), .json = given.json};
}

void add(std::uint64_t& total, std::uint64_t found) {
  total += found;
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

int run_text(const count_arguments& given) {
  const auto count_into = given.what == counted::lines_with ? count_lines_with_into : count_occurrences_into;
  return count_files<std::uint64_t>(
      given, [&](std::uint64_t& total, source from, const parallel_options& splitting) {
        count_into(total, std::move(from), given.text, splitting);
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
  const auto count = [&](std::string_view part) { return occurrences_per_line(part, given.text); };
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

#define RIFFLE_COUNTED \
  "--any-of, --none-of, --byte, --bytes, --lines, --containing, --occurrences, --rows, --fasta, --fastq"

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
void set_containing(arguments& given, std::string_view value) {
  const std::string text = text::parse_text(value);
  if (text.find('\n') != std::string::npos) {
    throw text::usage_error("no line holds a newline; use --occurrences for a text that does");
  }
  choose(given, "containing", counted::lines_with).text = text;
}
void set_occurrences(arguments& given, std::string_view value) {
  choose(given, "occurrences", counted::occurrences).text = text::parse_text(value);
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
  return given.per_line || given.what == counted::lines_with || given.what == counted::rows ||
         given.what == counted::sequences || given.what == counted::reads;
}

int run_count(const count_arguments& typed) {
  count_arguments given = typed;
  if (counts_records(given)) decode_records(given);
  if (given.per_line && given.what != counted::bytes && !given.counts_text()) {
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
        "  riffle count --occurrences '\\0\\xFF' disk.img\n"
        "  riffle count --rows --header table.csv\n"
        "  riffle count --fasta genome.fa\n"
        "  riffle count --fastq reads.fq\n"
        "  riffle count --fasta --json genome.fa | jq 'select(.gc > 60) | .name'\n",
    .run = run<count_arguments, run_count>};

}  // namespace riffle::cli
