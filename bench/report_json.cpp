/// Why this file exists: everything that was measured, for programs to read.
#include <nlohmann/json.hpp>
#include <ostream>

#include "report.hpp"

namespace riffle::bench {

namespace {

using json = nlohmann::ordered_json;

json facts_of(const machine& facts) {
  return {{"processor", facts.processor}, {"processors", facts.processors},   {"memory", facts.memory},
          {"kernel", facts.kernel},       {"file_system", facts.file_system}, {"compiler", facts.compiler},
          {"riffle", facts.version},      {"kernels", facts.active_kernel}};
}

const char* outcome_name(outcome which) {
  switch (which) {
    case outcome::measured:
      return "measured";
    case outcome::unavailable:
      return "unavailable";
    case outcome::failed:
      return "failed";
  }
  return "";
}

json result_of(const task_report& report, const line_of_report& line) {
  json result{{"task", name_of(report.task)},
              {"contender", line.name},
              {"program", line.program},
              {"method", line.method},
              {"description", line.description},
              {"input", report.input},
              {"files", report.files},
              {"bytes", report.bytes},
              {"cache", "hot"},
              {"outcome", outcome_name(line.result.outcome)}};
  if (line.result.outcome != outcome::measured) {
    result["reason"] = line.result.reason;
    return result;
  }
  result["seconds"] = {{"median", line.seconds.median},
                       {"min", line.seconds.min},
                       {"max", line.seconds.max},
                       {"mad", line.seconds.mad},
                       {"samples", line.result.seconds}};
  result["gb_per_s"] = gb_per_s(report, line);
  const line_of_report* const limit = limit_of(report);
  result["of_limit"] = nullptr;
  if (limit != nullptr && line.seconds.median > 0) {
    result["of_limit"] = limit->seconds.median / line.seconds.median;
  }
  result["answer"] = {{"count", line.result.answer.count}, {"sum", line.result.answer.sum}};
  return result;
}

}  // namespace

void write_json(const machine& facts, const std::vector<task_report>& reports, std::ostream& out) {
  json all{
      {"schema", 1}, {"machine", facts_of(facts)}, {"verdicts", json::array()}, {"results", json::array()}};
  for (const task_report& report : reports) {
    all["verdicts"].push_back(
        {{"task", name_of(report.task)}, {"input", report.input}, {"verdict", verdict(report)}});
    for (const line_of_report& line : report.lines) all["results"].push_back(result_of(report, line));
  }
  // File names may be any bytes; JSON is UTF-8.
  out << all.dump(2, ' ', false, json::error_handler_t::replace) << '\n';
}

}  // namespace riffle::bench
