/// The files that `riffle bench` writes its report to, found before anything is measured.
#ifndef RIFFLE_CLI_BENCH_FORMS_HPP
#define RIFFLE_CLI_BENCH_FORMS_HPP

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "bench/host/output_file.hpp"
#include "bench/show/outputs.hpp"
#include "cli/command.hpp"

namespace riffle::cli {

/// What `--json --csv --markdown --html --save` were given.
struct report_forms {
  std::string json, csv, markdown, html, directory;
};

/// The files of a report, found first, so that a missing directory does not cost a minute of measuring.
class report_files {
 public:
  /// Finds them. Throws riffle::error, which names the file, if one cannot be written, and text::usage_error
  /// if one would overwrite an input, another report or a file that is no report, or if standard output would
  /// go into an input.
  report_files(const report_forms& wanted, const std::vector<std::filesystem::path>& inputs);
  /// Whether one of them is standard output, so that no table belongs there.
  [[nodiscard]] bool standard_output() const noexcept { return standard_output_; }
  /// Writes them all, in place of what they held. A file that fails is named on standard error, the others
  /// are still written; `flush_output` tells of standard output. Returns whether all files were written.
  [[nodiscard]] bool write(const bench::report& report, const bench::conclusions& conclusions);
  /// The path of the page; empty if there is none.
  [[nodiscard]] std::filesystem::path page() const;

 private:
  using writer = void (*)(const bench::report&, const bench::conclusions&, std::ostream&);
  struct form {
    std::filesystem::path path;
    writer write;
    std::optional<bench::output_file> file;  // nothing: standard output
  };
  void add(const std::filesystem::path& path, writer as);

  std::vector<form> forms_;
  bool standard_output_ = false;
};

}  // namespace riffle::cli

#endif
