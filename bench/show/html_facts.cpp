/// The sections of the HTML page around the tasks: published
/// figures, limits, machine, contenders, and how to read it all.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "bench/show/html_parts.hpp"
#include "bench/show/in_words.hpp"
#include "bench/show/markup.hpp"
#include "text/joined.hpp"
#include "text/numbers.hpp"

namespace riffle::bench {

namespace {

void add_fact(std::string& out, std::string_view name, const std::string& value) {
  if (value.empty()) return;
  fmt::format_to(std::back_inserter(out), "<dt>{}</dt><dd>{}</dd>\n", name, escaped(value));
}

std::string size_or_nothing(std::uint64_t bytes) {
  return bytes == 0 ? std::string() : text::human_size(bytes);
}

void add_limit_row(std::string& out, std::string_view name, std::optional<double> value, double unit,
                   std::string_view unit_name, std::string_view meaning) {
  if (!value) return;
  fmt::format_to(std::back_inserter(out),
                 R"(<tr class="limit"><th scope="row">{}</th><td data-value="{}">{} {}</td>)"
                 R"(<td class="wide">{}</td></tr>)"
                 "\n",
                 name, plain_number(*value), text::short_number(*value / unit), unit_name, meaning);
}

std::string times_text(const range& published) {
  const std::string low = text::short_number(published.low);
  return (published.low == published.high ? low : low + " to " + text::short_number(published.high)) +
         " times";
}

void add_claim(std::string& out, const page_section& section, const checked_claim& each) {
  const published_table& said = *each.table;
  const std::string here =
      each.here.certain ? text::short_number(each.here.ratio) + " times" : std::string(in_words(each.here));
  fmt::format_to(
      std::back_inserter(out),
      R"(<tr><th scope="row">{}, {}{}</th><td class="text">{}</td><td class="text">{} against {}</td>)"
      R"(<td>{}</td><td data-value="{}">{}</td><td class="text">{}</td></tr>)"
      "\n",
      said.year, escaped(said.author), said.where.empty() ? "" : ", " + escaped(said.where),
      escaped(section.title), escaped(each.figure->contender),
      escaped(each.figure->against.empty() ? said.base : each.figure->against), times_text(each.times),
      plain_number(each.here.ratio), here, in_words(each.how));
}

}  // namespace

std::string published_section(const std::vector<page_section>& sections) {
  std::string rows;
  for (const page_section& section : sections) {
    for (const checked_claim& each : section.conclusions().claims) add_claim(rows, section, each);
  }
  if (rows.empty()) return {};
  return R"(<section><h2 id="published">Published figures beside those of this run</h2>)"
         "\n<p class=\"about\">The speed of the first contender divided by that of the second, as "
         "published and in this run. Below 1 the first is slower.</p>\n"
         R"(<div class="scroll" role="region" tabindex="0" aria-label="Published figures beside those of this run">)"
         "<table><caption>Published figures beside those of this run</caption>"
         R"(<thead><tr><th scope="col">Published</th><th scope="col" class="text">Measured here on</th>)"
         R"(<th scope="col" class="text">Contenders</th><th scope="col">Then</th><th scope="col">Here</th><th scope="col" class="text">Holds</th></tr></thead>)"
         "<tbody>\n" +
         rows + "</tbody></table></div></section>\n";
}

std::string limits_section(const report& report) {
  const limits& limits = report.limits;
  std::string rows;
  add_limit_row(rows, "RAM scan", limits.ram_scan, 1e9, "GB/s", "memory that is mapped already, read once");
  add_limit_row(rows, "RAM copy", limits.ram_copy, 1e9, "GB/s",
                "memory copied into a small buffer, as read(2) does");
  add_limit_row(rows, "Page faults", limits.page_faults, 1e6, "million/s",
                "pages of a cached file touched for the first time");
  add_limit_row(rows, "System calls", limits.system_calls, 1e6, "million/s", "the cheapest system call");
  add_limit_row(rows, "Pipe", limits.pipe, 1e9, "GB/s", "from one process to another");
  add_limit_row(rows, "Device", limits.device, 1e9, "GB/s", "O_DIRECT, a deep queue, front to back");
  if (rows.empty()) return {};
  return R"(<section><h2 id="limits">The limits of this machine</h2>)"
         "\n<p class=\"about\">No method is faster. Measured in the same run with one thread.</p>\n"
         R"(<div class="scroll" role="region" tabindex="0" aria-label="The limits of this machine">)"
         "<table><caption>What the machine can do at most</caption>"
         R"(<thead><tr><th scope="col">Limit</th><th scope="col">Most</th>)"
         R"(<th scope="col" class="text">What it is</th></tr></thead>)"
         "<tbody>\n" +
         rows + "</tbody></table></div></section>\n";
}

std::string machine_section(const report& report) {
  const machine& facts = report.facts;
  std::string list;
  add_fact(list, "Processor", facts.processor);
  add_fact(list, "Processors in use",
           facts.processors == 0 ? std::string() : std::to_string(facts.processors));
  add_fact(list, "Caches", text::joined(facts.caches, ", "));
  add_fact(list, "Frequency governor", facts.governor);
  add_fact(list, "Memory", size_or_nothing(facts.memory));
  add_fact(list, "Memory available at the start", size_or_nothing(facts.memory_available));
  add_fact(list, "Transparent huge pages", facts.huge_pages);
  add_fact(list, "OS kernel", facts.os_release);
  add_fact(list, "Mitigations", text::joined(facts.mitigations, ", "));
  add_fact(list, "Virtualisation", facts.virtualisation);
  add_fact(list, "File system", facts.file_system);
  add_fact(list, "Mount options", facts.mount_options);
  add_fact(list, "Block device", facts.device);
  add_fact(list, "Readahead", size_or_nothing(facts.read_ahead));
  add_fact(list, "Compiler", facts.compiler);
  add_fact(list, "Flags", facts.flags);
  add_fact(list, "riffle", facts.version);
  add_fact(list, "SIMD kernels", facts.active_kernel);
  add_fact(list, "Load when the run began", text::short_number(report.load));
  add_fact(list, "Time taken by the host", text::short_number(report.stolen_share * 100) + " %");
  add_fact(list, "Tick of the clock", text::short_number(report.tick_ns) + " ns");
  return R"(<section><h2 id="machine">The machine</h2>)"
         "\n<dl class=\"facts\">\n" +
         list + "</dl></section>\n";
}

std::string contenders_section(const report& report) {
  std::string out;
  for (const task which : all_tasks) {
    std::string rows;
    std::set<std::string> seen;
    for (const task_report& table : report.tasks) {
      if (table.task != which) continue;
      for (const measurement& line : table.lines) {
        const std::string id = line.program + "/" + line.name;
        if (line.description.empty() || !seen.insert(id).second) continue;
        add_fact(rows, escaped(id), line.description);
      }
    }
    if (rows.empty()) continue;
    fmt::format_to(std::back_inserter(out),
                   "<details><summary>{}: {}</summary><dl class=\"facts\">\n{}</dl></details>\n",
                   name_of(which), description_of(which), rows);
  }
  if (out.empty()) return {};
  return R"(<section><h2 id="contenders">What each contender does</h2>)"
         "\n" +
         out + "</section>\n";
}

std::string reading_section() {
  return R"(<section><h2 id="reading">How to read this</h2>
<p><strong>Median.</strong> Half of a contender’s runs were faster, half slower. All contenders ran in turn, round after
round, in a new order each time, so that a slow phase of the machine slows all of them.</p>
<p><strong>95&nbsp;% interval.</strong> The true median lies in it with that confidence, for any distribution of the
times. “No difference” means that the ratio of two contenders lies within 5&nbsp;% of 1: take the simpler one. “Too few
rounds” and “cannot be told apart” mean that more rounds could tell: use a longer --time.</p>
<p><strong>Limit.</strong> What the machine can do with the same bytes: scan them in memory, copy them, or fetch them from the
device. Each contender is given as a share of the slowest limit that it cannot avoid. Near 100&nbsp;% another method
gains nothing.</p>
<p><strong>Verified.</strong> All contenders of a task must give the same answer. One that does not is reported as wrong, and
its time does not count.</p></section>
)";
}

}  // namespace riffle::bench
