/// The published figures of four programs, each as the ratio of two contenders, to set beside the same two
/// here. docs/prior-art.md gives the sources.
#include "bench/judge/claims.hpp"

#include <algorithm>

#include "bench/stats/samples.hpp"

namespace riffle::bench {

namespace {

constexpr std::string_view lemire = "Daniel Lemire";
constexpr std::string_view lemires_reader = "a reader of Daniel Lemire's";
constexpr std::string_view wu = "Wu Yongwei";
constexpr std::string_view brown = "Thomas Brown";
constexpr std::string_view ryzen = "AMD Ryzen 5950X";
constexpr std::string_view jetson = "Jetson Xavier";

// The six contenders of program 4, and wc, which it compares them to.
constexpr std::string_view wc = "wc/wc -w";
constexpr std::string_view fgetc = "wc_measurements/fgetc";
constexpr std::string_view fread = "wc_measurements/fread-whole-file";
constexpr std::string_view extraction = "wc_measurements/ifstream>>char";
constexpr std::string_view ifstream_read = "wc_measurements/ifstream-read-whole-file";
constexpr std::string_view mmap = "wc_measurements/mmap";
constexpr std::string_view read = "wc_measurements/read-whole-file";

constexpr claim all_claims[] = {
    // Millions of integers a second, of CPU time: read 70, fread 124, ifstream 124, mmap 125.
    {2012, lemire, task::ints, "ioaccess/read-two-calls", "ioaccess/fread", 70.0 / 124},
    {2012, lemire, task::ints, "ioaccess/ifstream-read", "ioaccess/fread", 124.0 / 124},
    {2012, lemire, task::ints, "ioaccess/mmap", "ioaccess/fread", 125.0 / 124},
    // Milliseconds over 1.1 GB: wc 6137, fgetc 64491.6, fread 4897.14, >> 18437.2, ifstream::read 10479.3,
    // mmap 4867.94, read 5370.17.
    {2015, brown, task::words, fgetc, wc, 6137 / 64491.6},
    {2015, brown, task::words, fread, wc, 6137 / 4897.14},
    {2015, brown, task::words, extraction, wc, 6137 / 18437.2},
    {2015, brown, task::words, ifstream_read, wc, 6137 / 10479.3},
    {2015, brown, task::words, mmap, wc, 6137 / 4867.94},
    {2015, brown, task::words, read, wc, 6137 / 5370.17},
    {2015, brown, task::words, mmap, fread, 4897.14 / 4867.94},
    // The same over 185 files: 480, 5608.48, 330.045, 1377.39, 752.428, 360.238, 363.41.
    {2015, brown, task::words, fgetc, wc, 480 / 5608.48, {}, true},
    {2015, brown, task::words, fread, wc, 480 / 330.045, {}, true},
    {2015, brown, task::words, extraction, wc, 480 / 1377.39, {}, true},
    {2015, brown, task::words, ifstream_read, wc, 480 / 752.428, {}, true},
    {2015, brown, task::words, mmap, wc, 480 / 360.238, {}, true},
    {2015, brown, task::words, read, wc, 480 / 363.41, {}, true},
    {2015, brown, task::words, mmap, fread, 330.045 / 360.238, {}, true},
    // MB/s: std::cin 28, or 390 to 1100 after sync_with_stdio(false); FILE* 430 to 550; mmap 600 to 650.
    {2016, wu, task::lines, "nvwa/cin-unsynced-getline", "nvwa/cin-synced-getline", 390.0 / 28,
     "his slowest machine"},
    {2016, wu, task::lines, "nvwa/cin-unsynced-getline", "nvwa/cin-synced-getline", 1100.0 / 28,
     "his fastest machine"},
    {2016, wu, task::lines, "nvwa/fgets", "nvwa/cin-synced-getline", 430.0 / 28, "macOS"},
    {2016, wu, task::lines, "nvwa/mmap-lines-copied", "nvwa/cin-synced-getline", 600.0 / 28, "macOS"},
    // "About two times as slow on Linux", of C's getc and Perl's tr; mmap_line_reader "on par with the Perl
    // code"; mmap_char_reader as fast as the hand-written loop over a mapping.
    {2017, wu, task::gc, "nvwa/getc", "perl/perl-tr", 0.5, "Linux"},
    {2017, wu, task::gc, "nvwa/mmap-lines-copied", "perl/perl-tr", 1},
    {2017, wu, task::gc, "nvwa/mmap-char-reader", "nvwa/mmap-compares", 1},
    // 0.503402 and 0.0055 seconds. The mapped loop reads nothing; ours touches every value.
    {2022, "Glen Dayton", task::primes, "mapped/mmap", "mapped/ifstream-read-8", 92},
    // By then the program mapped with MAP_POPULATE: fread 154, read 62, mmap 388, ifstream 172;
    // fread 27, mmap 199.
    {2024, lemires_reader, task::ints, "ioaccess/read-two-calls", "ioaccess/fread", 62.0 / 154, ryzen},
    {2024, lemires_reader, task::ints, "ioaccess/ifstream-read", "ioaccess/fread", 172.0 / 154, ryzen},
    {2024, lemires_reader, task::ints, "ioaccess/mmap-populate", "ioaccess/fread", 388.0 / 154, ryzen},
    {2024, lemires_reader, task::ints, "ioaccess/mmap-populate", "ioaccess/fread", 199.0 / 27, jetson},
};

}  // namespace

std::span<const claim> claims() {
  return all_claims;
}

difference times_as_fast(const measurement& fast, const measurement& slow) {
  return compare(fast.result.samples, slow.result.samples);
}

const measurement* measured_line(const task_report& table, std::string_view id) {
  const auto found = std::ranges::find_if(table.lines, [&](const measurement& line) {
    return line.measured() && line.threads == 1 && line.program + "/" + line.name == id;
  });
  return found == table.lines.end() ? nullptr : &*found;
}

std::vector<checked_claim> check_claims(const task_report& table) {
  std::vector<checked_claim> checked;
  for (const claim& each : all_claims) {
    if (each.task != table.task || each.many_files != (table.files > 1)) continue;
    const measurement* const fast = measured_line(table, each.contender);
    const measurement* const slow = measured_line(table, each.against);
    if (fast == nullptr || slow == nullptr) continue;
    checked.push_back({&each, times_as_fast(*fast, *slow)});
  }
  return checked;
}

}  // namespace riffle::bench
