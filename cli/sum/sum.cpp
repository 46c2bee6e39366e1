/// `riffle sum`: the sum of the binary numbers in a file, or of those in a column of its rows, and the total
/// of several. What depends on the type of the numbers is behind one interface.
#include "cli/sum/sum.hpp"

#include <fmt/core.h>
#include <riffle/error.hpp>
#include <riffle/parallel_rows.hpp>
#include <riffle/values.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <exception>

#include "cli/chosen.hpp"
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
      : given_(given), binary_(given.stats), by_key_(given.max_memory) {}

  void sum(source from, bool searches, const riffle::thread_options& splitting, file_sum& found) override {
    if (!given_.columns.empty()) return sum_columns(std::move(from), searches, splitting, found);
    collector<T, summer<T>> file(given_.stats);
    const value_options order{.order = given_.order.value_or(std::endian::native)};
    try {
      for (std::span<const T> some : value_range<T>(std::move(from), order).spans()) file.add(some);
    } catch (const error& failure) {
      throw_with_remedy(failure, failure.code() == errc::partial_value ? std::string(if_text) : "");
    }
    found = {.rows = {row_of(file.result())}, .add_to_total = [this, file] { binary_.add(file); }};
  }
  std::vector<sum_row> total() const override {
    return given_.columns.empty() ? std::vector{row_of(binary_.result())} : rows_of(by_key_);
  }
  void for_each_key(
      std::optional<std::uint64_t> top,
      const std::function<void(std::string_view, std::span<const sum_row>)>& use) const override {
    const auto use_one = [&](const auto& each) {
      std::vector<sum_row> rows;
      try {
        rows = rows_of(each);
      } catch (const error& failure) {
        if (failure.code() != errc::sum_overflow) throw;
      }
      use(each.key(), rows);
    };
    if (top) {
      const auto number = static_cast<std::size_t>(std::min<std::uint64_t>(*top, by_key_.size()));
      std::ranges::for_each(by_key_.top(number), use_one);
    } else {
      std::ranges::for_each(by_key_, use_one);
    }
  }

 private:
  using sums = key_sums<T>;

  std::vector<sum_row> rows_of(const typename sums::entry& key) const {
    std::vector<sum_row> rows;
    for (std::size_t i = 0; i != given_.columns.size(); ++i) rows.push_back(row_of(key[i]));
    return rows;
  }
  // Those of the only key, the empty one, which there is none of if there was no row.
  std::vector<sum_row> rows_of(const sums& all) const {
    return all.empty() ? std::vector(given_.columns.size(), row_of(key_sum<T>())) : rows_of(*all.begin());
  }

  // Throws as `key_sums::add` and `row_range::column` do, with a remedy.
  void sum_columns(source from, bool searches, riffle::thread_options splitting, file_sum& found) {
    chosen_rows rows(row_range(std::move(from), given_.rows), given_, searches);
    found = {.header = rows.all().names(), .skipped = text::bad_rows(given_.skip_bad_rows)};
    splitting.split_size = std::min(splitting.split_size, largest_waiting_part);
    const std::vector<std::size_t> by = indices_of(given_.by, rows.all(), given_.rows);
    const std::vector<std::size_t> columns = indices_of(given_.columns, rows.all(), given_.rows);
    auto all = std::make_shared<sums>(given_.max_memory);
    rows.add_to(*all, found.skipped, splitting, [&](sums& to, auto& some) {  // a row, or all
      try {
        to.add(some, by, columns);
      } catch (const error& failure) {
        if (!is_of_field(failure)) throw;
        const row each = current(some);
        throw_with_remedy(failure, remedy_for_field(each, field_that_failed(each, by, columns), given_.rows));
      }
    });
    if (given_.by.empty()) found.rows = rows_of(*all);
    found.add_to_total = [this, all] { by_key_.add(*all); };
  }

  static row current(const row& each) { return each; }
  static row current(row_range& rows) { return riffle::detail::steps::resume(rows).record; }
  static bool is_of_field(const error& failure) {
    return failure.code() == errc::bad_value || failure.code() == errc::value_out_of_range ||
           failure.code() == errc::missing_field;
  }
  static std::size_t field_that_failed(const row& in, std::span<const std::size_t> by,
                                       std::span<const std::size_t> columns) {
    for (const std::size_t index : columns) try {
        if (!in.is_null(index)) (void)in.get<T>(index);
      } catch (const error&) {
        return index;
      }
    return *std::ranges::find_if(by, [&](std::size_t index) { return index >= in.size(); });
  }

  const sum_arguments& given_;
  collector<T, std::conditional_t<std::floating_point<T>, exact_sum, summer<T>>> binary_;
  sums by_key_;  // of all files
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

void add_null(arguments& given, std::string_view value) {
  static_cast<sum_arguments&>(given).rows.null.emplace_back(value);
}

