/// `riffle sum`: the sum of the binary numbers in a file, or of those in a column of its rows, and the total
/// of several. What depends on the type of the numbers is behind one interface.
#include "cli/sum/sum.hpp"

#include <fmt/core.h>
#include <riffle/error.hpp>
#include <riffle/parallel_rows.hpp>
#include <riffle/values.hpp>

#include <array>
#include <exception>

#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/output.hpp"
#include "cli/reading.hpp"
#include "cli/rows.hpp"
#include "text/row_values.hpp"

namespace riffle::cli {

namespace {

// Text that is taken for binary numbers has the wrong size or a sum that is too large.
constexpr std::string_view if_text = "if the numbers stand as text, name their field by --column";

template <class T>
class summing_of : public summing {
 public:
  explicit summing_of(const sum_arguments& given)
      : given_(given), totals_(std::max<std::size_t>(given.columns.size(), 1), exact<T>(given.stats)) {}

  file_sum sum(source from, const riffle::thread_options& splitting) override {
    if (!given_.columns.empty()) return sum_columns(std::move(from), splitting);
    collector<T, summer<T>> file(given_.stats);
    const value_options order{.order = given_.order.value_or(std::endian::native)};
    try {
      for (std::span<const T> some : value_range<T>(std::move(from), order).spans()) file.add(some);
    } catch (const error& failure) {
      throw_with_remedy(failure, failure.code() == errc::partial_value ? std::string(if_text) : "");
    }
    return {.rows = {row_of(file.result())}, .add_to_total = [this, file] { totals_.front().add(file); }};
  }
  std::vector<sum_row> total() const override { return rows_of(totals_); }

 private:
  // What the columns hold in one split, or in several.
  struct columns_part {
    std::vector<exact<T>> numbers;  // of each column
    text::bad_rows bad;
  };

  static std::vector<sum_row> rows_of(const std::vector<exact<T>>& columns) {
    std::vector<sum_row> rows;
    rows.reserve(columns.size());
    for (const exact<T>& each : columns) rows.push_back(row_of(each.result()));
    return rows;
  }
  static void add(std::vector<exact<T>>& to, const std::vector<exact<T>>& columns) {
    for (std::size_t i = 0; i != to.size(); ++i) to[i].add(columns[i]);
  }

  file_sum sum_columns(source from, const riffle::thread_options& splitting) {
    row_range rows(std::move(from), given_.rows);
    std::vector<std::string> header;
    if (std::ranges::any_of(given_.columns, [](const field_range& each) { return !each.name; })) {
      header = rows.names();
    }
    columns_part all = in_columns(std::move(rows), splitting);
    return {.rows = rows_of(all.numbers),
            .header = std::move(header),
            .skipped = std::move(all.bad),
            .add_to_total = [this, numbers = std::move(all.numbers)] { add(totals_, numbers); }};
  }

  // Only if `careful` it asks for texts without a number and skips bad rows, as each question costs some
  // percent.
  template <bool careful>
  columns_part in_split(row_range& split, std::span<const std::size_t> indices) const {
    columns_part part{std::vector(indices.size(), exact<T>(given_.stats)),
                      text::bad_rows(given_.skip_bad_rows)};
    std::vector<std::vector<T>> numbers(indices.size());
    std::vector<std::optional<T>> of_row(indices.size());
    const auto value = [&](const row& each, std::size_t index) {
      try {
        return each.get<T>(index);
      } catch (const error& failure) {
        throw_with_remedy(failure, remedy_for_field(each, index, given_.rows));
      }
    };
    if constexpr (careful) {
      // A row of which one field is bad adds nothing.
      part.bad.for_each(split, [&](const row& each) {
        for (std::size_t i = 0; i != indices.size(); ++i) {
          of_row[i].reset();
          if (!each.is_null(indices[i])) of_row[i] = value(each, indices[i]);
        }
        for (std::size_t i = 0; i != indices.size(); ++i) {
          if (of_row[i]) {
            numbers[i].push_back(*of_row[i]);
          } else {
            part.numbers[i].add_nulls(1);
          }
        }
      });
    } else {
      for_each(split, [&](const row& each) {
        for (std::size_t i = 0; i != indices.size(); ++i) numbers[i].push_back(value(each, indices[i]));
      });
    }
    for (std::size_t i = 0; i != indices.size(); ++i) part.numbers[i].add(std::span<const T>(numbers[i]));
    return part;
  }

