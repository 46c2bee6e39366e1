/// `riffle sum`: the sum of the binary numbers in a file.
#include <fmt/core.h>
#include <riffle/count.hpp>
#include <riffle/error.hpp>

#include <algorithm>
#include <array>

#include "cli/command_line.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/reading.hpp"

namespace riffle::cli {

namespace {

template <class T>
std::string sum_of(const input& from, std::endian order, const read_options& options) {
  return fmt::format("{}", sum<T>(from, {.order = order}, options));
}

struct number_type {
  std::string_view name;
  std::string (*sum_of)(const input&, std::endian, const read_options&);
};

constexpr std::array types{
    number_type{"u8", sum_of<std::uint8_t>},   number_type{"i8", sum_of<std::int8_t>},
    number_type{"u16", sum_of<std::uint16_t>}, number_type{"i16", sum_of<std::int16_t>},
    number_type{"u32", sum_of<std::uint32_t>}, number_type{"i32", sum_of<std::int32_t>},
    number_type{"u64", sum_of<std::uint64_t>}, number_type{"i64", sum_of<std::int64_t>},
    number_type{"f32", sum_of<float>},         number_type{"f64", sum_of<double>},
};

std::vector<std::string_view> type_names() {
  std::vector<std::string_view> names;
  names.reserve(types.size());
  for (const number_type& each : types) names.push_back(each.name);
  return names;
}

struct sum_arguments : reading_arguments {
  const number_type* type = nullptr;
  std::endian order = std::endian::native;
};

void set_type(arguments& given, std::string_view value) {
  const auto* const found = std::ranges::find(types, value, &number_type::name);
  if (found == types.end()) throw no_such("type", type_names());
  static_cast<sum_arguments&>(given).type = found;
}
void set_big_endian(arguments& given, std::string_view /*value*/) {
  static_cast<sum_arguments&>(given).order = std::endian::big;
}

constexpr std::array own_options{
    option{.name = "type",
           .value = takes::argument,
           .argument = "TYPE",
           .help = "Type of the numbers",
           .words = type_names,
           .required = true,
           .set = set_type},
    option{
        .name = "big-endian", .help = "The numbers are big-endian (network order)", .set = set_big_endian}};
constexpr auto options = concatenated(own_options, reading_options);

int run_sum(const sum_arguments& given) {
  bool all_fit = true;
  const int status = for_each_file(given.files, [&](const std::string& name) {
    try {
      const std::string sum = given.type->sum_of(input_of(name), given.order, given.options);
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

constexpr command sum_command{.name = "sum",
                              .summary = "Add up the binary numbers in a file",
                              .options = options,
                              .operands = files_to_read,
                              .notes =
                                  "Sums of integers are exact. If one does not fit 64 bits, riffle reports "
                                  "an error. Sums of floats are "
                                  "the same for every method, block size and processor.",
                              .examples =
                                  "  riffle sum --type u64 primes.dat\n"
                                  "  riffle sum --type f32 --big-endian samples.raw\n",
                              .run = run<sum_arguments, run_sum>};

}  // namespace riffle::cli
