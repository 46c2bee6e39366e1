/// Every figure of a report, one line a contender, for spreadsheets and statistics programs.
#include <fmt/core.h>

#include <array>
#include <cmath>
#include <ostream>

#include "bench/data/fields.hpp"
#include "bench/judge/figures.hpp"
#include "bench/judge/warnings.hpp"
#include "bench/show/outputs.hpp"
#include "text/columns.hpp"
#include "text/joined.hpp"

namespace riffle::bench {

namespace {

std::string cell(double number) {
  return std::isfinite(number) ? fmt::format("{}", number) : std::string();
}
std::string cell(const std::optional<double>& number) {
  return number ? cell(*number) : std::string();
}
template <std::unsigned_integral Number>
std::string cell(Number number) {
  return fmt::format("{}", number);
}

// Quoted where RFC 4180 asks for it, and UTF-8 whatever a file is called. A file's name that a spreadsheet
// would run as a formula gets an apostrophe before it (OWASP, CSV Injection); numbers are not concerned, as
// none is negative.
std::string cell(std::string_view text) {
  std::string content = text::as_utf8(text);
  if (!content.empty() && std::string_view("=+-@\t\r").find(content[0]) != std::string_view::npos) {
    content.insert(0, 1, '\'');
  }
  if (content.find_first_of(",\"\r\n") == std::string::npos) return content;
  std::string quoted = "\"";
  for (const char each : content) quoted.append(each == '"' ? 2 : 1, each);
  return quoted + '"';
}

std::string truth(bool value) {
  return value ? "true" : "false";
}
// What is not known is empty, and not 0.
std::string fact_cell(const std::string& text) {
  return cell(std::string_view(text));
}
std::string fact_cell(const std::vector<std::string>& texts) {
  return cell(std::string_view(text::joined(texts, "; ")));
}
template <std::unsigned_integral Number>
std::string fact_cell(Number number) {
  return number == 0 ? std::string() : cell(number);
}

/// A column: its heading, and the cell of one line under it.
struct column {
  const char* heading;
  std::string (*of)(const task_report&, const measurement&);
};

using report_of_task = const task_report&;
using of_line = const measurement&;

// A figure of the samples: empty where there are none, and not 0.
template <auto member>
std::string time(report_of_task /*of*/, of_line line) {
  return line.seconds.samples == 0 ? std::string() : cell(line.seconds.*member);
}
template <auto member>
std::string used(report_of_task /*of*/, of_line line) {
  return line.seconds.samples == 0 ? std::string() : cell(line.usage.*member);
}
template <double interval::* end>
std::string ci95(report_of_task /*of*/, of_line line) {
  return line.seconds.ci95 ? cell((*line.seconds.ci95).*end) : std::string();
}
template <std::uint64_t answer::* part>
std::string given(report_of_task /*of*/, of_line line) {
  return line.result.answer ? cell((*line.result.answer).*part) : std::string();
}

// The names are those of the JSON (docs/bench-json.md).
constexpr std::array columns{
    column{"task", [](report_of_task of, of_line) { return cell(name_of(of.task)); }},
    column{"input", [](report_of_task of, of_line) { return cell(std::string_view(of.input)); }},
    column{"files", [](report_of_task of, of_line) { return cell(of.files); }},
    column{"bytes", [](report_of_task of, of_line) { return cell(of.bytes); }},
    column{"cache", [](report_of_task of, of_line) { return cell(name_of(of.cache)); }},
    column{"faults_per_mib", [](report_of_task of, of_line) { return cell(of.faults_per_mib); }},
    column{"contender", [](report_of_task, of_line line) { return cell(std::string_view(line.name)); }},
    column{"program", [](report_of_task, of_line line) { return cell(std::string_view(line.program)); }},
    column{"method", [](report_of_task, of_line line) { return cell(name_of(line.method)); }},
    column{"block_size", [](report_of_task, of_line line) { return cell(line.block_size); }},
    column{"threads", [](report_of_task, of_line line) { return cell(line.threads); }},
    column{"outcome",
           [](report_of_task, of_line line) {
             return cell(outcome_names.at(static_cast<std::size_t>(line.result.outcome)));
           }},
    column{"samples", [](report_of_task, of_line line) { return cell(line.seconds.samples); }},
    column{"median", time<&summary::median>},
    column{"min", time<&summary::min>},
    column{"max", time<&summary::max>},
    column{"mad", time<&summary::mad>},
    column{"ci95_low", ci95<&interval::low>},
    column{"ci95_high", ci95<&interval::high>},
    column{"settled", [](report_of_task, of_line line) { return truth(line.result.settled); }},
    column{"runs_per_sample", [](report_of_task, of_line line) { return cell(line.result.runs_per_sample); }},
    column{"gb_per_s",
           [](report_of_task of, of_line line) {
             return line.seconds.samples == 0 ? std::string() : cell(gb_per_s(of, line));
           }},
    column{"limit",
           [](report_of_task, of_line line) {
             return line.limit ? cell(name_of(line.limit->kind)) : std::string();
           }},
    column{"of_limit", [](report_of_task, of_line line) { return cell(line.of_limit()); }},
    column{"user_seconds", used<&usage::user_seconds>},
    column{"system_seconds", used<&usage::system_seconds>},
    column{"minor_faults", used<&usage::minor_faults>},
    column{"major_faults", used<&usage::major_faults>},
    column{"voluntary_switches", used<&usage::voluntary_switches>},
    column{"involuntary_switches", used<&usage::involuntary_switches>},
    column{"bytes_read", used<&usage::bytes_read>},
    column{"answer_count", given<&answer::count>},
    column{"answer_sum", given<&answer::sum>},
    column{"reason",
           [](report_of_task, of_line line) { return cell(std::string_view(line.result.reason)); }}};

// The RFC ends lines by CR LF; every reader of it takes LF too, but `cut` and `awk` would keep the CR in the
// last cell.
template <class Text>
void write_row(Text text_of, std::ostream& out) {
  const char* before = "";
  for (const column& each : columns) {
    out << before << text_of(each);
    before = ",";
  }
}

/// The end of every row: of which run it is, and on which machine, as rows of several runs come to stand in
/// one table.
struct run_columns {
  std::string headings = ",complete,stopped_by,started";
  std::string cells;

  explicit run_columns(const report& all) {
    cells = fmt::format(",{},{},{}", truth(all.complete), fact_cell(all.stopped_by), fact_cell(all.started));
    each_field<machine>([&](const char* name, auto member) {
      headings += fmt::format(",{}", name);
      cells += "," + fact_cell(all.facts.*member);
    });
  }
};

}  // namespace

void write_csv(const report& all, std::ostream& out) {
  const run_columns run(all);
  write_row([](const column& each) { return each.heading; }, out);
  out << run.headings << '\n';
  for (const task_report& of : all.tasks) {
    for (const measurement& line : of.lines) {
      write_row([&](const column& each) { return each.of(of, line); }, out);
      out << run.cells << '\n';
    }
  }
}

}  // namespace riffle::bench
