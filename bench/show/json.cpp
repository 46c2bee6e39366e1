/// Everything that was measured, for programs to read, as docs/bench-json.md says.
#include <nlohmann/json.hpp>
#include <ostream>

#include "bench/data/fields.hpp"
#include "bench/show/outputs.hpp"
#include "text/columns.hpp"

namespace riffle::bench {

namespace {

using json = nlohmann::ordered_json;

template <class Struct>
json object_of(const Struct& from);

// null is what is not known. The library writes it for infinity too, and for a NaN.
template <class Value>
json value_of(const Value& value) {
  return value;
}
template <class Named>
  requires std::is_enum_v<Named>
json value_of(const Named& which) {
  return name_of(which);
}
json value_of(const interval& within) {
  return json::array({within.low, within.high});
}
template <class Struct>
  requires requires { fields_of(std::type_identity<Struct>{}); }
json value_of(const Struct& from) {
  return object_of(from);
}
template <class Value>
json value_of(const std::optional<Value>& value) {
  return value ? value_of(*value) : json();
}
json value_of(const timing& times) {
  if (times.amount.samples == 0) return nullptr;
  json object = object_of(times.amount);
  json& samples = object["samples"] = json::array();
  for (const sample& each : times.samples) samples.push_back(each.seconds);
  return object;
}
json value_of(const rounds_of_samples& rounds) {
  json list = json::array();
  for (const sample& each : rounds.samples) list.push_back(each.round);
  return list;
}

template <class Value>
bool is_unknown(const Value& value) {
  if constexpr (std::is_same_v<Value, std::string>) return value.empty();
  if constexpr (std::is_unsigned_v<Value>) return value == 0;
  return false;
}

template <class Struct>
void add_fields(const Struct& from, json& to) {
  each_field(from, [&](const auto& field, const auto& value) {
    to[field.name] = field.nullable && is_unknown(value) ? json() : value_of(value);
  });
}

template <class Struct>
json object_of(const Struct& from) {
  json object;
  add_fields(from, object);
  return object;
}

json verdict_of(const task_report& table, const verdict& given) {
  return {{"task", name_of(table.task)}, {"input", table.input},
          {"bytes", table.bytes},        {"cache", name_of(table.cache)},
          {"text", given.text},          {"code", given.code.empty() ? json() : json(given.code)}};
}

json result_of(const result_row& row) {
  json object = object_of(row);
  if (row.line.seconds.samples == 0) {
    each_field(row.line.usage, [&](const auto& field, const auto&) { object[field.name] = nullptr; });
  }
  return object;
}

// Any bytes may be in a file's name. The library escapes some of the characters that a terminal would obey.
std::string text_of_json(const json& value) {
  return text::with_escapes(value.dump(-1, ' ', false, json::error_handler_t::replace));
}

// One object a line: a result with its hundred samples is one line of a diff, not two hundred.
void write_lines(const char* name, const json& objects, std::ostream& out) {
  out << '"' << name << "\": [";
  const char* before = "\n  ";
  for (const json& object : objects) {
    out << before << text_of_json(object);
    before = ",\n  ";
  }
  out << "\n]";
}

}  // namespace

void write_json(const report& report, const conclusions& conclusions, std::ostream& out) {
  json head{{"schema", json_schema}, {"version", json_version}};
  add_fields(report, head);
  json verdicts = json::array();
  json warnings = json::array();
  json results = json::array();
  for (const warning& each : conclusions.warnings) warnings.push_back(object_of(each));
  for (std::size_t i = 0; i < report.tasks.size(); ++i) {
    const task_report& table = report.tasks[i];
    const table_conclusions& shown = conclusions.tables[i];
    if (!table.lines.empty()) verdicts.push_back(verdict_of(table, shown.verdict));
    for (const measurement& line : table.lines) results.push_back(result_of({.table = table, .line = line}));
  }
  out << "{\n";
  for (const auto& [name, value] : head.items()) out << '"' << name << "\": " << text_of_json(value) << ",\n";
  write_lines("verdicts", verdicts, out);
  out << ",\n";
  write_lines("warnings", warnings, out);
  out << ",\n";
  write_lines("results", results, out);
  out << "\n}\n";
}

}  // namespace riffle::bench
