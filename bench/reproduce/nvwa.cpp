/// The tables of program 1, nvwa: bytes beside perl's speed, and lines in MB/s.
#include <fmt/core.h>

#include "bench/judge/figures.hpp"
#include "bench/reproduce/published_table.hpp"

namespace riffle::bench {

namespace {

struct published_row {
  const char* label;
  std::string_view id;
  const char* published;  // as its author wrote it; empty: not in his table
};

constexpr published_row byte_rows[] = {
    {"perl, tr/cCgG//", "perl/perl-tr", "1"},
    {"getc", "nvwa/getc", "0.5 (0.1 on macOS)"},
    {"getc_unlocked", "nvwa/getc_unlocked", "over 1 (Linux)"},
    {"mmap, lines copied", "nvwa/mmap-lines-copied", "1"},
    {"mmap, lines as views", "nvwa/mmap-lines-views", ""},
    {"mmap, plain C", "nvwa/mmap-compares", ""},
    {"mmap_char_reader", "nvwa/mmap-char-reader", "as plain C"},
    {"riffle", "riffle/automatic", ""},
};

constexpr published_row line_rows[] = {
    {"cin, as it starts", "nvwa/cin-synced-getline", "28"},
    {"cin, sync_with_stdio(false)", "nvwa/cin-unsynced-getline", "390 to 1100"},
    {"FILE*, fgets", "nvwa/fgets", "430 to 550"},
    {"mmap, lines copied", "nvwa/mmap-lines-copied", "600 to 650"},
    {"mmap, lines as views", "nvwa/mmap-lines-views", ""},
    {"riffle", "riffle/automatic", ""},
};

template <std::size_t size>
std::vector<std::string_view> ids_of(const published_row (&rows)[size]) {
  std::vector<std::string_view> ids;
  for (const published_row& row : rows) ids.push_back(row.id);
  return ids;
}

std::string mb_per_s(const task_report& results, std::string_view id) {
  return cell_of(results, id,
                 [&](const measurement& line) { return three_figures(gb_per_s(results, line) * 1000); });
}

}  // namespace

std::vector<std::string_view> nvwa_bytes_ids() {
  return ids_of(byte_rows);
}
std::vector<std::string_view> nvwa_lines_ids() {
  return ids_of(line_rows);
}

table_text nvwa_bytes_text(const task_report& results) {
  table_text table{.heading =
                       "nvwa, bytes: C and G of a genome counted (Wu Yongwei, \"C/C++ Performance, mmap, "
                       "and string_view\", 2017)"};
  table.heads = {{"", "times perl's speed", "", ""}, {"", "published", "here", "MB/s here"}};
  const measurement* const perl = measured_line(results, "perl/perl-tr");
  for (const published_row& row : byte_rows) {
    const std::string beside_perl = cell_of(results, row.id, [&](const measurement& line) {
      return perl == nullptr ? "-" : three_figures(perl->seconds.median / line.seconds.median);
    });
    table.rows.push_back({row.label, row.published, beside_perl, mb_per_s(results, row.id)});
  }
  table.claims = {
      judged(results, {"getc, for its lock, is half as fast as perl", "nvwa/getc", "perl/perl-tr", 0.5,
                       "getc", "perl"}),
      judged(results, {"getc without the lock is faster than with it", "nvwa/getc_unlocked", "nvwa/getc", 2,
                       "getc_unlocked", "getc"}),
      judged(results, {"a mapping read as characters is as fast as plain C over it", "nvwa/mmap-char-reader",
                       "nvwa/mmap-compares", 1, "mmap_char_reader", "plain C"})};
  return table;
}

table_text nvwa_lines_text(const task_report& results) {
  table_text table{.heading =
                       "nvwa, lines: read one by one (Wu Yongwei, \"Performance of My Line Readers\", 2016)"};
  table.heads = {{"MB/s", "published", "here"}};
  for (const published_row& row : line_rows) {
    table.rows.push_back({row.label, row.published, mb_per_s(results, row.id)});
  }
  table.claims = {judged(results, {"sync_with_stdio(false) makes std::cin 10 to 40 times as fast",
                                   "nvwa/cin-unsynced-getline", "nvwa/cin-synced-getline", 20,
                                   "cin without it", "cin with it"}),
                  judged(results, {"lines copied from a mapping come 1.3 times as fast as by FILE*",
                                   "nvwa/mmap-lines-copied", "nvwa/fgets", 600.0 / 430, "mmap", "fgets"})};
  return table;
}

}  // namespace riffle::bench
