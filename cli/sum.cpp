/// `riffle sum`: the sum of the binary numbers in a file.
#include <fmt/core.h>
#include <riffle/blocks.hpp>
#include <riffle/error.hpp>
#include <riffle/sum.hpp>
#include <riffle/values.hpp>

#include <array>
#include <memory>
#include <utility>

#include "cli/command.hpp"

namespace riffle::cli {

namespace {

template <class T>
std::string sum_of(const input& from, std::endian order, const read_options& options) {
  summer<T> total;
  if (order == std::endian::native) {
    source numbers(from, options);
    std::uint64_t end = 0;
    for (block next = numbers.next(); !next.empty(); next = numbers.next()) {
      total.add_bytes(next.bytes);
      end = next.offset + next.size();
    }
    if (const std::uint64_t rest = (end - numbers.start()) % sizeof(T); end != 0 && rest != 0) {
      throw error(errc::partial_value, "read", numbers.name(), end - rest);
    }
  } else {
    for (const T value : values<T>(from, {.order = order}, options)) total.add({&value, 1});
  }
  return fmt::format("{}", total.result());
}

using summing = std::string (*)(const input&, std::endian, const read_options&);

constexpr std::array<std::pair<const char*, summing>, 10> types{{
    {"u8", sum_of<std::uint8_t>},
    {"i8", sum_of<std::int8_t>},
    {"u16", sum_of<std::uint16_t>},
    {"i16", sum_of<std::int16_t>},
    {"u32", sum_of<std::uint32_t>},
    {"i32", sum_of<std::int32_t>},
    {"u64", sum_of<std::uint64_t>},
    {"i64", sum_of<std::int64_t>},
    {"f32", sum_of<float>},
    {"f64", sum_of<double>},
}};

struct sum_command {
  reading_arguments reading;
  summing of_type = nullptr;
  std::endian order = std::endian::native;

  void set_type(const std::string& name) {
    std::string names;
    for (const auto& [known, function] : types) {
      if (name == known) of_type = function;
      names.append(names.empty() ? "" : ", ").append(known);
    }
    if (of_type == nullptr)
      throw CLI::ValidationError("--type", fmt::format("no type '{}': one of {}", name, names));
  }

  int run() const {
    return for_each_file(reading.files, [&](const std::string& name) {
      const std::string sum = of_type(input_of(name), order, reading.options);
      write(reading.files.size() == 1 ? sum + "\n" : fmt::format("{} {}\n", sum, name));
    });
  }
};

}  // namespace

void add_sum(CLI::App& tool, int& status) {
  auto state = std::make_shared<sum_command>();
  CLI::App* command = tool.add_subcommand("sum", "Add up the binary numbers in a file");
  command
      ->add_option_function<std::string>(
          "--type", [state](const std::string& name) { state->set_type(name); },
          "u8 i8 u16 i16 u32 i32 u64 i64 f32 f64")
      ->type_name("TYPE")
      ->required();
  command->add_flag_callback(
      "--big-endian", [state] { state->order = std::endian::big; }, "The numbers are in network order");
  add_reading(*command, state->reading, false);
  command->footer(
      "Sums of integers are exact; one that does not fit 64 bits is an error. Sums of floats are the same "
      "for every\n"
      "method, block size and processor.\n\n"
      "Examples:\n"
      "  riffle sum --type u64 primes.dat\n"
      "  riffle sum --type f32 --big-endian samples.raw");
  command->callback([state, &status] { status = state->run(); });
}

}  // namespace riffle::cli