  // Throws as `row::get` and `row_range::column` do, with a remedy.
  columns_part in_columns(row_range rows, riffle::thread_options splitting) const {
    splitting.split_size = std::min(splitting.split_size, largest_waiting_part);
    std::vector<std::size_t> indices;
    for (const field_range& each : numbered(given_.columns, rows, given_.rows))
      indices.push_back(each.first - 1);
    const bool careful = given_.skip_bad_rows || !given_.rows.null.empty();
    const auto part_of = [&](row_range& split) {
      return careful ? in_split<true>(split, indices) : in_split<false>(split, indices);
    };
    const auto both = [](columns_part before, const columns_part& part) {
      add(before.numbers, part.numbers);
      before.bad.add(part.bad);
      return before;
    };
    columns_part all{std::vector(indices.size(), exact<T>(given_.stats)), text::bad_rows()};
    parallel_rows_into(all, std::move(rows), part_of, both, splitting);
    return all;
  }

  const sum_arguments& given_;
  std::vector<exact<T>> totals_;
};

template <class T>
std::unique_ptr<summing> start(const sum_arguments& given) {
  return std::make_unique<summing_of<T>>(given);
}

constexpr std::array types{number_type{"u8", start<std::uint8_t>},   number_type{"i8", start<std::int8_t>},
                           number_type{"u16", start<std::uint16_t>}, number_type{"i16", start<std::int16_t>},
                           number_type{"u32", start<std::uint32_t>}, number_type{"i32", start<std::int32_t>},
                           number_type{"u64", start<std::uint64_t>}, number_type{"i64", start<std::int64_t>},
                           number_type{"f32", start<float>},         number_type{"f64", start<double>}};

std::string why_too_large(const sum_arguments& given, bool of_file) {
  const std::string remedy = !given.columns.empty() ? "; use --type f64"
                             : of_file              ? fmt::format("; {}", if_text)
                                                    : "";
  return fmt::format("the sum does not fit {}{}", given.type->name.starts_with('i') ? "i64" : "u64", remedy);
}

std::vector<std::string_view> type_names() {
  std::vector<std::string_view> names;
  names.reserve(number_types().size());
  for (const number_type& each : number_types()) names.push_back(each.name);
  return names;
}

constexpr std::size_t most_columns = 1000;

void add_null(arguments& given, std::string_view value) {
  static_cast<sum_arguments&>(given).rows.null.emplace_back(value);
}

void set_column(arguments& given, std::string_view value) {
  static_cast<sum_arguments&>(given).columns.push_back(parse_column(value));
}

// Each field by itself.
void set_columns(arguments& given, std::string_view value) {
  auto& sum = static_cast<sum_arguments&>(given);
  sum.several = true;
  for (const field_range& each : parse_columns(value)) {
    if (each.last == open_end) throw text::usage_error("a range without an end; name its last column");
    if (each.last - each.first >= most_columns)
      throw text::usage_error("too many columns; name at most 1000");
    for (std::size_t i = each.first; i <= each.last; ++i) sum.columns.push_back({i, i, each.name});
  }
}

void set_type(arguments& given, std::string_view value) {
  const auto found = std::ranges::find(number_types(), value, &number_type::name);
  if (found == number_types().end()) throw no_such("type", type_names());
  static_cast<sum_arguments&>(given).type = &*found;
}

constexpr std::array own_options{
    option{.name = "column",
           .argument = "FIELD",
           .help = "Sum the numbers that stand as text in this field of each row: its number, such as 3, or "
                   "its name, such as price or name:3",
           .set = set_column},
    option{.name = "columns",
           .argument = "LIST",
           .help = "Sum several fields in one pass: numbers, ranges and names, such as 5,6 or 2-4,price; a "
                   "row for each, which says which",
           .set = set_columns},
    option{.name = "stats",
           .help = "Print the count, the minimum, the maximum, the sum and the mean; with --null, also how "
                   "many fields it left out",
           .set = set_to<true, &sum_arguments::stats>},
    option{.name = "null",
           .argument = "TEXT",
           .help = "Leave out fields of this text, such as NA or ''; may be given again for other texts",
           .needs = "column columns",
           .set = add_null},
    option{
        .name = "no-quoted-null",
        .help = "A field in quotes is none of those texts, so that \"\" is no number; as COPY of PostgreSQL",
        .needs = "null",
        .set = set_to<false, &sum_arguments::rows, &dialect::quoted_null>},
    option{.name = "type",
           .argument = "TYPE",
           .help = "Type of the numbers; with --column, f64 unless given",
           .words = type_names,
           .set = set_type},
    option{.name = "big-endian",
           .help = "The numbers are big-endian (network order)",
           .set = set_to<std::endian::big, &sum_arguments::order>}};
constexpr auto options = concatenated(
    own_options, thread_options, json_options, input_options,
    total_options(set_by<parse_total, &sum_arguments::total>),
    in_group(rows_group, concatenated(field_options("column columns"), header_options("column columns"),
                                      trim_options("column columns"), length_options("column columns"))),
    reading_options);

// Applies what the options mean together.
void settle(sum_arguments& given) {
  const bool text = !given.columns.empty();
  given.several |= given.columns.size() > 1;
  if (!text && given.type == nullptr) {
    throw text::usage_error(
        "option '--type' is missing; for numbers as text, one on each line, use --column 1");
  }
  if (text && given.order) {
    throw text::usage_error("--big-endian is for binary numbers; --column reads text");
  }
  if (text && given.type == nullptr) given.type = &number_types().back();
  if (text) {
    decode_records(given);
    resolve(given, given.columns, true);
  }
}

int run_sum(sum_arguments& given) {
  settle(given);
  const std::unique_ptr<summing> numbers = given.type->start(given);
  sum_table table(given);
  first_header first(given, given.columns, "sum",
                     given.several ? "columns in --columns" : "column in --column");
  const auto progress = shown_progress(given);
  const auto complain_of = [&](const std::string& what, const std::string& name,
                               const std::exception_ptr& problem) {
    if (!failed_by(problem, errc::sum_overflow)) return complain_of_file(name, problem, given);
    complain(fmt::format("riffle: cannot sum {}: {}", what, why_too_large(given, !name.empty())));
  };
  int status = for_each_file<file_sum>(
      given, given.files, given.threads,
      {.read =
           [&](const auto&, source from, const riffle::thread_options& splitting,
               std::optional<file_sum>& found) {
             const std::string name = from.name();
             found = numbers->sum(std::move(from), splitting);
             found->skipped.fail_if_any(name);
           },
       .finish =
           [&](const std::string& name, const std::optional<file_sum>& found, const auto&) {
             if (!found || !first.is_that_of(name, found->header)) return;
             found->add_to_total();
             table.add(name, found->rows);
           },
       .complain =
           [&](const std::string& name, const std::exception_ptr& problem) {
             complain_of(fmt::format("'{}'", name == "-" ? "standard input" : name), name, problem);
           },
       .takes_text = !given.columns.empty()});
  if (first.differs()) status = failure;
  if (!prints_total(given.total, given.files.size())) return status;
  try {
    table.add_total(numbers->total());
  } catch (const output_lost&) {
    throw;
  } catch (const error&) {
    status = failure;
    complain_of("the total", "", std::current_exception());
  }
  return status;
}

}  // namespace

std::span<const number_type> number_types() {
  return types;
}

constexpr command sum_command{
    .name = "sum",
    .summary = "Add up the binary numbers in a file, or those in a column of text",
    .options = options,
    .operands = files_to_read,
    .notes =
        "Sums of integers are exact. If one does not fit 64 bits, riffle reports an error. Sums of floats "
        "are the same for every method, block size, processor and number of threads; of a column also for "
        "every order of its rows, as the exact sum is rounded once. The sums of several files are followed "
        "by their total.\n"
        "--stats prints columns with a tab between them, below a line with their names. The minimum and the "
        "maximum are those of the numbers that are not NaN. An empty file has none, which is written '-'.\n"
        "--json prints JSON Lines: an object with \"file\" for each file, and one with \"total\":true. null "
        "is a number that JSON cannot hold, or that does not exist.\n"
        "With --column, a field that is missing or no number is an error, unless --null names it or "
        "--bad-rows skip leaves its row out. A header is not summed, nor counted as a row. If the column is "
        "a number, it must have the same name in the headers of all files.\n"
        "A comma is no decimal point: let sed or another program replace it before riffle reads.",
    .examples =
        "  riffle sum --type u64 primes.dat\n"
        "  riffle sum --type f32 --big-endian samples.raw\n"
        "  riffle sum --stats --type i16 *.raw\n"
        "  riffle sum --tsv --column 3 --header prices.tsv\n"
        "  riffle sum --column price *.csv\n"
        "  ps aux | riffle sum --whitespace --header --columns 5,6\n"
        "  riffle sum --column price --null NA --null '' --stats prices.csv\n"
        "  riffle sum --column 2 --type i64 a.csv\n"
        "  riffle sum --stats --json --tsv --column price *.tsv | jq 'select(.max > 100)'\n",
    .run = run<sum_arguments, run_sum>};

}  // namespace riffle::cli
