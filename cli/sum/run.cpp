/// Sums one file after the other. What depends on the type of the numbers is behind one interface.
#include "cli/sum/run.hpp"

#include <fmt/core.h>
#include <riffle/error.hpp>
#include <riffle/values.hpp>

#include <array>
#include <functional>

#include "cli/output.hpp"
#include "cli/progress/progress.hpp"
#include "cli/sum/numbers.hpp"

namespace riffle::cli {

namespace {

template <class T>
class summing_of : public summing {
 public:
  explicit summing_of(const sum_arguments& given) : given_(given) {}

  sum_row add(const input& from) override {
    collector<T> file(given_.stats);
    const auto take = [&file](std::span<const T> some) { file.add(some); };
    if (given_.field.number != 0) {
      for_each_number<T>(from, given_.field, given_.type->name, given_.rows, given_.options, take);
    } else {
      const value_options order{.order = given_.order.value_or(std::endian::native)};
      for (std::span<const T> some : values<T>(from, order, given_.options).spans()) take(some);
    }
    const numbers<T> known = file.result();
    total_.add(known);
    return row_of(known);
  }
  sum_row total() const override { return row_of(total_.result()); }

 private:
  const sum_arguments& given_;
  total_of<T> total_;
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

std::string why_too_large(const sum_arguments& given) {
  return fmt::format("the sum does not fit {}{}", given.type->name.starts_with('i') ? "i64" : "u64",
                     given.field.number == 0 ? "" : "; use --type f64");
}

class sum_run {
 public:
  sum_run(const sum_arguments& given, summing& numbers)
      : given_(given), numbers_(numbers), table_(given.stats, given.json, given.files.size() > 1) {}

  int run() {
    const int status = for_each_file(given_.files, [this](const std::string& name) {
      unless_too_large(fmt::format("'{}'", name == "-" ? "standard input" : name),
                       [&] { table_.add(name, numbers_.add(input_of(name))); });
    });
    if (given_.files.size() > 1) unless_too_large("the total", [&] { table_.add_total(numbers_.total()); });
    return all_fit_ ? status : failure;
  }

 private:
  void unless_too_large(const std::string& what, const std::function<void()>& add) {
    try {
      add();
    } catch (const error& told) {
      if (told.code() != errc::sum_overflow) throw;
      all_fit_ = false;
      complain(fmt::format("riffle: cannot sum {}: {}", what, why_too_large(given_)));
    }
  }

  const sum_arguments& given_;
  summing& numbers_;
  sum_table table_;
  bool all_fit_ = true;
};

}  // namespace

std::span<const number_type> number_types() {
  return types;
}

int sum_files(const sum_arguments& typed) {
  sum_arguments given = typed;
  const std::unique_ptr<summing> numbers = given.type->start(given);
  reading_progress progress(typed.files);
  given.options = progress.counting(given.options);
  return sum_run(given, *numbers).run();
}

}  // namespace riffle::cli
