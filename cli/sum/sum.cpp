/// `riffle sum`: the sum of the binary numbers in a file, or of those in a column of its rows, and the total
/// of several. What depends on the type of the numbers is behind one interface.
#include "cli/sum/sum.hpp"

#include <fmt/core.h>
#include <riffle/error.hpp>
#include <riffle/parallel_rows.hpp>
#include <riffle/values.hpp>

#include <array>
#include <exception>

#include "cli/command_line.hpp"
#include "cli/commands.hpp"
#include "cli/files.hpp"
#include "cli/output.hpp"
#include "cli/progress/progress.hpp"
#include "cli/remedies.hpp"
#include "cli/rows/first_header.hpp"
#include "cli/sum/numbers.hpp"
#include "text/bad_rows.hpp"

namespace riffle::cli {

namespace {

// Text that is taken for binary numbers has the wrong size or a sum that is too large.
constexpr std::string_view if_text = "if the numbers stand as text, name their field by --column";

template <class T>
class summing_of : public summing {
 public:
  explicit summing_of(const sum_arguments& given) : given_(given), total_(given.stats) {}

  file_sum sum(source from, const parallel_options& splitting) override {
    if (given_.column) return sum_column(std::move(from), splitting);
    collector<T, summer<T>> file(given_.stats);
    const value_options order{.order = given_.order.value_or(std::endian::native)};
    try {
      for (std::span<const T> some : value_range<T>(std::move(from), order).spans()) file.add(some);
    } catch (const error& failure) {
      throw_with_remedy(failure, failure.code() == errc::partial_value ? std::string(if_text) : "");
    }
    return known(file);
  }
  sum_row total() const override { return row_of(total_.result()); }

 private:
  // What a column holds in one split, or in several.
  struct column_part {
    exact<T> numbers;
    text::bad_rows bad;
  };

  template <class File>
  file_sum known(const File& file) {
    return {.row = row_of(file.result()), .add_to_total = [this, file] { total_.add(file); }};
  }

  file_sum sum_column(source from, const parallel_options& splitting) {
    row_range rows(std::move(from), given_.rows);
    std::vector<std::string> header;
    if (!given_.column->name) header = rows.names();
    column_part all = in_column(std::move(rows), splitting);
    file_sum found = known(all.numbers);
    found.header = std::move(header);
    found.skipped = std::move(all.bad);
    return found;
  }

  // Only if `careful` it asks for texts without a number and skips bad rows, as each question costs some
  // percent.
  template <bool careful>
  column_part in_split(row_range& split, std::size_t index) const {
    column_part part{exact<T>(given_.stats), text::bad_rows(given_.skip_bad_rows)};
    std::vector<T> numbers;
    const auto add = [&](const row& each) {
      try {
        if constexpr (careful) {
          if (each.is_null(index)) {
            part.numbers.add_nulls(1);
          } else {  // not by push_back, which the compiler inlines where it is called once
            numbers.insert(numbers.end(), each.get<T>(index));
          }
        } else {
          numbers.push_back(each.get<T>(index));
        }
      } catch (const error& failure) {
        throw_with_remedy(failure, remedy_for_field(each, index, given_.rows));
      }
    };
    if constexpr (careful) {
      part.bad.for_each(split, add);
    } else {
      for_each(split, add);
    }
    part.numbers.add(std::span<const T>(numbers));
    return part;
  }

  // Throws as `row::get` and `row_range::column` do, with a remedy.
  column_part in_column(row_range rows, parallel_options splitting) const {
    splitting.split_size = std::min(splitting.split_size, largest_waiting_part);
    const std::size_t index = numbered({*given_.column}, rows, given_.rows).front().first - 1;
    const bool careful = given_.skip_bad_rows || !given_.rows.null.empty();
    const auto part_of = [&](row_range& split) {
      return careful ? in_split<true>(split, index) : in_split<false>(split, index);
    };
    const auto both = [](column_part before, const column_part& part) {
      before.numbers.add(part.numbers);
      before.bad.add(part.bad);
      return before;
    };
    column_part all{exact<T>(given_.stats), text::bad_rows()};
    parallel_rows_into(all, std::move(rows), part_of, both, splitting);
    return all;
  }

