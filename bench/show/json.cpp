/// Everything that was measured, for programs to read, as docs/bench-json.md says.
#include <nlohmann/json.hpp>
#include <ostream>

#include "bench/data/fields.hpp"
#include "bench/judge/figures.hpp"
#include "bench/judge/verdict.hpp"
#include "bench/judge/warnings.hpp"
#include "bench/show/outputs.hpp"

namespace riffle::bench {

namespace {

using json = nlohmann::ordered_json;

// null is what is not known. The library writes it for infinity too, and for what is no number.
json value_of(const std::optional<double>& number) {
  return number ? json(*number) : json();
}
json value_of(const std::string& text) {
  return text.empty() ? json() : json(text);
}
template <class Other>
json value_of(const Other& other) {
  return other;
}

template <class Struct>
void add_fields(const Struct& from, json& to) {
  each_field<Struct>([&](const char* name, auto member) { to[name] = value_of(from.*member); });
}

json machine_of(const machine& facts) {
  json object;
  add_fields(facts, object);
  for (json& fact : object) {
    if (fact == 0) fact = nullptr;
  }
  return object;
}

json limits_of(const limits& measured) {
  json object;
  add_fields(measured, object);
  return object;
}

json warning_of(const warning& which) {
  json object{{"name", name_of(which)}, {"text", text_of(which)}, {"remedy", remedy_of(which)}};
  std::visit([&object](const auto& each) { add_fields(each, object); }, which);
  return object;
}

json verdict_of_task(const report& all, const task_report& of) {
  const verdict given = verdict_of(all, of);
  return {{"task", name_of(of.task)},   {"input", of.input},  {"bytes", of.bytes},
          {"cache", name_of(of.cache)}, {"text", given.text}, {"code", value_of(given.code)}};
}

json seconds_of_line(const measurement& line) {
  if (line.seconds.samples == 0) return nullptr;
  json samples = json::array();
  for (const sample& each : line.result.samples) samples.push_back(each.seconds);
  const std::optional<interval>& ci95 = line.seconds.ci95;
  return {{"median", line.seconds.median},
          {"min", line.seconds.min},
          {"max", line.seconds.max},
          {"mad", line.seconds.mad},
          {"ci95", ci95 ? json::array({ci95->low, ci95->high}) : json()},
          {"samples", std::move(samples)}};
}

json answer_of(const std::optional<answer>& given) {
  return given ? json{{"count", given->count}, {"sum", given->sum}} : json();
}

json limit_of(const std::optional<binding_limit>& limit) {
  return limit ? json{{"name", name_of(limit->kind)}, {"seconds", limit->seconds}} : json();
}

json rounds_of(const measurement& line) {
  json rounds = json::array();
  for (const sample& each : line.result.samples) rounds.push_back(each.round);
  return rounds;
}

json result_of(const task_report& of, const measurement& line) {
  const double speed = gb_per_s(of, line);
  json object{{"task", name_of(of.task)},
              {"contender", line.name},
              {"program", line.program},
              {"method", name_of(line.method)},
              {"label", line.label},
              {"description", line.description},
              {"input", of.input},
              {"files", of.files},
              {"bytes", of.bytes},
              {"made", of.made},
              {"cache", name_of(of.cache)},
              {"faults_per_mib", value_of(of.faults_per_mib)},
              {"varies_size", of.varies_size},
              {"threads", line.threads},
              {"block_size", line.block_size},
              {"outcome", outcome_names.at(static_cast<std::size_t>(line.result.outcome))},
              {"reason", value_of(line.result.reason)},
              {"seconds", seconds_of_line(line)},
              {"gb_per_s", speed > 0 ? json(speed) : json()},
              {"limit", limit_of(line.limit)},
              {"of_limit", value_of(line.of_limit())},
              {"answer", answer_of(line.result.answer)}};
  add_fields(line.usage, object);
  if (line.seconds.samples == 0) each_field<usage>([&](const char* name, auto) { object[name] = nullptr; });
  object["rounds"] = rounds_of(line);
  object["runs_per_sample"] = line.result.runs_per_sample;
  object["settled"] = line.result.settled;
  return object;
}

// Any bytes may be in a file's name; JSON is UTF-8.
std::string text_of_json(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
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

void write_json(const report& all, std::ostream& out) {
  const json head{{"schema", json_schema},
                  {"version", json_version},
                  {"started", value_of(all.started)},
                  {"complete", all.complete},
                  {"stopped_by", value_of(all.stopped_by)},
                  {"seed", all.seed},
                  {"machine", machine_of(all.facts)},
                  {"limits", limits_of(all.limits)},
                  {"tick_ns", all.tick_ns},
                  {"load", all.load},
                  {"stolen_share", all.stolen_share}};
  json verdicts = json::array();
  json warnings = json::array();
  json results = json::array();
  for (const warning& each : all.warnings) warnings.push_back(warning_of(each));
  for (const task_report& of : all.tasks) {
    if (!of.lines.empty()) verdicts.push_back(verdict_of_task(all, of));
    for (const measurement& line : of.lines) results.push_back(result_of(of, line));
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
