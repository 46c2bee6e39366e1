/// Writes a report in each format that was asked for, or says which file failed.
#include "cli/bench/bench.hpp"

#include <fmt/core.h>
#include <riffle/error.hpp>

#include <sstream>

#include "cli/os/system.hpp"
#include "cli/output.hpp"

namespace riffle::cli {

namespace {

using std::filesystem::path;

// What only a report of ours has at its start, in each form.
bool begins_report(std::string_view start) {
  return start.starts_with("{\n\"schema\": \"riffle-bench\"") || start.starts_with("# riffle bench") ||
         start.find("<title>riffle bench") != std::string_view::npos;
}

void write_markdown(const bench::report& report, const bench::conclusions& found, std::ostream& out) {
  bench::write_markdown(bench::document_of(report, found), out);
}
void write_page(const bench::report& report, const bench::conclusions& found, std::ostream& out) {
  bench::write_page(bench::document_of(report, found), out);
}

/// A form of a report: the option that names its file, and its name in the directory of `--save`.
struct form_kind {
  std::string report_forms::* option;
  const char* name;
  void (*write)(const bench::report&, const bench::conclusions&, std::ostream&);
};
constexpr std::array kinds{form_kind{&report_forms::json, "bench.json", bench::write_json},
                           form_kind{&report_forms::markdown, "bench.md", write_markdown},
                           form_kind{&report_forms::html, "bench.html", write_page}};

[[noreturn]] void refuse(const std::string& why) {
  throw text::usage_error(why + "; name another file");
}

// To other tools --json is a flag, and the next word a file to read.
void check_no_loss(const path& file, const std::vector<path>& inputs) {
  std::error_code ignored;
  if (os::is_standard_output(file))
    refuse(fmt::format("the report would overwrite '{}', which is standard output", file.string()));
  for (const path& input : inputs) {
    if (std::filesystem::equivalent(file, input, ignored))
      refuse(fmt::format("the report would overwrite '{}', which is an input", input.string()));
  }
  if (!bench::output_file::may_overwrite(file, begins_report))
    refuse(fmt::format("the report would overwrite '{}', which is no report of riffle bench", file.string()));
}

bool same_place(const path& one, const path& other) {
  std::error_code failure;
  if (one == other) return !std::filesystem::is_other(one, failure);  // all may go to /dev/null
  if (std::filesystem::is_regular_file(one, failure) && std::filesystem::equivalent(one, other, failure))
    return true;
  const path full = std::filesystem::weakly_canonical(std::filesystem::absolute(one), failure);
  return !failure && full == std::filesystem::weakly_canonical(std::filesystem::absolute(other), failure);
}

}  // namespace

report_files::report_files(const report_forms& wanted, const std::vector<path>& inputs) {
  const path directory(wanted.directory);
  for (const form_kind& each : kinds) add(wanted.*each.option, each.write);
  for (const form_kind& each : kinds) {
    if (!directory.empty()) add(directory / each.name, each.write);
  }
  for (const path& input : inputs) {
    if (os::is_standard_output(input))
      refuse(fmt::format("standard output would go into '{}', which is an input", input.string()));
  }
  for (const form& each : forms_) {
    if (each.path != "-") check_no_loss(each.path, inputs);
  }
  std::error_code failure;
  if (!directory.empty()) std::filesystem::create_directories(directory, failure);
  if (failure) throw error(failure, "create", directory.string());
  for (form& each : forms_) {
    if (each.path != "-") each.file.emplace(each.path, begins_report);
  }
}

void report_files::add(const path& file, writer as) {
  if (file.empty()) return;
  for (const form& each : forms_) {
    if (same_place(file, each.path)) refuse(fmt::format("two reports would overwrite '{}'", file.string()));
  }
  standard_output_ = standard_output_ || file == "-";
  forms_.push_back({file, as, std::nullopt});
}

bool report_files::write(const bench::report& report, const bench::conclusions& conclusions) {
  bool written = true;
  for (form& each : forms_) {
    if (!each.file) {
      each.write(report, conclusions, output_stream());
      continue;
    }
    std::ostringstream text;
    each.write(report, conclusions, text);
    try {
      each.file->write(text.view());
    } catch (const error& failure) {
      complain(failure);
      written = false;
    }
  }
  return written;
}

std::filesystem::path report_files::page() const {
  for (const form& each : forms_) {
    if (each.write == write_page && each.path != "-") return each.path;
  }
  return {};
}

}  // namespace riffle::cli
