/// `riffle sum`: the sum of the binary numbers in a file, or of those in a field of its rows.
#include <algorithm>
#include <array>

#include "cli/command_line.hpp"
#include "cli/commands.hpp"
#include "cli/sum/run.hpp"

namespace riffle::cli {

namespace {

std::vector<std::string_view> type_names() {
  std::vector<std::string_view> names;
  names.reserve(number_types().size());
  for (const number_type& each : number_types()) names.push_back(each.name);
  return names;
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
    option{.name = "stats",
           .help = "Print the count, the minimum, the maximum, the sum and the mean",
           .set = set_to<true, &sum_arguments::stats>}};
constexpr auto options =
    concatenated(own_options, field_options("column"), reading_options, thread_options, json_options);

// Applies what the options mean together.
sum_arguments resolved(sum_arguments given) {
  const bool text = given.column.has_value();
  if (!text && given.type == nullptr) throw text::usage_error("option '--type' is missing");
  if (text && given.order) {
    throw text::usage_error("--big-endian is for binary numbers; --column reads text");
  }
  if (text && given.type == nullptr) given.type = &number_types().back();
  if (text) resolve(given, std::span(&*given.column, 1));
  return given;
}

int run_sum(const sum_arguments& typed) {
  return sum_files(resolved(typed));
}

}  // namespace

constexpr command sum_command{
    .name = "sum",
    .summary = "Add up the binary numbers in a file, or those in a column of text",
    .options = options,
    .operands = files_to_read,
    .notes =
        "Sums of integers are exact. If one does not fit 64 bits, riffle reports an error. Sums of floats "
        "are the same for every method, block size, processor and number of threads. The sums of several "
        "files are followed by "
        "their total.\n"
        "--stats prints columns with a tab between them, below a line with their names. The minimum and the "
        "maximum are those of the numbers that are not NaN. An empty file has none, which is written '-'.\n"
        "--json prints JSON Lines: an object with \"file\" for each file, and one with \"total\":true. null "
        "is a number that JSON cannot hold, or that does not exist.\n"
        "With --column, a field that is missing or no number is an error. A header is not summed, nor "
        "counted as a row.",
    .examples =
        "  riffle sum --type u64 primes.dat\n"
        "  riffle sum --type f32 --big-endian samples.raw\n"
        "  riffle sum --stats --type i16 *.raw\n"
        "  riffle sum --tsv --column 3 --header prices.tsv\n"
        "  riffle sum --column price *.csv\n"
        "  riffle sum --column 2 --type i64 a.csv\n"
        "  riffle sum --stats --json --tsv --column price *.tsv | jq 'select(.max > 100)'\n",
    .run = run<sum_arguments, run_sum>};

}  // namespace riffle::cli