  const sum_arguments& given_;
  exact<T> total_;
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
  const std::string remedy = given.column ? "; use --type f64" : of_file ? fmt::format("; {}", if_text) : "";
  return fmt::format("the sum does not fit {}{}", given.type->name.starts_with('i') ? "i64" : "u64", remedy);
}

}  // namespace

std::span<const number_type> number_types() {
  return types;
}

namespace {

std::vector<std::string_view> type_names() {
  std::vector<std::string_view> names;
  names.reserve(number_types().size());
  for (const number_type& each : number_types()) names.push_back(each.name);
  return names;
}

void add_null(arguments& given, std::string_view value) {
  static_cast<sum_arguments&>(given).rows.null.emplace_back(value);
}

void set_type(arguments& given, std::string_view value) {
  const auto found = std::ranges::find(number_types(), value, &number_type::name);
  if (found == number_types().end()) throw no_such("type", type_names());
  static_cast<sum_arguments&>(given).type = &*found;
}

constexpr std::array own_options{
    option{.name = "type",
           .argument = "TYPE",
           .help = "Type of the numbers; with --column, f64 unless given",
           .words = type_names,
           .set = set_type},
    option{.name = "big-endian",
           .help = "The numbers are big-endian (network order)",
           .set = set_to<std::endian::big, &sum_arguments::order>},
    option{.name = "column",
           .argument = "FIELD",
           .help = "Sum the numbers that stand as text in this field of each row: its number, such as 3, "
                   "or its name, such as price or name:3",
           .set = set_by<parse_column, &sum_arguments::column>},
    option{.name = "null",
           .argument = "TEXT",
           .help = "Leave out fields of this text, such as NA or ''; may be given again for other texts",
           .needs = "column",
           .set = add_null},
    option{.name = "stats",
           .help = "Print the count, the minimum, the maximum, the sum and the mean; with --null, also how "
                   "many fields it left out",
           .set = set_to<true, &sum_arguments::stats>}};
constexpr auto options = concatenated(own_options, total_options(set_by<parse_total, &sum_arguments::total>),
                                      header_options("column"), field_options("column"),
                                      trim_options("column"), reading_options, thread_options, json_options);

// Applies what the options mean together.
sum_arguments resolved(sum_arguments given) {
  const bool text = given.column.has_value();
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
    resolve(given, std::span(&*given.column, 1), true);
  }
  return given;
}

int run_sum(const sum_arguments& typed) {
  const sum_arguments given = resolved(typed);
  const std::unique_ptr<summing> numbers = given.type->start(given);
  const bool only_total = given.total == total_row::only;
  sum_table table(given.stats, !given.rows.null.empty(), given.json,
                  names_rows(given.total, given.files.size()), only_total);
  const auto columns = given.column ? std::span(&*given.column, 1) : std::span<const field_range>();
  first_header first(given, columns, "sum", "column in --column");
  reading_progress progress(given);
  const auto complain_of = [&](const std::string& what, const std::string& name,
                               const std::exception_ptr& problem) {
    if (!failed_by(problem, errc::sum_overflow)) return complain_of_file(name, problem, *given.running);
    complain(fmt::format("riffle: cannot sum {}: {}", what, why_too_large(given, !name.empty())));
  };
  int status = for_each_file<file_sum>(
      given, given.files, given.threads, progress.counting(given.options),
      {.read =
           [&](const auto&, source from, const parallel_options& splitting, std::optional<file_sum>& found) {
             const std::string name = from.name();
             found = numbers->sum(std::move(from), splitting);
             found->skipped.fail_if_any(name);
           },
       .finish =
           [&](const std::string& name, const std::optional<file_sum>& found, const auto&) {
             if (!found || !first.is_that_of(name, found->header)) return;
             found->add_to_total();
             table.add(name, found->row);
           },
       .complain =
           [&](const std::string& name, const std::exception_ptr& problem) {
             complain_of(fmt::format("'{}'", name == "-" ? "standard input" : name), name, problem);
           },
       .takes_text = given.column.has_value()});
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

constexpr command sum_command{
    .name = "sum",
    .summary = "Add up the binary numbers in a file, or those in a column of text",
    .options = options,
    .operands = files_to_read,
    .notes =
        "Sums of integers are exact. If one does not fit 64 bits, riffle reports an error. Sums of floats "
        "are the same for every method, block size, processor and number of threads; of a column also for "
        "every "
        "order of its rows, as the exact sum is rounded once. The sums of several files are followed by "
        "their "
        "total.\n"
        "--stats prints columns with a tab between them, below a line with their names. The minimum and the "
        "maximum are those of the numbers that are not NaN. An empty file has none, which is written '-'.\n"
        "--json prints JSON Lines: an object with \"file\" for each file, and one with \"total\":true. null "
        "is a number that JSON cannot hold, or that does not exist.\n"
        "With --column, a field that is missing or no number is an error, unless --null names it or "
        "--bad-rows skip leaves its row out. A header is not summed, nor counted as a row. If the column is "
        "a "
        "number, it must have the same name in the headers of all files.\n"
        "A comma is no decimal point: let sed or another program replace it before riffle reads.",
    .examples =
        "  riffle sum --type u64 primes.dat\n"
        "  riffle sum --type f32 --big-endian samples.raw\n"
        "  riffle sum --stats --type i16 *.raw\n"
        "  riffle sum --tsv --column 3 --header prices.tsv\n"
        "  riffle sum --column price *.csv\n"
        "  riffle sum --column price --null NA --null '' --stats prices.csv\n"
        "  riffle sum --column 2 --type i64 a.csv\n"
        "  riffle sum --stats --json --tsv --column price *.tsv | jq 'select(.max > 100)'\n",
    .run = run<sum_arguments, run_sum>};

}  // namespace riffle::cli
