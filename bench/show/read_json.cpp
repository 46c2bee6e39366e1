/// Reads a result from a file, which may be cut short or hold anything. Checks each value before its use.
#include "bench/show/read_json.hpp"

#include <fmt/core.h>
#include <riffle/error.hpp>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "bench/data/fields.hpp"
#include "bench/stats/samples.hpp"

namespace riffle::bench {

namespace {

using json = nlohmann::json;

std::optional<outcome> outcome_named(std::string_view name) {
  const auto* const found = std::ranges::find(outcome_names, name);
  if (found == outcome_names.end()) return std::nullopt;
  return static_cast<outcome>(found - outcome_names.begin());
}

/// A value and where it stands, for messages: "results[3].seconds".
class place {
 public:
  place(const json& value, std::string_view file, std::string where)
      : value_(&value), file_(file), where_(std::move(where)) {}

  [[noreturn]] void refuse(std::string_view what) const {
    const std::string_view name = where_.empty() ? std::string_view("the result") : where_;
    throw error(errc::invalid_argument, "read", file_, std::nullopt, fmt::format("{} {}", name, what));
  }

  place at(const char* name) const {
    if (!value_->is_object()) refuse("is not an object");
    const auto found = value_->find(name);
    if (found == value_->end()) refuse(fmt::format("has no '{}'", name));
    return {*found, file_, where_.empty() ? name : where_ + "." + name};
  }
  /// Calls `visit` with the place of each item.
  template <class Visit>
  void each_item(Visit visit) const {
    if (!value_->is_array()) refuse("is not an array");
    std::size_t index = 0;
    for (const json& item : *value_) visit(place(item, file_, fmt::format("{}[{}]", where_, index++)));
  }
  bool is_null() const { return value_->is_null(); }
  bool has(const char* name) const { return value_->is_object() && value_->contains(name); }

  void read(std::string& to) const {
    if (!value_->is_string()) refuse("is not a text");
    to = value_->get_ref<const std::string&>();
  }
  void read(bool& to) const {
    if (!value_->is_boolean()) refuse("is neither true nor false");
    to = value_->get<bool>();
  }
  // Nothing that is measured here is negative. Beyond these bounds, quotients overflow or become 0, and an
  // axis has no end.
  void read(double& to) const {
    if (!value_->is_number() || value_->get<double>() < 0) refuse("is not a number from 0 up");
    to = value_->get<double>();
    if (to != 0 && (to < 1e-30 || to > 1e30)) refuse("is not a number from 1e-30 to 1e30");
  }
  void read(std::unsigned_integral auto& to) const {
    constexpr std::uint64_t most = std::numeric_limits<std::remove_reference_t<decltype(to)>>::max();
    if (!value_->is_number_unsigned() || value_->get<std::uint64_t>() > most) {
      refuse(fmt::format("is not a whole number from 0 to {}", most));
    }
    to = value_->get<std::remove_reference_t<decltype(to)>>();
  }
  /// The value of an enum by its name.
  template <class Value>
  Value named(std::optional<Value> (*by_name)(std::string_view)) const {
    const auto name = as<std::string>();
    const std::optional<Value> found = by_name(name);
    // Quoted and cut short, as it goes to a terminal and may be anything.
    if (!found) refuse(fmt::format("is {:.40}, which this riffle does not know", json(name).dump()));
    return *found;
  }
  void read(task& to) const { to = named(task_named); }
  void read(cache_mode& to) const { to = named(cache_mode_named); }
  void read(limit_kind& to) const { to = named(limit_named); }
  void read(outcome& to) const { to = named(outcome_named); }
  template <class Value>
  void read(std::vector<Value>& to) const {
    each_item([&to](const place& item) { item.read(to.emplace_back()); });
  }
  template <class Value>
  void read(std::optional<Value>& to) const {
    if (!is_null()) read(to.emplace());
  }
  /// The fields that lie in the struct. Those that follow from others are left.
  template <class Struct>
  void read(Struct& to) const {
    each_field(to, [this](const auto& field, auto&& value) {
      if constexpr (std::is_lvalue_reference_v<decltype(value)>) {
        if (field.added && !has(field.name)) return;
        const place from = at(field.name);
        if (!field.nullable || !from.is_null()) from.read(value);
      }
    });
  }
  template <class Value>
  Value as() const {
    Value value{};
    read(value);
    return value;
  }

 private:
  const json* value_;
  std::string_view file_;
  std::string where_;
};

std::vector<sample> samples_at(const place& at) {
  std::vector<sample> samples;
  const place seconds = at.at("seconds");
  if (!seconds.is_null()) {
    seconds.at("samples").each_item(
        [&](const place& each) { samples.push_back({.seconds = each.as<double>()}); });
  }
  const auto rounds = at.at("rounds").as<std::vector<unsigned>>();
  if (rounds.size() != samples.size()) {
    at.refuse(fmt::format("has {} samples and {} rounds", samples.size(), rounds.size()));
  }
  for (std::size_t i = 0; i < samples.size(); ++i) samples[i].round = rounds[i];
  return samples;
}

bool same_table(const task_report& a, const task_report& b) {
  return a.task == b.task && a.input == b.input && a.bytes == b.bytes && a.cache == b.cache;
}

// The results of a task on an input stand together.
std::vector<task_report> tables_at(const place& results) {
  std::vector<task_report> tables;
  results.each_item([&tables](const place& at) {
    task_report table;
    measurement line;
    result_row<task_report, measurement> row{.table = table, .line = line};
    at.read(row);
    line.method = at.at("method").named(contender_method_named);
    line.role = role_of_program(line.program);
    if (line.is_limit()) line.sets = at.at("contender").named(limit_named);
    line.result.samples = samples_at(at);
    line.seconds = summarise(seconds_of(line.result.samples));
    if (tables.empty() || !same_table(tables.back(), table)) tables.push_back(std::move(table));
    tables.back().lines.push_back(std::move(line));
  });
  return tables;
}

void check_schema(const place& all) {
  constexpr std::string_view remedy = "make the file with riffle bench --json";
  if (!all.has("schema")) all.refuse(fmt::format("has no 'schema': {}", remedy));
  if (all.at("schema").as<std::string>() != json_schema)
    all.at("schema").refuse(fmt::format("is not '{}': {}", json_schema, remedy));
  const auto version = all.at("version").as<unsigned>();
  if (version >= oldest_json_version && version <= json_version) return;
  all.at("version").refuse(fmt::format("is {}, this riffle reads {} to {}: {}", version, oldest_json_version,
                                       json_version,
                                       version > json_version ? "use a newer riffle" : "measure again"));
}

}  // namespace

report read_json(std::string_view text, std::string_view file) {
  check_json(text, file);
  const json parsed = json::parse(text);
  const place all(parsed, file, "");
  check_schema(all);
  report read;
  all.read(read);
  read.tasks = tables_at(all.at("results"));
  return read;
}

}  // namespace riffle::bench
