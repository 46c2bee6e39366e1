/// `riffle cat`: copies inputs to standard output, by blocks or line by line; or some fields of each row.
#include <fmt/core.h>
#include <riffle/blocks.hpp>
#include <riffle/lines.hpp>
#include <riffle/rows.hpp>

#include <filesystem>
#include <optional>

#include "cli/command_line.hpp"
#include "cli/commands.hpp"
#include "cli/fields.hpp"
#include "cli/output.hpp"
#include "cli/own_output.hpp"
#include "cli/reading.hpp"
#include "text/bytes.hpp"
#include "text/numbers.hpp"

namespace riffle::cli {

namespace {

// Refuses a mistyped length.
constexpr std::uint64_t longest_line = std::uint64_t{1} << 60U;

struct cat_arguments : field_arguments {
  line_options lines{.keep_delimiter = true};
  bool by_lines = false;
  bool strip_cr = false;
  std::vector<field_range> fields = {};
};

// Writes the fields of each row, in the order of the list, and a delimiter behind each row.
class field_output {
 public:
  explicit field_output(const cat_arguments& given) : given_(given) {}

  void copy(const input& from) {
    row_options options = given_.rows;
    options.delimiter = given_.lines.delimiter;
    options.strip_cr = given_.strip_cr;
    options.max_length = given_.lines.max_length;
    try {
      for_each(rows(from, options, given_.options), [&](const row& each) { add(each); });
    } catch (...) {
      flush();  // what was right before the failure
      throw;
    }
    flush();
  }

 private:
  static constexpr std::size_t enough = 64 * text::kib;

  void add(const row& each) {
    const std::size_t start = text_.size();
    for (const field_range& range : given_.fields) {
      const std::size_t last = range.last == open_end ? each.size() : range.last;
      for (std::size_t number = range.first; number <= last; ++number) {
        // A field that the row lacks is empty.
        if (number <= each.size()) text_ += each[number - 1];
        text_ += given_.rows.field;
      }
    }
    if (text_.size() != start) text_.pop_back();
    text_ += given_.lines.delimiter;
    if (text_.size() >= enough) flush();
  }

  // Inlined, it lets g++ 12 warn of a short string that holds `enough` bytes.
  [[gnu::noinline]] void flush() {
    std::string text;
    text.swap(text_);  // empty even if `write` throws
    write(text);
  }

  const cat_arguments& given_;
  std::string text_;
};

struct copying {
  const cat_arguments& reading;
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
      if (!reading.fields.empty()) {
        field_output(reading).copy(input_of(name));
      } else if (strip_cr) {
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

void set_fields(arguments& given, std::string_view value) {
  cat(given).fields = parse_fields(value);
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
           .set = set_max_length},
    option{.name = "fields",
           .value = takes::argument,
           .argument = "LIST",
           .help = "Copy these fields of each line, in this order: numbers and ranges, such as 3,1 or 2-4,7-",
           .set = set_fields}};
constexpr auto options = concatenated(own_options, field_options("fields"), reading_options);

int run_cat(const cat_arguments& given) {
  row_options bytes = given.rows;
  bytes.delimiter = given.lines.delimiter;
  if (!given.fields.empty()) require_different_bytes(bytes);
  return copying{given, given.lines, given.by_lines, given.strip_cr}.run();
}

}  // namespace

constexpr command cat_command{
    .name = "cat",
    .summary = "Copy files to standard output, by blocks or by lines, or some fields",
    .options = options,
    .operands = files_to_read,
    .examples =
        "  riffle cat --lines --method mmap access.log\n"
        "  riffle cat --delimiter '\\0' --max-length 1MiB list.bin\n"
        "  riffle cat --strip-cr dos.txt > unix.txt\n"
        "  riffle cat --fields 3,1 table.tsv\n"
        "  riffle cat --fields 2- --field-delimiter , --quote '\"' prices.csv\n",
    .run = run<cat_arguments, run_cat>};

}  // namespace riffle::cli
