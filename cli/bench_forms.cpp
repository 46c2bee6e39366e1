/// Why this file exists: it writes a report in each form that was asked for, or says which file failed.
#include "cli/bench_forms.hpp"

#include <cerrno>
#include <iostream>
#include <riffle/error.hpp>

namespace riffle::cli {

namespace {

[[noreturn]] void fail(const std::filesystem::path& path) {
  throw error({errno != 0 ? errno : EIO, std::generic_category()}, "write", path.string());
}

}  // namespace

void add_report_forms(CLI::App& command, report_forms& given) {
  const auto add = [&](const char* name, std::string& to, const char* text) {
    command.add_option(name, to, text)->type_name("FILE");
  };
  add("--json", given.json, "Write every result, with each sample, for programs; '-': standard output");
  add("--csv", given.csv, "Write one line for each contender");
  add("--markdown", given.markdown, "Write tables for a README or an issue");
  add("--html", given.html, "Write one page with charts, to be opened in a browser");
  command.add_option("--save", given.directory, "Write all four to DIR, as bench.json, .csv, .md and .html")
      ->type_name("DIR");
}

report_files::report_files(const report_forms& wanted) {
  add(wanted.json, bench::write_json);
  add(wanted.csv, bench::write_csv);
  add(wanted.markdown, bench::write_markdown);
  add(wanted.html, bench::write_html);
  if (wanted.directory.empty()) return;
  const std::filesystem::path directory(wanted.directory);
  std::error_code failure;
  std::filesystem::create_directories(directory, failure);
  if (failure) throw error(failure, "create", directory.string());
  add(directory / "bench.json", bench::write_json);
  add(directory / "bench.csv", bench::write_csv);
  add(directory / "bench.md", bench::write_markdown);
  add(directory / "bench.html", bench::write_html);
}

void report_files::add(const std::string& path, writer as) {
  if (path.empty()) return;
  if (path == "-") {
    standard_output_ = true;
  } else {
    errno = 0;
    if (!std::ofstream(path, std::ios::app)) fail(path);
  }
  forms_.push_back({path, as});
}

void report_files::write(const bench::report& all) const {
  for (const form& each : forms_) {
    errno = 0;
    if (each.path == "-") {
      each.write(all, std::cout);
      if (!std::cout.flush()) fail("standard output");
      continue;
    }
    std::ofstream file(each.path);
    each.write(all, file);
    file.close();
    if (!file) fail(each.path);
  }
}

std::filesystem::path report_files::page() const {
  for (const form& each : forms_) {
    if (each.write == bench::write_html && each.path != "-") return each.path;
  }
  return {};
}

}  // namespace riffle::cli
