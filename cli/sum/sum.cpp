/// `riffle sum`: the sum of the binary numbers in a file, or of those in a field of its rows.
#include <fmt/core.h>
#include <riffle/count.hpp>
#include <riffle/error.hpp>

#include <algorithm>
#include <array>

#include "cli/command_line.hpp"
#include "cli/commands.hpp"
#include "cli/fields.hpp"
#include "cli/output.hpp"
#include "cli/sum/fields.hpp"

namespace riffle::cli {

namespace {

struct sum_arguments;

struct number_type {
  std::string_view name;
  std::string (*sum_of)(const input&, const sum_arguments&);
};

struct sum_arguments : field_arguments {
  const number_type* type = nullptr;
  std::endian order = std::endian::native;
  summed_field field;
};

template <class T>
std::string sum_of(const input& from, const sum_arguments& given) {
  if (given.field.number == 0) return fmt::format("{}", sum<T>(from, {.order = given.order}, given.options));
  return fmt::format("{}", sum_of_field<T>(from, given.field, given.type->name, given.rows, given.options));
}

constexpr std::array types{
    number_type{"u8", sum_of<std::uint8_t>},   number_type{"i8", sum_of<std::int8_t>},
    number_type{"u16", sum_of<std::uint16_t>}, number_type{"i16", sum_of<std::int16_t>},
    number_type{"u32", sum_of<std::uint32_t>}, number_type{"i32", sum_of<std::int32_t>},
    number_type{"u64", sum_of<std::uint64_t>}, number_type{"i64", sum_of<std::int64_t>},
    number_type{"f32", sum_of<float>},         number_type{"f64", sum_of<double>},
};
constexpr const number_type& type_of_text = types.back();

std::vector<std::string_view> type_names() {
  std::vector<std::string_view> names;
  names.reserve(types.size());
  for (const number_type& each : types) names.push_back(each.name);
  return names;
}

void set_type(arguments& given, std::string_view value) {
  const auto* const found = std::ranges::find(types, value, &number_type::name);
  if (found == types.end()) throw no_such("type", type_names());
  static_cast<sum_arguments&>(given).type = found;
}
void set_big_endian(arguments& given, std::string_view /*value*/) {
  static_cast<sum_arguments&>(given).order = std::endian::big;
}
void set_field(arguments& given, std::string_view value) {
  static_cast<sum_arguments&>(given).field.number = parse_field(value);
}
void set_header(arguments& given, std::string_view /*value*/) {
  static_cast<sum_arguments&>(given).field.header = true;
}

constexpr std::array own_options{
    option{.name = "type",
           .value = takes::argument,
           .argument = "TYPE",
           .help = "Type of the numbers; with --field, f64 unless given",
           .words = type_names,
           .set = set_type},
    option{.name = "big-endian", .help = "The numbers are big-endian (network order)", .set = set_big_endian},
    option{.name = "field",
           .value = takes::argument,
           .argument = "N",
           .help = "Sum the numbers that stand as text in field N of each row; the first is 1",
           .set = set_field},
    option{.name = "header", .help = "Skip the first row", .needs = "field", .set = set_header}};
constexpr auto options = concatenated(own_options, field_options("field"), reading_options);

// Applies what the options mean together.
sum_arguments resolved(sum_arguments given) {
  const bool text = given.field.number != 0;
  if (!text && given.type == nullptr) throw text::usage_error("option '--type' is missing");
  if (text && given.order != std::endian::native) {
    throw text::usage_error("--big-endian is for binary numbers; --field reads text");
  }
  if (text && given.type == nullptr) given.type = &type_of_text;
  given.rows.strip_cr = true;
  require_different_bytes(given.rows);
  return given;
}

int run_sum(const sum_arguments& typed) {
  const sum_arguments given = resolved(typed);
  bool all_fit = true;
  const int status = for_each_file(given.files, [&](const std::string& name) {
    try {
      const std::string sum = given.type->sum_of(input_of(name), given);
      write(given.files.size() == 1 ? sum + "\n" : fmt::format("{} {}\n", sum, name));
    } catch (const error& told) {
      if (told.code() != errc::sum_overflow) throw;
      all_fit = false;
      complain(fmt::format("riffle: cannot sum '{}': the sum does not fit {}; use --type f64",
                           name == "-" ? "standard input" : name,
                           given.type->name.starts_with('i') ? "i64" : "u64"));
    }
  });
  return all_fit ? status : failure;
}

}  // namespace

constexpr command sum_command{
    .name = "sum",
    .summary = "Add up the binary numbers in a file, or those in a column of text",
    .options = options,
    .operands = files_to_read,
    .notes =
        "Sums of integers are exact. If one does not fit 64 bits, riffle reports "
        "an error. Sums of floats are "
        "the same for every method, block size and processor.\n"
        "With --field, a field that is missing or no number is an error. riffle "
        "drops a CR at the end of a row.",
    .examples =
        "  riffle sum --type u64 primes.dat\n"
        "  riffle sum --type f32 --big-endian samples.raw\n"
        "  riffle sum --field 3 --header prices.tsv\n"
        "  riffle sum --field 2 --type i64 --field-delimiter , --quote '\"' a.csv\n",
    .run = run<sum_arguments, run_sum>};

}  // namespace riffle::cli
