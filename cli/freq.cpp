/// `riffle freq`: how often each line, word or value of columns occurs in all files together, as TSV or JSON
/// Lines.
#include <riffle/value_counts.hpp>
#include <riffle/words.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/chosen.hpp"
#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/output.hpp"
#include "cli/reading.hpp"
#include "cli/rows.hpp"

namespace riffle::cli {

namespace {

/// Which values are printed, and how.
struct freq_form {
  bool combined = false;             // a value holds the fields of several columns
  std::optional<std::uint64_t> top;  // nothing: all, in the order of their first appearance
  std::uint64_t least = 1;
  bool distinct = false;  // their number only
  bool align = false;     // as uniq -c
  bool fields = false;    // values of columns, and no lines or words
  bool json = false;
};

std::string json_of(const value_count& each, bool combined) {
  json_row row;
  row.add("count", each.count);
  if (!combined) return row.add_bytes("value", each.value).line();
  int number = 0;
  text::for_each_field(
      each.value, [&](std::string_view field) { row.add_bytes("value" + std::to_string(++number), field); });
  return row.line();
}

// Throws `output_lost`.
void print(const value_counter& values, const freq_form& form) {
  if (form.distinct) {
    const auto number = static_cast<std::uint64_t>(
        std::ranges::count_if(values, [&form](const value_count& each) { return each.count >= form.least; }));
    return write(form.json ? json_row().add("distinct", number).line() : std::to_string(number) + "\n");
  }
  std::string text;
  const auto print_one = [&](const value_count& each) {
    if (each.count < form.least) return;
    if (form.json) return write(json_of(each, form.combined));
    std::array<char, 20> digits;
    text.assign(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), each.count).ptr);
    if (form.align && text.size() < 7) text.insert(0, 7 - text.size(), ' ');
    text += form.align ? ' ' : '\t';
    if (form.combined || (form.align && !form.fields)) {
      text += each.value;
    } else {
      detail::append_field(text, each.value, true);
    }
    write(text += '\n');
  };
  constexpr std::uint64_t most = std::numeric_limits<std::size_t>::max();
  if (form.top) {
    std::ranges::for_each(values.top(static_cast<std::size_t>(std::min(*form.top, most))), print_one);
  } else {
    std::ranges::for_each(values, print_one);
  }
}

struct freq_arguments : choosing_arguments {
  std::vector<field_range> columns;
  bool words = false;
  byte_set separators = word_separators;
  std::optional<std::uint64_t> top;
  std::uint64_t least = 1;
  bool distinct = false;
  bool align = false;

  bool by_rows() const { return !columns.empty() || !lines.where.empty(); }
};

byte_set parse_set(std::string_view text) {
  return byte_set(text::parse_bytes(text));
}

// What is known of a file.
struct file_values {
  explicit file_values(const freq_arguments& given)
      : values(given.max_memory), skipped(given.skip_bad_rows) {}
  value_counter values;
  text::bad_rows skipped;
  std::vector<std::string> header = {};
  bool whole = false;  // the file was read to its end
};

// Adds a line or a row, or the words in it.
void add_text(value_counter& values, std::string_view text, const freq_arguments& given) {
  if (!given.words) return values.add(text);
  for_each(riffle::words(memory(text), {.separators = given.separators}),
           [&values](std::string_view word) { values.add(word); });
}

void count_rows(file_values& found, source from, bool searches, const freq_arguments& given,
                const riffle::thread_options& splitting) {
  chosen_rows rows(row_range(std::move(from), given.rows), given, searches);
  found.header = rows.all().names();
  const std::vector<std::size_t> indices = indices_of(given.columns, rows.all(), given.rows);
  rows.add_to(found.values, found.skipped, splitting, [&](value_counter& values, const row& each) {
    if (indices.empty()) return add_text(values, each.text(), given);
    try {
      values.add(each, indices);
    } catch (const error& failure) {
      if (failure.code() != errc::missing_field) throw;
      throw_with_remedy(failure, remedy_for_field(each, std::ranges::max(indices), given.rows));
    }
  });
}

void count_lines(value_counter& values, source from, const freq_arguments& given,
                 const riffle::thread_options& splitting) {
  if (!given.lines.any()) {
    return value_counts_into(values, std::move(from), given.words ? text_values::words : text_values::lines,
                             splitting, given.separators);
  }
  const auto add = [&](value_counter& to, std::string_view lines) {
    for_each_line(lines, [&](std::string_view line) { add_text(to, line, given); });
  };
  const auto join = [](value_counter all, const value_counter& part) {
    all.add(part);
    return all;
  };
  lines_in_parts(values, std::move(from), given.lines, splitting, add, join);
}

