/// The two tables of program 4, the wc-like program: seconds, one
/// row a method, over one large file and over 185 small ones.
#include <fmt/core.h>

#include "bench/judge/figures.hpp"
#include "bench/reproduce/published_table.hpp"
#include "bench/show/in_words.hpp"
#include "text/numbers.hpp"

namespace riffle::bench {

namespace {

struct published_row {
  const char* label;
  std::string_view id;
  double one_file = 0;  // seconds; 0: not in the table
  double many_files = 0;
};

constexpr published_row rows[] = {
    {"wc -w", "wc/wc -w", 6.137, 0.480},
    {"fgetc", "wc_measurements/fgetc", 64.4916, 5.60848},
    {"fread, whole file", "wc_measurements/fread-whole-file", 4.89714, 0.330045},
    {"ifstream >> char", "wc_measurements/ifstream>>char", 18.4372, 1.37739},
    {"ifstream::read, whole file", "wc_measurements/ifstream-read-whole-file", 10.4793, 0.752428},
    {"mmap", "wc_measurements/mmap", 4.86794, 0.360238},
    {"read, whole file", "wc_measurements/read-whole-file", 5.37017, 0.36341},
    {"read, blocks of 64 KiB", "wc_measurements/read-64K"},
    {"riffle", "riffle/automatic"},
};

// As the author gives the one, and as the sizes that he lists for the others add up.
constexpr double bytes_of_one = 1.1e9;
constexpr double bytes_of_many = 80e6;

std::string seconds_cell(double seconds) {
  return seconds > 0 ? three_figures(seconds) : "";
}

// Whether all contenders count the same. The published ones do not.
std::string about_the_counts(const task_report& results) {
  std::size_t agree = 0;
  std::size_t wrong = 0;
  std::uint64_t words = 0;
  for (const measurement& line : results.lines) {
    wrong += line.result.outcome == outcome::wrong ? 1U : 0U;
    if (!line.measured() || !line.result.answer) continue;
    ++agree;
    words = line.result.answer->count;
  }
  const std::string published = results.files == 1 ? "210,907,704, fgetc one more, wc 210,915,602"
                                                   : "15,982,966, fgetc 185 more, one a file, wc 15,983,065";
  return fmt::format(
      "Contenders that count {} words here: {}; another number: {}. Published: {}; its fgetc counts "
      "the end marker as a character.",
      text::with_commas(static_cast<double>(words)), agree, wrong == 0 ? "none" : std::to_string(wrong),
      published);
}

}  // namespace

std::vector<std::string_view> wordcount_ids() {
  std::vector<std::string_view> ids;
  for (const published_row& row : rows) ids.push_back(row.id);
  return ids;
}

table_text wordcount_text(const task_report& results) {
  const bool one = results.files == 1;
  table_text table{.heading = fmt::format("wc_measurements: words counted, {} (Thomas Brown, \"Measuring I/O "
                                          "performance using a wc-like program\", 2015)",
                                          one ? "one large file" : "many small files")};
  table.heads = {{"seconds", "published", "scaled", "here", "MB/s here"}};
  const double scale = static_cast<double>(results.bytes) / (one ? bytes_of_one : bytes_of_many);
  for (const published_row& row : rows) {
    const double published = one ? row.one_file : row.many_files;
    table.rows.push_back(
        {row.label, seconds_cell(published), seconds_cell(published * scale),
         cell_of(results, row.id, [](const measurement& line) { return three_figures(line.seconds.median); }),
         cell_of(results, row.id,
                 [&](const measurement& line) { return three_figures(gb_per_s(results, line) * 1000); })});
  }
  table.notes = {fmt::format("Published for {}; scaled to this size.", one ? "1.1 GB" : "185 files of 80 MB"),
                 about_the_counts(results)};
  const std::string_view fread = "wc_measurements/fread-whole-file";
  table.claims = {
      one ? judged(results, {"mmap counts words as fast as fread (1.01 times)", "wc_measurements/mmap", fread,
                             4.89714 / 4.86794, "mmap", "fread"})
          : judged(results, {"over small files mmap is slower than fread (0.92 times)",
                             "wc_measurements/mmap", fread, 0.330045 / 0.360238, "mmap", "fread"}),
      judged(results,
             {one ? "fgetc takes 13 times as long as fread" : "fgetc takes 17 times as long as fread", fread,
              "wc_measurements/fgetc", one ? 64.4916 / 4.89714 : 5.60848 / 0.330045, "fread", "fgetc"})};
  return table;
}

}  // namespace riffle::bench