void set_column(arguments& given, std::string_view value) {
  static_cast<sum_arguments&>(given).columns.push_back(parse_column(value));
}

void set_columns(arguments& given, std::string_view value) {
  auto& sum = static_cast<sum_arguments&>(given);
  sum.several = true;
  for (field_range& each : parse_each_column(value)) sum.columns.push_back(std::move(each));
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
    option{.name = "by",
           .argument = "LIST",
           .help =
               "Sum the numbers beside each value of this field, or each combination of several: numbers, "
               "ranges and names, such as item or 1-2,city; a row for each, in the order of the first "
               "appearance in all files together",
           .needs = "column columns",
           .set = append_by<parse_each_column, &sum_arguments::by>},
    option{.name = "top",
           .argument = "N",
           .help = "Print the N keys with the largest sums of the first column, the largest one first",
           .needs = "by",
           .set = set_by<text::number_within<0, text::any_size>, &sum_arguments::top>},
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
    own_options, memory_options("by"), thread_options, json_options, input_options,
    total_options(set_by<parse_total, &sum_arguments::total>), needing("column columns", choice_options),
    in_group(rows_group, concatenated(field_options("column columns"), header_options("column columns"),
                                      trim_options("column columns"), length_options("column columns"))),
    reading_options);

std::vector<field_range> all_fields(const sum_arguments& given) {
  std::vector<field_range> all = given.by;
  all.insert(all.end(), given.columns.begin(), given.columns.end());
  return with_conditions(std::move(all), given.lines);
}

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
  if (!given.by.empty() && given.total != total_row::automatic) {
    throw text::usage_error("--by sums over all files; leave out --total");
  }
  if (text && given.type == nullptr) given.type = &number_types().back();
  if (text) {
    decode_records(given);
    if (!given.has_quotes()) check_texts(given.lines, '\n', "use a text without it");
    resolve(given, all_fields(given), true);
  }
}

// Prints a row for each key. Returns the exit status.
int print_keys(const sum_arguments& given, const summing& numbers, sum_table& table) {
  int status = success;
  table.add_names_of_keys();
  numbers.for_each_key(given.top, [&](std::string_view key, std::span<const sum_row> rows) {
    if (!rows.empty()) return table.add_key(key, rows);
    status = failure;
    flush_output();
    complain(fmt::format("riffle: cannot sum the numbers of {}: {}", text::quoted_for_row(key),
                         why_too_large(given, true)));
  });
  return status;
}

int run_sum(sum_arguments& given) {
  settle(given);
  const std::unique_ptr<summing> numbers = given.type->start(given);
  sum_table table(given);
  const std::vector<field_range> fields = all_fields(given);
  first_header first(given, fields, given.lines.where.size(), "sum",
                     !given.by.empty() ? "columns in --by and --columns"
                     : given.several   ? "columns in --columns"
                                       : "column in --column");
  std::atomic<bool> too_many = false;
  bool summed = false;
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
             within_memory("sum", name, too_many, [&] {
               read_rows(std::move(from), given, [&](source input, bool searches) {
                 numbers->sum(std::move(input), searches, splitting, found.emplace());
               });
             });
             found->skipped.fail_if_any(name);
           },
       .finish =
           [&](const std::string& name, const std::optional<file_sum>& found, auto& problem) {
             if (too_many || !found || !first.is_that_of(name, found->header, problem)) return;
             if (!found->add_to_total) return;
             summed = true;
             within_memory("sum", name, too_many, found->add_to_total);
             if (given.by.empty()) table.add(name, found->rows);
           },
       .complain =
           [&](const std::string& name, const std::exception_ptr& problem) {
             complain_of(fmt::format("'{}'", name == "-" ? "standard input" : name), name, problem);
           },
       .takes_text = !given.columns.empty()});
  if (first.differs()) status = failure;
  if (too_many || (!given.by.empty() && status != success && !summed)) return failure;
  if (!given.by.empty()) return std::max(status, print_keys(given, *numbers, table));
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
        "With --by, riffle prints a row for each key: the sums, a tab, and the key, as `freq` writes values. "
        "Several files are summed together, and a file that cannot be read to its end is left out. With "
        "--stats "
        "a line with names stands before the rows. With --json the key is \"value\", or \"value1\", "
        "\"value2\" and so on; several columns are the objects of \"columns\".\n" RIFFLE_ORDER_OF_CHOICE
        "\n"
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
        "  riffle sum --by city --column price --top 10 *.csv\n"
        "  riffle sum --where 'year>=2020' --column price *.csv\n"
        "  riffle sum --separator ';' --by 1 --column 2 --stats stations.txt\n"
        "  riffle sum --stats --json --tsv --column price *.tsv | jq 'select(.max > 100)'\n",
    .run = run<sum_arguments, run_sum>};

}  // namespace riffle::cli
