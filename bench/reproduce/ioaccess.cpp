/// The table of program 2, ioaccess: millions of integers a second, by the processor's time and by the
/// wall's, also as that program counts them.
#include <fmt/core.h>

#include "bench/reproduce/published_table.hpp"

namespace riffle::bench {

namespace {

struct published_row {
  const char* label;
  std::string_view id;
  const char* in_2012 = "";
  const char* ryzen = "";
  const char* jetson = "";
};

constexpr published_row rows[] = {
    {"fread", "ioaccess/fread", "124", "154", "27"},
    {"fread, 4 KiB buffer", "ioaccess/fread-4K"},
    {"fread, 32 MiB buffer", "ioaccess/fread-32M"},
    {"read, two calls", "ioaccess/read-two-calls", "70", "62"},
    {"read, 64 KiB buffer", "ioaccess/read-64K"},
    {"mmap", "ioaccess/mmap", "125"},
    {"mmap, MAP_POPULATE", "ioaccess/mmap-populate", "", "388", "199"},
    {"fancy mmap, his hint", "ioaccess/mmap-fancy-as-published"},
    {"fancy mmap, both hints", "ioaccess/mmap-fancy"},
    {"mmap (shared)", "ioaccess/mmap-shared"},
    {"fancy mmap (shared)", "ioaccess/mmap-fancy-shared"},
    {"ifstream", "ioaccess/ifstream-read", "124", "172"},
    {"riffle", "riffle/automatic"},
};

// His program reads the file so often and divides the integers of one time by the seconds of all.
constexpr double his_passes = 10;

// What the file holds but for the lengths, which are not counted.
double millions_of_ints(const task_report& results) {
  for (const measurement& line : results.lines) {
    if (!line.result.answer) continue;
    return (static_cast<double>(results.bytes) / 4 - static_cast<double>(line.result.answer->count)) * 1e-6;
  }
  return 0;
}

std::string rate(double millions, double seconds) {
  return seconds > 0 ? three_figures(millions / seconds) : "-";
}

}  // namespace

std::vector<std::string_view> ioaccess_ids() {
  std::vector<std::string_view> ids;
  for (const published_row& row : rows) ids.push_back(row.id);
  return ids;
}

table_text ioaccess_text(const task_report& results) {
  table_text table{.heading =
                       "ioaccess: arrays of integers weighed (Daniel Lemire, \"Which is fastest: read, "
                       "fread, ifstream or mmap?\", 2012)"};
  table.heads = {{"millions of ints/s", "2012", "2024", "ARM", "here, his", "way", "in", "fact"},
                 {"", "Core i7", "Ryzen", "Xavier", "CPU", "wall", "CPU", "wall"}};
  const double millions = millions_of_ints(results);
  for (const published_row& row : rows) {
    cells line{row.label, row.in_2012, row.ryzen, row.jetson};
    for (const double passes : {his_passes, 1.0}) {
      line.push_back(cell_of(results, row.id, [&](const measurement& measured) {
        const processor_seconds used = mean_processor_seconds(measured);
        return rate(millions / passes, used.user + used.system);
      }));
      line.push_back(cell_of(results, row.id, [&](const measurement& measured) {
        return rate(millions / passes, measured.seconds.median);
      }));
    }
    table.rows.push_back(std::move(line));
  }
  table.notes = {
      "His way: the program reads the file ten times and divides the integers of one pass by the seconds of "
      "all ten. It prints a tenth of the speed.",
      "His hint is SEQUENTIAL|WILLNEED in one call, which the OS kernel takes as WILLNEED alone. Since "
      "that day in 2012 the program maps with MAP_POPULATE."};
  table.claims = {judged(results, {"mmap is as fast as fread (1.01 times)", "ioaccess/mmap", "ioaccess/fread",
                                   125.0 / 124, "mmap", "fread"}),
                  judged(results, {"read is slower than fread (0.56 times)", "ioaccess/read-two-calls",
                                   "ioaccess/fread", 70.0 / 124, "read by two calls an array", "fread"})};
  return table;
}

}  // namespace riffle::bench