constexpr std::array own_options{
    option{.name = "columns",
           .argument = "LIST",
           .help = "Count the values of this field of each row, or the combinations of several: numbers, "
                   "ranges and names, such as 3, 2-4 or item,price; name:3 and \"a, b\" are names",
           .set = append_by<parse_each_column, &freq_arguments::columns>},
    option{.name = "words",
           .help = "Count words: runs of bytes that are not white space of ASCII",
           .set = set_to<true, &freq_arguments::words>},
    option{.name = "word-separators",
           .argument = "SET",
           .help = "The bytes between words: " RIFFLE_SET_SYNTAX,
           .preset = "white space",
           .needs = "words",
           .set = set_by<parse_set, &freq_arguments::separators>},
    option{.name = "top",
           .argument = "N",
           .help = "Print the N most frequent values, the most frequent one first",
           .set = set_by<text::number_within<0, text::any_size>, &freq_arguments::top>},
    option{.name = "min",
           .argument = "N",
           .help = "Leave out values that occur less than N times",
           .preset = "1",
           .set = set_by<text::number_within<0, text::any_size>, &freq_arguments::least>},
    option{.name = "distinct",
           .help = "Print only how many different values there are",
           .set = set_to<true, &freq_arguments::distinct>},
    option{.name = "align",
           .help =
               "Print as uniq -c does: the count, aligned to the right, a blank, and the line or word as it "
               "stands",
           .set = set_to<true, &freq_arguments::align>}};
constexpr auto options = concatenated(
    own_options, memory_options(nullptr), thread_options, json_options, input_options, choice_options,
    in_group(rows_group, concatenated(field_options("columns where"), header_options("columns where"),
                                      trim_options("columns where"), length_options("columns where"))),
    reading_options);

// Applies what the options mean together.
void settle(freq_arguments& given) {
  decode_records(given);
  if (given.words && !given.columns.empty()) {
    throw text::usage_error("use --words or --columns, not both");
  }
  if (given.align && (given.distinct || given.json)) {
    throw text::usage_error("use only one of --align, --distinct, --json");
  }
  if (given.distinct && given.top) throw text::usage_error("use --top or --distinct, not both");
  if (!(given.by_rows() && given.has_quotes())) check_texts(given.lines, '\n', "use a text without it");
  if (given.by_rows()) resolve(given, with_conditions(given.columns, given.lines), true);
}

int run_freq(freq_arguments& given) {
  settle(given);
  value_counter all(given.max_memory);
  const std::vector<field_range> fields = with_conditions(given.columns, given.lines);
  first_header first(given, fields, given.lines.where.size(), "count", "columns in --columns");
  std::atomic<bool> too_many = false;
  bool counted = false;
  std::unique_ptr<reading_progress> progress = shown_progress(given);
  const int status = for_each_file<file_values>(
      given, given.files, given.threads,
      {.read =
           [&](const auto&, source from, const riffle::thread_options& splitting,
               std::optional<file_values>& result) {
             const std::string name = from.name();
             within_memory("count", name, too_many, [&] {
               read_rows(std::move(from), given, [&](source input, bool searches) {
                 file_values& found = result.emplace(given);
                 if (given.by_rows()) {
                   count_rows(found, std::move(input), searches, given, splitting);
                 } else {
                   count_lines(found.values, std::move(input), given, splitting);
                 }
                 found.whole = true;
               });
             });
             result->skipped.fail_if_any(name);
           },
       .finish =
           [&](const std::string& name, std::optional<file_values>& found, auto& problem) {
             if (too_many || !found || !first.is_that_of(name, found->header, problem) || !found->whole)
               return;
             counted = true;
             if (all.empty()) {
               all = std::move(found->values);
             } else {
               within_memory("count", name, too_many, [&] { all.add(found->values); });
             }
           },
       .takes_text = true});
  progress.reset();
  if (too_many || (status != success && !counted)) return failure;
  print(all, {.combined = given.columns.size() > 1,
              .top = given.top,
              .least = given.least,
              .distinct = given.distinct,
              .align = given.align,
              .fields = !given.columns.empty(),
              .json = given.json});
  return first.differs() ? failure : status;
}

}  // namespace

constexpr command freq_command{
    .name = "freq",
    .summary = "Count how often each line, word or value of columns occurs",
    .options = options,
    .operands = files_to_read,
    .notes =
        "riffle prints a row for each value: how often it occurs in all files together, a tab, and the "
        "value. The order is that of the first appearance, and does not depend on the number of threads. "
        "With --top, values that occur equally often stand in that order too.\n"
        "A value that holds a tab, a newline, a CR or a quote is written in quotes, and its quotes doubled, "
        "as in CSV. Of several columns riffle prints the values of each combination with tabs between them. "
        "With --json it prints them as \"value\", or as \"value1\", \"value2\" and so on.\n"
        "--align is for programs that read what uniq -c prints. Values of columns stay in quotes "
        "there.\n" RIFFLE_ORDER_OF_CHOICE
        "\n"
        "Values are compared byte by byte. A file that cannot be read to its end is left out. If the values "
        "need more memory than --max-memory, riffle prints how many there were so far, and nothing else.",
    .examples =
        "  riffle freq --top 10 access.log\n"
        "  riffle freq --words --top 20 book.txt\n"
        "  riffle freq --words --word-separators '[:space:][:punct:]' book.txt\n"
        "  riffle freq --align names.txt | sort -n\n"
        "  riffle freq --columns status --top 5 requests.csv\n"
        "  riffle freq --tsv --columns 1,3 --min 2 table.tsv\n"
        "  riffle freq --containing ' 404 ' --whitespace --columns 7 access.log\n"
        "  riffle freq --distinct names.txt\n",
    .run = run<freq_arguments, run_freq>};

}  // namespace riffle::cli
