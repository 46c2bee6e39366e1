/// `riffle count`: how often the bytes of a set or a text occur, in all or in each line, and its rows.
#include "cli/count/arguments.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/output.hpp"
#include "text/shown.hpp"
#include "text/typed.hpp"

namespace riffle::cli {

namespace {

// What ends a row.
std::string end_of(const row_form& form, const std::string* name, char separator) {
  return !form.named ? "\n" : separator + (name == nullptr ? "total" : text::quoted_for_row(*name)) + "\n";
}

json_row json_of(const row_form& form, const std::string* name) {
  return name == nullptr ? json_row::of_total(form.rows) : json_row::of_file(*name);
}

// By hand, as a file of short reads has a row for every hundred bytes.
void append(std::string& text, std::uint64_t number) {
  std::array<char, 20> space;
  text.append(space.data(), std::to_chars(space.data(), space.data() + space.size(), number).ptr);
}

std::optional<std::uint64_t> gc_of(const sequence& found) {
  return base_counts_of(found).share();
}

// As a percentage with two decimals.
std::string percentage(std::optional<std::uint64_t> hundredths) {
  return hundredths ? fmt::format("{}.{:02}", *hundredths / 100, *hundredths % 100) : "NA";
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

// Of each kind only one may be given, but it may be given again: what it names adds up.
count_arguments& choose(arguments& given, counted what) {
  auto& arguments = static_cast<count_arguments&>(given);
  use_one(arguments.counted_by, given, RIFFLE_COUNTED);
  arguments.what = what;
  return arguments;
}

template <counted what>
void set_counted(arguments& given, std::string_view /*value*/) {
  choose(given, what);
}
template <auto parse>
void add_bytes(arguments& given, std::string_view value) {
  choose(given, counted::bytes).bytes += parse(value);
}
void set_lines(arguments& given, std::string_view /*value*/) {
  choose(given, counted::bytes).bytes += '\n';
}
void set_occurrences(arguments& given, std::string_view value) {
  std::vector<std::string>& texts = choose(given, counted::occurrences).texts;
  std::string text = text::parse_text(value);
  if (std::ranges::find(texts, text) == texts.end()) texts.push_back(std::move(text));
}
template <sequence_form form>
void set_form(arguments& given, std::string_view /*value*/) {
  sequence_form& now = static_cast<count_arguments&>(given).form;
  if (now != sequence_form::all && now != form) throw text::usage_error("use only one of --stats, --records");
  now = form;
}

constexpr std::array own_options{
    option{.name = "lines", .short_form = 'l', .help = "Count newlines", .set = set_lines},
    option{.name = "occurrences",
           .argument = "TEXT",
           .help = "Count how often TEXT occurs, without overlaps",
           .set = set_occurrences},
    option{.name = "byte",
           .argument = "BYTE",
           .help = "Count one byte: " RIFFLE_BYTE_SYNTAX,
           .set = add_bytes<text::parse_byte>},
    option{.name = "any-of",
           .argument = "SET",
           .help = "Count each byte that is in SET, written " RIFFLE_SET_SYNTAX,
           .set = add_bytes<text::parse_bytes>},
    option{.name = "none-of",
           .argument = "SET",
           .help = "Count each byte that is not in SET",
           .set = add_bytes<text::parse_bytes>},
    option{.name = "bytes",
           .help = "Print each byte that occurs, as --byte takes it, a tab, and how often",
           .set = set_counted<counted::each_byte>},
    option{.name = "per-line",
           .help = "Print how many lines have 0, 1, 2, ... of the bytes counted, or of TEXT: the number, a "
                   "tab, the lines",
           .set = set_to<true, &count_arguments::per_line>},
    option{.name = "rows",
           .help = "Count the rows of CSV, whose fields may hold newlines, or with --tsv those of TSV",
           .set = set_counted<counted::rows>},
    option{.name = "fasta",
           .help = "Print a row for each sequence of a FASTA file: name, length, A, C, G, T, N and the "
                   "percentage of G and C, with tabs between them",
           .set = set_counted<counted::sequences>},
    option{.name = "fastq",
           .help = "Print the reads and bases of a FASTQ file, and how many bases have each quality",
           .set = set_counted<counted::reads>},
    option{.name = "stats",
           .help = "Print the records, the bases, the shortest, mean and longest length, the N50 and the "
                   "percentage of G and C",
           .needs = "fasta fastq",
           .set = set_form<sequence_form::stats>},
    option{.name = "records",
           .help = "Print the number of records alone",
           .needs = "fasta fastq",
           .set = set_form<sequence_form::records>}};
constexpr auto options =
    concatenated(own_options, thread_options, json_options, input_options,
                 total_options(set_by<parse_total, &count_arguments::total>), choice_options,
                 in_group(rows_group, concatenated(field_options("rows where"), header_options("where"),
                                                   length_options("rows where"))),
                 reading_options);

// Whether lines, rows or sequences are counted, and not bytes.
bool counts_records(const count_arguments& given) {
  return given.per_line || given.lines.any() || given.what == counted::rows ||
         given.what == counted::sequences || given.what == counted::reads;
}

bool hold_newline(const std::vector<std::string>& texts) {
  return std::ranges::any_of(texts,
                             [](const std::string& text) { return text.find('\n') != std::string::npos; });
}

// Refuses what does not go together.
void check(const count_arguments& given) {
  const bool alone =
      given.what == counted::each_byte || given.what == counted::sequences || given.what == counted::reads;
  const choice& lines = given.lines;
  if (lines.any() && alone) {
    throw text::usage_error(
        fmt::format("--{} looks at all of a file; write riffle cat --{} ... | riffle count", given.counted_by,
                    choosing_option(given)));
  }
  if (!(given.what == counted::rows && given.has_quotes())) {
    check_texts(lines, '\n', "add --rows for the quotes of rows, or use --occurrences");
  }
  if ((lines.any() || given.texts.size() > 1) && hold_newline(given.texts)) {
    throw text::usage_error(
        "--occurrences: no line holds a newline; leave out the options that choose lines, and other texts");
  }
  const bool counts_texts = !lines.texts.empty() && !lines.invert && !lines.any_case &&
                            std::ranges::none_of(lines.texts, &wanted_text::at_start);
  const bool nothing_in_lines = given.what == counted::nothing && !counts_texts;
  if (given.per_line && (alone || given.what == counted::rows || nothing_in_lines)) {
    throw text::usage_error(
        "--per-line counts bytes or a text; use it with --any-of, --none-of, --byte or --occurrences");
  }
}

int run_count(count_arguments& given) {
  if (!given.lines.where.empty()) {
    if (given.per_line || (given.what != counted::nothing && given.what != counted::rows)) {
      throw text::usage_error(
          "--where chooses rows, which are counted; write riffle cat --where ... | riffle count for what is "
          "in them");
    }
    given.what = counted::rows;
  }
  if (counts_records(given)) decode_records(given);
  check(given);
  given.set = byte_set(given.bytes);
  if (given.counted_by == "none-of") given.set = ~given.set;
  return run_counts(given);
}

}  // namespace

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

base_counts base_counts_of(const sequence& found) {
  const auto [a, c, g, t, n] = found.counts;
  return {.gc = c + g, .acgt = a + c + g + t};
}

void print(const row_form& form, const std::string* name, const sequence_stats& stats) {
  const sequence_stats::lengths_in_order lengths = stats.in_order();
  const double mean = static_cast<double>(stats.bases) / static_cast<double>(stats.records);
  const std::optional<std::uint64_t> gc = stats.counts.share();
  if (!form.json) {
    const std::string known = stats.records == 0 ? "-\t-\t-\t-"
                                                 : fmt::format("{}\t{:.2f}\t{}\t{}", lengths.shortest, mean,
                                                               lengths.longest, lengths.n50);
    return write(fmt::format("{}\t{}\t{}\t{}{}", stats.records, stats.bases, known, percentage(gc),
                             end_of(form, name, '\t')));
  }
  json_row row = json_of(form, name);
  row.add("records", stats.records).add("bases", stats.bases);
  if (stats.records != 0) {
    row.add("shortest", lengths.shortest)
        .add("mean", mean)
        .add("longest", lengths.longest)
        .add("n50", lengths.n50);
  } else {
    row.add_null("shortest").add_null("mean").add_null("longest").add_null("n50");
  }
  gc ? row.add("gc", static_cast<double>(*gc) / 100) : row.add_null("gc");
  write(row.line());
}

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

constexpr command count_command{
    .name = "count",
    .summary =
        "Count bytes or a text, in all or per line, rows of CSV, or the bases of FASTA and FASTQ files",
    .options = options,
    .operands = files_to_read,
    .notes =
        "If there are several files, each row ends in the name of its file, and rows of the total follow, "
        "except with --fasta.\n"
        "Another option counts in the lines or rows that were chosen; alone they are "
        "counted.\n" RIFFLE_ORDER_OF_CHOICE
        " \"aa\" occurs once in \"aaa\". --containing with --per-line counts the occurrences in each line.\n"
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
        "  riffle count --every 2~4 --any-of CG reads.fq\n"
        "  riffle count --fasta genome.fa\n"
        "  riffle count --fastq reads.fq\n"
        "  riffle count --fastq --stats *.fq.gz\n"
        "  riffle count --byte , --starting-with '#' -v table.csv\n"
        "  riffle count --fasta --json genome.fa | jq 'select(.gc > 60) | .name'\n",
    .run = run<count_arguments, run_count>};

}  // namespace riffle::cli
