/// Reads a result from a file, which may be cut short or hold anything.
#include "bench/show/outputs.hpp"

#include <fmt/core.h>
#include <riffle/error.hpp>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "bench/data/fields.hpp"
#include "bench/stats/statistics.hpp"
#include "text/columns.hpp"

namespace riffle::bench {

namespace {

using json = nlohmann::json;

/// Reads a value. Throws the JSON library's errors, which say what is wrong and where, and std::range_error.
struct reader {
  static void read(const json& from, std::string& to) { from.get_to(to); }
  static void read(const json& from, bool& to) { from.get_to(to); }
  // Nothing that is measured here is negative. Beyond these bounds, quotients overflow or become 0, and an
  // axis has no end.
  static void read(const json& from, double& to) {
    from.get_to(to);
    if (to != 0 && !(to >= 1e-30 && to <= 1e30))
      throw std::range_error(from.dump() + " is neither 0 nor from 1e-30 to 1e30");
  }
  static void read(const json& from, std::unsigned_integral auto& to) {
    using number = std::remove_reference_t<decltype(to)>;
    const auto value = from.get_ref<const json::number_unsigned_t&>();
    if (value > std::numeric_limits<number>::max()) throw std::range_error(from.dump() + " is too large");
    to = static_cast<number>(value);
  }
  /// What stands under that name.
  template <class Value>
  static Value named(const json& from, std::optional<Value> (*by_name)(std::string_view)) {
    const std::optional<Value> found = by_name(from.get_ref<const std::string&>());
    if (!found) throw std::range_error(from.dump().substr(0, 40) + " is not known to this riffle");
    return *found;
  }
  template <has_names Enum>
  static void read(const json& from, Enum& to) {
    to = named(from, value_named<Enum>);
  }
  template <class Value>
  static void read(const json& from, std::vector<Value>& to) {
    for (const json& item : from.get_ref<const json::array_t&>()) read(item, to.emplace_back());
  }
  template <class Value>
  static void read(const json& from, std::optional<Value>& to) {
    if (!from.is_null()) read(from, to.emplace());
  }
  /// The fields that lie in the struct. Those that follow from others are left.
  template <class Struct>
  static void read(const json& from, Struct& to) {
    each_field(to, [&from](const auto& field, auto&& value) {
      if constexpr (std::is_lvalue_reference_v<decltype(value)>) {
        const json& found = from.at(field.name);
        if (!field.nullable || !found.is_null()) read(found, value);
      }
    });
  }
};

std::vector<sample> samples_in(const json& row) {
  std::vector<double> seconds;
  std::vector<unsigned> rounds;
  if (const json& times = row.at("seconds"); !times.is_null()) reader::read(times.at("samples"), seconds);
  reader::read(row.at("rounds"), rounds);
  if (rounds.size() != seconds.size())
    throw std::range_error(
        fmt::format("a result has {} samples and {} rounds", seconds.size(), rounds.size()));
  std::vector<sample> samples(seconds.size());
  for (std::size_t i = 0; i < samples.size(); ++i) samples[i] = {.round = rounds[i], .seconds = seconds[i]};
  return samples;
}

bool same_table(const task_report& a, const task_report& b) {
  return a.task == b.task && a.input == b.input && a.bytes == b.bytes && a.cache == b.cache;
}

// The results of a task on an input stand together.
std::vector<task_report> tables_in(const json& results) {
  std::vector<task_report> tables;
  for (const json& from : results.get_ref<const json::array_t&>()) {
    task_report table;
    measurement line;
    result_row<task_report, measurement> row{.table = table, .line = line};
    reader::read(from, row);
    line.method = reader::named(from.at("method"), contender_method_named);
    line.role = role_of_program(line.program);
    if (line.is_limit()) line.sets = reader::named(from.at("contender"), value_named<limit_kind>);
    line.result.samples = samples_in(from);
    line.seconds = summarise(seconds_of(line.result.samples));
    if (tables.empty() || !same_table(tables.back(), table)) tables.push_back(std::move(table));
    tables.back().lines.push_back(std::move(line));
  }
  return tables;
}

void check_schema(const json& all) {
  if (!all.is_object() || all.value("schema", json()) != json_schema)
    throw std::range_error("it is no report: make the file with riffle bench --json");
  unsigned version = 0;
  reader::read(all.at("version"), version);
  if (version >= oldest_json_version && version <= json_version) return;
  throw std::range_error(fmt::format("its version is {}, this riffle reads {} to {}: {}", version,
                                     oldest_json_version, json_version,
                                     version > json_version ? "use a newer riffle" : "measure again"));
}

}  // namespace

report read_json(std::string_view text, std::string_view file) {
  try {
    const json all = json::parse(text);
    check_schema(all);
    report read;
    reader::read(all, read);
    read.tasks = tables_in(all.at("results"));
    return read;
  } catch (const json::parse_error& wrong) {
    throw error(errc::invalid_argument, "read", file, std::max<std::uint64_t>(wrong.byte, 1) - 1,
                "it is not JSON; make the file with riffle bench --json");
  } catch (const std::exception& wrong) {  // it may quote the file
    const std::string_view why = wrong.what();
    const std::size_t mark = why.starts_with("[json.") ? why.find("] ") : std::string_view::npos;
    throw error(
        errc::invalid_argument, "read", file, std::nullopt,
        fmt::format("{:.200}", text::printable(mark == std::string_view::npos ? why : why.substr(mark + 2))));
  }
}

}  // namespace riffle::bench
