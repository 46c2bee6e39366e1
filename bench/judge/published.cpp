/// What authors published, beside what was measured here.
#include "bench/judge/conclusions.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace riffle::bench {

namespace {

// User and system seconds of a run: their mean, as many systems count them in ticks longer than a run.
double mean_processor_seconds(const measurement& line) {
  double sum = 0;
  for (const sample& one : line.result.samples) sum += one.usage.user_seconds + one.usage.system_seconds;
  return sum / std::max(static_cast<double>(line.result.samples.size()), 1.0);
}

constexpr speed_unit mb_per_s{
    "MB/s", [](const auto&, const auto& table, const auto& line) { return gb_per_s(table, line) * 1000; }};
constexpr speed_unit gb_per_second{
    "GB/s", [](const auto&, const auto& table, const auto& line) { return gb_per_s(table, line); }};
constexpr speed_unit seconds{
    // for `published_table::bytes`
    "seconds", [](const auto& published, const auto& table, const auto& line) {
      return line.seconds.median * published.bytes / static_cast<double>(table.bytes);
    }};
// A second of processor time, as program 2 counts: it divides one pass by ten. Lengths are not counted: there
// are as many as arrays.
constexpr speed_unit tenth_of_million_ints{
    "millions of ints/s", [](const auto&, const auto& table, const auto& line) {
      const double used = mean_processor_seconds(line);
      const std::uint64_t arrays = line.result.answer ? line.result.answer->count : 0;
      return used > 0 ? (static_cast<double>(table.bytes) / 4 - static_cast<double>(arrays)) * 1e-7 / used
                      : 0;
    }};

constexpr std::string_view riffle = "riffle/automatic";

constexpr published_figure nvwa_bytes[] = {
    {"perl, tr/cCgG//", "perl/perl-tr"},
    {"getc", "nvwa/getc", {}, {}, {0.5}},
    {"getc, of getc_unlocked", "nvwa/getc", {}, "nvwa/getc_unlocked", {0.5}},
    {"getc_unlocked", "nvwa/getc_unlocked"},
    {"mmap, lines copied", "nvwa/mmap-lines-copied", {}, {}, {1}},
    {"mmap, lines as views", "nvwa/mmap-lines-views"},
    {"mmap, plain C", "nvwa/mmap-compares"},
    {"mmap_char_reader, of plain C", "nvwa/mmap-char-reader", {}, "nvwa/mmap-compares", {1}},
    {"riffle", riffle}};

constexpr published_figure nvwa_lines[] = {
    {"cin, as it starts", "nvwa/cin-synced-getline", {28}},
    {"cin, not synchronised", "nvwa/cin-unsynced-getline", {390, 1100}},
    {"FILE*, fgets", "nvwa/fgets", {430, 550}},
    {"mmap, lines copied", "nvwa/mmap-lines-copied", {600, 650}},
    {"mmap, lines as views", "nvwa/mmap-lines-views"},
    {"riffle", riffle}};

constexpr published_figure ints[] = {{"fread", "ioaccess/fread", {124}},
                                     {"fread, 4 KiB buffer", "ioaccess/fread-4K"},
                                     {"fread, 32 MiB buffer", "ioaccess/fread-32M"},
                                     {"read, two calls", "ioaccess/read-two-calls", {70}},
                                     {"read, 64 KiB buffer", "ioaccess/read-64K"},
                                     {"mmap", "ioaccess/mmap", {125}},
                                     {"fancy mmap, his hint", "ioaccess/mmap-fancy-as-published"},
                                     {"fancy mmap, both hints", "ioaccess/mmap-fancy"},
                                     {"mmap (shared)", "ioaccess/mmap-shared"},
                                     {"fancy mmap (shared)", "ioaccess/mmap-fancy-shared"},
                                     {"ifstream", "ioaccess/ifstream-read", {124}},
                                     {"riffle", riffle}};
// By then the program mapped with MAP_POPULATE.
constexpr published_figure ints_ryzen[] = {{"fread", "ioaccess/fread", {154}},
                                           {"read, two calls", "ioaccess/read-two-calls", {62}},
                                           {"mmap, MAP_POPULATE", "ioaccess/mmap-populate", {388}},
                                           {"ifstream", "ioaccess/ifstream-read", {172}}};
constexpr published_figure ints_jetson[] = {{"fread", "ioaccess/fread", {27}},
                                            {"mmap, MAP_POPULATE", "ioaccess/mmap-populate", {199}}};

constexpr published_figure primes[] = {{"ifstream::read of 8 bytes", "mapped/ifstream-read-8", {0.503402}},
                                       {"mmap, walked as published", "mapped/walk-as-published", {0.0055}},
                                       {"  the same, half of the file", "mapped/walk-as-published-half"},
                                       {"  the same, the loop kept", "mapped/walk-kept"},
                                       {"mmap, every value summed", "mapped/mmap", {}, {}, {92}},
                                       {"riffle", riffle}};

constexpr published_figure one_file[] = {
    {"wc -w", "wc/wc -w", {6.137}},
    {"fgetc", "wc_measurements/fgetc", {64.4916}},
    {"fread, whole file", "wc_measurements/fread-whole-file", {4.89714}},
    {"ifstream >> char", "wc_measurements/ifstream>>char", {18.4372}},
    {"ifstream::read, whole file", "wc_measurements/ifstream-read-whole-file", {10.4793}},
    {"mmap", "wc_measurements/mmap", {4.86794}},
    {"read, whole file", "wc_measurements/read-whole-file", {5.37017}},
    {"read, blocks of 64 KiB", "wc_measurements/read-64K"},
    {"riffle", riffle}};
constexpr published_figure many_files[] = {
    {"wc -w", "wc/wc -w", {0.480}},
    {"fgetc", "wc_measurements/fgetc", {5.60848}},
    {"fread, whole file", "wc_measurements/fread-whole-file", {0.330045}},
    {"ifstream >> char", "wc_measurements/ifstream>>char", {1.37739}},
    {"ifstream::read, whole file", "wc_measurements/ifstream-read-whole-file", {0.752428}},
    {"mmap", "wc_measurements/mmap", {0.360238}},
    {"read, whole file", "wc_measurements/read-whole-file", {0.36341}},
    {"read, blocks of 64 KiB", "wc_measurements/read-64K"},
    {"riffle", riffle}};

constexpr published_figure threads[] = {{"mmap, one thread", "mapped/mmap", {5.51}},
                                        {"O_DIRECT, six workers", "bitflux/direct-6", {5.81}},
                                        {"mmap, six threads prefetch", "bitflux/mmap-prefetch-6", {5.8}},
                                        {"riffle", riffle}};

constexpr std::string_view lemires_work =
    "arrays of integers weighed (\"Which is fastest: read, fread, ifstream or mmap?\", 2012)";
constexpr std::string_view lemires_note =
    "Millions of ints/s of processor time, as the program prints them. It reads the file ten times and "
    "divides the integers of one pass by the seconds of all ten, so the speed is ten times as high.";
constexpr std::string_view browns_work =
    "words counted (\"Measuring I/O performance using a wc-like program\")";
constexpr std::string_view wc_fread = "wc_measurements/fread-whole-file";

constexpr published_table tables[] = {
    {"nvwa", "nvwa, bytes", 2017, "Wu Yongwei",
     "C and G of a genome counted (\"C/C++ Performance, mmap, and string_view\")", "Linux", task::gc, false,
     25, mb_per_s, 0, "perl/perl-tr", "perl", nvwa_bytes,
     "Published: getc_unlocked over 1 on Linux, getc 0.1 on macOS."},
    {"nvwa", "nvwa, lines", 2016, "Wu Yongwei", "lines read one by one (\"Performance of My Line Readers\")",
     "", task::lines, false, 35, mb_per_s, 0, "nvwa/cin-synced-getline", "cin", nvwa_lines,
     "Ranges are from his slowest machine to his fastest."},
    {"ioaccess", "ioaccess", 2012, "Daniel Lemire", lemires_work, "Core i7", task::ints, false, 15,
     tenth_of_million_ints, 0, "ioaccess/fread", "fread", ints,
     "His hint is SEQUENTIAL|WILLNEED in one call, which the OS kernel takes as WILLNEED alone. Since that "
     "day in 2012 the program maps with MAP_POPULATE."},
    {"ioaccess", "ioaccess, Ryzen", 2024, "a reader of Daniel Lemire's", lemires_work, "AMD Ryzen 5950X",
     task::ints, false, 0, tenth_of_million_ints, 0, "ioaccess/fread", "fread", ints_ryzen, ""},
    {"ioaccess", "ioaccess, Jetson", 2024, "a reader of Daniel Lemire's", lemires_work, "Jetson Xavier",
     task::ints, false, 0, tenth_of_million_ints, 0, "ioaccess/fread", "fread", ints_jetson, lemires_note},
    {"mapped", "mapped", 2022, "Glen Dayton", "64-bit primes counted (\"Memory Mapped Files\")", "",
     task::primes, false, 15, seconds, 8 * 50847534.0, "mapped/ifstream-read-8", "ifstream", primes,
     "Seconds for 50,847,534 values. The published program neither unmaps nor closes the file; here both are "
     "timed. The loop is kept by a volatile pointer. If the published walk takes no longer for the whole "
     "file "
     "than for half of it, the compiler removed the loop, and no byte is read."},
    {"wc_measurements", "wc_measurements, one file", 2015, "Thomas Brown", browns_work, "", task::words,
     false, 50, seconds, 1.1e9, wc_fread, "fread", one_file,
     "Seconds for 1.1 GB. Its counts differ: 210,907,704 words, fgetc one more, wc 210,915,602."},
    {"wc_measurements", "wc_measurements, 185 files", 2015, "Thomas Brown", browns_work, "", task::words,
     true, 40, seconds, 80e6, wc_fread, "fread", many_files,
     "Seconds for 80 MB. Its counts differ: 15,982,966 words, fgetc one more for each file, wc 15,983,065."},
    {"bitflux", "bitflux", 2025, "bitflux", "values scanned (\"io_uring is faster than mmap\")",
     "two SSDs, 50 GB", task::primes, false, 15, gb_per_second, 0, "mapped/mmap", "mmap", threads,
     "Threads were compared, not methods: six workers beside one thread that faults. The figure for six "
     "threads that prefetch a mapping is a critic's. Its mapping was in the page cache, as here; a preloaded "
     "buffer was scanned at 7.9 GB/s."}};

constexpr double same = 0.05;      // of claims that two are as fast
constexpr double same_here = 0.1;  // within which they are as fast here
constexpr double near = 1.5;       // a factor between published and measured that is no news

// How many times as fast as its base a contender was; 0: not published.
range published_times(const published_table& table, const published_figure& figure) {
  if (figure.times.low > 0 || figure.figure.low <= 0 || !figure.against.empty()) return figure.times;
  const published_figure& base = *std::ranges::find(table.figures, table.base, &published_figure::contender);
  if (base.contender == figure.contender) return {};
  const double over = base.figure.low;
  if (&table.unit == &seconds) return {over / figure.figure.high, over / figure.figure.low};
  return {figure.figure.low / over, figure.figure.high / over};
}

// Of one thread; nullptr if it was not measured.
const measurement* line_of(const task_report& table, std::string_view id) {
  const auto found = std::ranges::find_if(table.lines, [&](const measurement& line) {
    return line.measured() && line.threads == 1 && line.program + "/" + line.name == id;
  });
  return found == table.lines.end() ? nullptr : &*found;
}

}  // namespace

