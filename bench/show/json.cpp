/// Everything that was measured, for programs to read, as docs/bench-json.md says.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "bench/show/document.hpp"
#include "text/shown.hpp"

namespace riffle::bench {

namespace {

using json = nlohmann::ordered_json;

// Rises when a field goes or changes its meaning, or when a name is new among the outcomes, tasks, states of
// the cache or warnings: whatever a reader of the version before would misunderstand.
constexpr unsigned version = 6;

// null is what is not known. The library writes it for infinity too, and for a NaN.
json known(const std::string& text) {
  return text.empty() ? json() : json(text);
}
json known(std::uint64_t number) {
  return number == 0 ? json() : json(number);
}
json known(const std::optional<double>& number) {
  return number ? json(*number) : json();
}

json json_of(const machine& facts) {
  return {{"processor", known(facts.processor)},
          {"processors", known(facts.processors)},
          {"processors_online", known(facts.processors_online)},
          {"caches", facts.caches},
          {"memory_available", known(facts.memory_available)},
          {"kernel", known(facts.os_release)},
          {"governor", known(facts.governor)},
          {"file_system", known(facts.file_system)},
          {"device", known(facts.device)},
          {"read_ahead", known(facts.read_ahead)},
          {"compiler", known(facts.compiler)},
          {"flags", known(facts.flags)},
          {"version", known(facts.version)},
          {"active_kernel", known(facts.active_kernel)}};
}

json json_of(const warning& of) {
  return {{"name", of.name},   {"text", of.text},     {"remedy", of.remedy},
          {"tasks", of.tasks}, {"inputs", of.inputs}, {"contenders", of.contenders}};
}

json json_of(const task_report& table, const verdict& given) {
  return {{"task", name_of(table.task)}, {"table", table.name},           {"input", table.input},
          {"bytes", table.bytes},        {"cache", name_of(table.cache)}, {"text", given.text},
          {"code", known(given.code)}};
}

json seconds_of(const measurement& line) {
  const summary& all = line.seconds;
  if (all.samples == 0) return nullptr;
  json samples = json::array();
  for (const sample& each : line.result.samples) samples.push_back(each.seconds);
  return {{"median", all.median},
          {"min", all.min},
          {"max", all.max},
          {"mad", all.mad},
          {"ci95", all.ci95 ? json::array({all.ci95->low, all.ci95->high}) : json()},
          {"samples", samples}};
}

json json_of(const task_report& table, const measurement& line) {
  const result& found = line.result;
  const usage& used = line.usage;
  const auto of_runs = [&line](double figure) { return line.seconds.samples == 0 ? json() : json(figure); };
  const double speed = gb_per_s(table, line);
  json limit;
  if (line.limit) limit = {{"name", name_of(line.limit->kind)}, {"seconds", line.limit->seconds}};
  json answer;
  if (found.answer) answer = {{"count", found.answer->count}, {"sum", found.answer->sum}};
  json rounds = json::array();
  for (const sample& each : found.samples) rounds.push_back(each.round);
  return {{"task", name_of(table.task)},
          {"table", table.name},
          {"base", known(table.base)},
          {"contender", line.name},
          {"program", line.program},
          {"method", line.method},
          {"label", line.label},
          {"description", line.description},
          {"input", table.input},
          {"files", table.files},
          {"bytes", table.bytes},
          {"made", table.made},
          {"cache", name_of(table.cache)},
          {"faults_per_mib", known(table.faults_per_mib)},
          {"threads", line.threads},
          {"block_size", line.block_size},
          {"queue_depth", line.queue_depth},
          {"outcome", name_of(found.outcome)},
          {"reason", known(found.reason)},
          {"seconds", seconds_of(line)},
          {"wanted", line.wanted > 0 ? json(line.wanted) : json()},
          {"gb_per_s", speed > 0 ? json(speed) : json()},
          {"limit", limit},
          {"of_limit", known(line.of_limit())},
          {"answer", answer},
          {"user_seconds", of_runs(used.user_seconds)},
          {"system_seconds", of_runs(used.system_seconds)},
          {"minor_faults", of_runs(used.minor_faults)},
          {"major_faults", of_runs(used.major_faults)},
          {"bytes_read", of_runs(used.bytes_read)},
          {"peak_memory", used.peak_memory > 0 ? of_runs(used.peak_memory) : json()},
          {"delayed_seconds", of_runs(used.delayed_seconds)},
          {"rounds", rounds},
          {"runs_per_sample", found.runs_per_sample},
          {"failed_runs", std::ranges::count_if(found.samples, &sample::failed)},
          {"settled", found.settled}};
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
  const limits& most = report.limits;
  const json head{{"schema", "riffle-bench"},
                  {"version", version},
                  {"title", report.title},
                  {"started", known(report.started)},
                  {"complete", report.complete},
                  {"stopped_by", known(report.stopped_by)},
                  {"seed", report.seed},
                  {"machine", json_of(report.facts)},
                  {"limits",
                   {{"ram_scan", known(most.ram_scan)},
                    {"ram_copy", known(most.ram_copy)},
                    {"device", known(most.device)}}},
                  {"load", report.load},
                  {"stolen_share", report.stolen_share}};
  json verdicts = json::array();
  json warnings = json::array();
  json results = json::array();
  for (const warning& each : conclusions.warnings) warnings.push_back(json_of(each));
  for (std::size_t i = 0; i < report.tasks.size(); ++i) {
    const task_report& table = report.tasks[i];
    if (!table.lines.empty()) verdicts.push_back(json_of(table, conclusions.tables[i].verdict));
    for (const measurement& line : table.lines) results.push_back(json_of(table, line));
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
