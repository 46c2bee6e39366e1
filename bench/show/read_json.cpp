/// A result read from a file may have been cut short, edited or
/// made up by anybody; each value is checked before it is used.
#include "bench/show/read_json.hpp"

#include <fmt/core.h>
#include <riffle/error.hpp>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "bench/data/fields.hpp"
#include "bench/judge/warnings.hpp"
#include "bench/measure/measurements.hpp"
#include "bench/stats/samples.hpp"

namespace riffle::bench {

namespace {

using json = nlohmann::json;

// The values of an enum by their names.
template <class Place, class Named>
auto named(const Place& at, Named named) {
  const auto name = at.template as<std::string>();
  const auto found = named(name);
  // Quoted and cut short, as it goes to a terminal and may be anything.
  if (!found) at.refuse(fmt::format("is {:.40}, which this riffle does not know", json(name).dump()));
  return *found;
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
  // Nothing that is measured here is negative.
  void read(double& to) const {
    if (!value_->is_number() || value_->get<double>() < 0) refuse("is not a number from 0 up");
    to = value_->get<double>();
  }
  void read(std::unsigned_integral auto& to) const {
    constexpr std::uint64_t most = std::numeric_limits<std::remove_reference_t<decltype(to)>>::max();
    if (!value_->is_number_unsigned() || value_->get<std::uint64_t>() > most) {
      refuse(fmt::format("is not a whole number from 0 to {}", most));
    }
    to = value_->get<std::remove_reference_t<decltype(to)>>();
  }
  template <class Value>
  void read(std::vector<Value>& to) const {
    each_item([&to](const place& item) { item.read(to.emplace_back()); });
  }
  template <class Value>
  void read(std::optional<Value>& to) const {
    read(to.emplace());
  }
  void read(answer& to) const {
    at("count").read(to.count);
    at("sum").read(to.sum);
  }
  void read(binding_limit& to) const {
    to.kind = named(at("name"), limit_named);
    at("seconds").read(to.seconds);
  }

  /// null leaves what is not known as it is.
  template <class Value>
  void read_if_known(Value& to) const {
    if (!is_null()) read(to);
  }
  template <class Struct>
  void read_fields(Struct& to) const {
    each_field<Struct>([&](const char* name, auto member) { at(name).read_if_known(to.*member); });
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

std::optional<outcome> outcome_named(std::string_view name) {
  const auto* const found = std::ranges::find(outcome_names, name);
  if (found == outcome_names.end()) return std::nullopt;
  return static_cast<outcome>(found - outcome_names.begin());
}

template <std::size_t index = 0>
std::optional<warning> warning_named(std::string_view name) {
  if constexpr (index < std::variant_size_v<warning>) {
    warning candidate(std::in_place_index<index>, std::variant_alternative_t<index, warning>{});
    return name_of(candidate) == name ? std::move(candidate) : warning_named<index + 1>(name);
  } else {
    return std::nullopt;
  }
}

warning warning_at(const place& at) {
  warning which = named(at.at("name"), [](std::string_view name) { return warning_named(name); });
  std::visit([&at](auto& each) { at.read_fields(each); }, which);
  return which;
}

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

measurement line_at(const place& at) {
  measurement line;
  at.at("contender").read(line.name);
  at.at("program").read(line.program);
  line.role = role_of_program(line.program);
  line.method = named(at.at("method"), contender_method_named);
  if (line.is_limit()) line.sets = named(at.at("contender"), limit_named);
  at.at("description").read(line.description);
  at.at("block_size").read(line.block_size);
  at.at("threads").read(line.threads);
  line.label = label_of(line.name, line.role, line.block_size, line.threads);
  at.at("limit").read_if_known(line.limit);
  at.at("answer").read_if_known(line.result.answer);
  at.at("reason").read_if_known(line.result.reason);
  at.at("settled").read(line.result.settled);
  at.at("runs_per_sample").read(line.result.runs_per_sample);
  line.result.outcome = named(at.at("outcome"), outcome_named);
  line.result.samples = samples_at(at);
  line.seconds = summarise(seconds_of(line.result.samples));
  at.read_fields(line.usage);
  return line;
}

task_report task_at(const place& at) {
  task_report of;
  of.task = named(at.at("task"), task_named);
  at.at("input").read(of.input);
  at.at("files").read(of.files);
  at.at("bytes").read(of.bytes);
  at.at("made").read(of.made);
  of.cache = named(at.at("cache"), cache_mode_named);
  at.at("faults_per_mib").read_if_known(of.faults_per_mib);
  at.at("varies_size").read(of.varies_size);
  return of;
}

bool same_task(const task_report& a, const task_report& b) {
  return a.task == b.task && a.input == b.input && a.bytes == b.bytes && a.cache == b.cache;
}

// The results of a task on an input stand together.
std::vector<task_report> tasks_at(const place& results) {
  std::vector<task_report> tasks;
  results.each_item([&tasks](const place& each) {
    task_report of = task_at(each);
    if (tasks.empty() || !same_task(tasks.back(), of)) tasks.push_back(std::move(of));
    tasks.back().lines.push_back(line_at(each));
  });
  return tasks;
}

// Deeper than any result; also what keeps a file of brackets from taking all memory.
constexpr int deepest = 16;

json parse(std::string_view text, std::string_view file) {
  try {
    return json::parse(text, [&](int depth, json::parse_event_t, json&) {
      if (depth <= deepest) return true;
      throw error(errc::invalid_argument, "read", file, std::nullopt, "the JSON is nested too deeply");
    });
  } catch (const json::parse_error& failure) {
    throw error(errc::invalid_argument, "read", file, failure.byte,
                text.empty() ? "the file is empty" : "this is not JSON, or only a part of it");
  } catch (const json::out_of_range&) {
    throw error(errc::invalid_argument, "read", file, std::nullopt, "a number in it is too large");
  }
}

void check_schema(const place& all) {
  constexpr std::string_view remedy = "make the file with riffle bench --json";
  if (!all.has("schema")) all.refuse(fmt::format("has no 'schema': {}", remedy));
  if (all.at("schema").as<std::string>() != json_schema)
    all.at("schema").refuse(fmt::format("is not '{}': {}", json_schema, remedy));
  const auto version = all.at("version").as<unsigned>();
  if (version == json_version) return;
  all.at("version").refuse(fmt::format("is {}, this riffle reads {}: {}", version, json_version,
                                       version > json_version ? "use a newer riffle" : "measure again"));
}

}  // namespace

report read_json(std::string_view text, std::string_view file) {
  const json parsed = parse(text, file);
  const place all(parsed, file, "");
  check_schema(all);
  report read;
  all.at("started").read_if_known(read.started);
  all.at("complete").read(read.complete);
  all.at("stopped_by").read_if_known(read.stopped_by);
  all.at("seed").read(read.seed);
  all.at("machine").read_fields(read.facts);
  all.at("limits").read_fields(read.limits);
  all.at("tick_ns").read_if_known(read.tick_ns);
  all.at("load").read_if_known(read.load);
  all.at("stolen_share").read_if_known(read.stolen_share);
  read.tasks = tasks_at(all.at("results"));
  all.at("warnings").each_item([&read](const place& each) { read.warnings.push_back(warning_at(each)); });
  return read;
}

}  // namespace riffle::bench