std::span<const published_table> published_tables() {
  return tables;
}

std::span<const published_table> published_for(std::string_view name, task which) {
  const std::span<const published_table> all = tables;
  const auto first = std::ranges::find_if(
      all, [&](const published_table& each) { return each.name == name && each.task == which; });
  const auto last = std::find_if(first, all.end(), [&](const published_table& each) {
    return each.program != first->program || each.task != which || each.many_files != first->many_files;
  });
  return {first, last};
}

holding hold(const range& published, const difference& here) {
  const bool alike = std::abs(here.ratio - 1) <= same_here;
  if (!here.certain && !here.alike()) return holding::open;
  if (published.low >= 1 - same && published.high <= 1 + same) return alike ? holding::yes : holding::no;
  if (!here.certain) return holding::no;
  // Above 1 it says that the contender is faster, below 1 that its base is.
  const bool faster = published.low > 1;
  const double measured = faster ? here.ratio : 1 / here.ratio;
  if (measured < 1) return holding::reversed;
  if (measured > (faster ? published.high : 1 / published.low) * near) return holding::more;
  return measured < (faster ? published.low : 1 / published.high) / near ? holding::less : holding::yes;
}

std::vector<checked_figure> check_figures(const published_table& published, const task_report& table) {
  std::vector<checked_figure> checked;
  for (const published_figure& figure : published.figures) {
    const measurement* fast = line_of(table, figure.contender);
    const measurement* slow = line_of(table, figure.against.empty() ? published.base : figure.against);
    checked_figure& found = checked.emplace_back(
        checked_figure{&figure, fast, fast == nullptr ? 0 : published.unit.of(published, table, *fast),
                       published_times(published, figure)});
    if (fast == nullptr || slow == nullptr || fast == slow) continue;
    const difference here = compare(fast->result.samples, slow->result.samples);
    found.times_here = here.ratio;
    if (found.times.low > 0) found.how = hold(found.times, here);
  }
  return checked;
}

}  // namespace riffle::bench
