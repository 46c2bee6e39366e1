/// The published tables as made-up results print them, and a whole run on tiny inputs.
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <list>
#include <sstream>

#include "bench/host/temporary_directory.hpp"
#include "bench/inputs/inputs.hpp"
#include "bench/reproduce/reproduce.hpp"
#include "tests/support/given_report.hpp"

namespace riffle::bench {

namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

/// Without the method, which is mmap.
struct given_row {
  const char* program;
  const char* name;
  double seconds;
  double faults = 0;
};

task_report report_of(task which, const std::vector<given_row>& rows, std::uint64_t bytes = 100000000) {
  std::vector<given::entry> entries;
  for (const given_row& row : rows)
    entries.push_back({row.program, row.name, "mmap", row.seconds, row.faults});
  return given::on("made", given::race(which, entries, cache_mode::hot, bytes));
}

const std::vector<given_row> walks{{"mapped", "ifstream-read-8", 0.2},
                                   {"mapped", "walk-as-published", 0.00001},
                                   {"mapped", "walk-as-published-half", 0.00001},
                                   {"mapped", "walk-kept", 0.05},
                                   {"mapped", "mmap", 0.01, 100},
                                   {"riffle", "automatic", 0.008, 110}};

// The lines without the breaks that wrapping put in.
std::string joined(std::string text) {
  for (std::size_t at = 0; (at = text.find("\n  ", at)) != std::string::npos;) text.replace(at, 3, " ");
  return text;
}

// The table of that name as it is printed.
std::string printed(std::string_view name, const task_report& report) {
  return published_text(*std::ranges::find(published_tables(), name, &published_table::name), report, true);
}

/// A run on tiny inputs by a clock that goes on by a second whenever it is asked.
class reproducing : public testing::Test {
 protected:
  std::vector<std::string> run(std::vector<std::string> programs) {
    return reproduce({.programs = std::move(programs), .size = 40000, .budget = 20}, outside_, out_);
  }

  std::int64_t now_ = 0;
  reproduce_surroundings outside_{
      {.rounds = {.now = [this] { return now_ += 1000000000; }, .used = [] { return usage{}; }}}};
  std::ostringstream out_;
};

}  // namespace

TEST(published_tables, fit_80_columns_with_and_without_results) {
  for (const published_table& table : published_tables()) {
    std::list<std::string> programs;
    std::vector<given_row> slow;
    std::vector<given_row> quick;
    for (const published_figure& figure : table.figures) {
      const char* const name = std::ranges::find(figure.contender, '/') + 1;
      const char* const program = programs.emplace_back(figure.contender.data(), name - 1).c_str();
      slow.push_back({program, name, 123.456 * static_cast<double>(slow.size() + 1), 1e9});
      quick.push_back({program, name, 1e-7, 1e5});
    }
    for (const task_report& of : {report_of(table.task, slow, std::uint64_t{1} << 40U),
                                  report_of(table.task, quick, 4096), report_of(table.task, {})}) {
      std::istringstream lines(published_text(table, of, true));
      for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
    }
  }
}

TEST(published_tables, show_published_here_whether_it_holds_and_why_not) {
  EXPECT_EQ(printed("mapped", report_of(task::primes, walks)), R"(
mapped: 64-bit primes counted ("Memory Mapped Files"); Glen Dayton, 2022
Here: made, 95.4 MiB, in the page cache, filled by reading; medians of 20
  rounds.

  seconds                       published       here  x ifstream   here  holds
  ifstream::read of 8 bytes         0.503      0.814
  mmap, walked as published       0.00550  0.0000407        91.5  20000  by more
    the same, half of the file             0.0000407              20000
    the same, the loop kept                    0.203               4.00
  mmap, every value summed                    0.0407        92.0   20.0  by less
  riffle                                      0.0325               25.0

mmap, walked as published: ifstream-read-8 takes 200 ms longer, 75 % of that in
  its own loop.
mmap, every value summed: ifstream-read-8 takes 190 ms longer, 75 % of that in
  its own loop (page faults: 0 against 100).
Seconds for 50,847,534 values. The published program neither unmaps nor closes
  the file; here both are timed. The loop is kept by a volatile pointer.
The published walk takes 10.0 us for the whole file and 10.0 us for half of it,
  with 0 page faults: the compiler removed the loop, and no byte is read.
)");
  std::vector<given_row> kept = walks;
  kept[1] = {"mapped", "walk-as-published", 0.02};
  EXPECT_THAT(joined(printed("mapped", report_of(task::primes, kept))),
              HasSubstr("this build has kept the loop"));
}

TEST(published_tables, give_figures_in_the_authors_units) {
  task_report arrays = report_of(task::ints, {{"ioaccess", "fread", 0.2}}, 4 * 513 * 10000);
  for (measurement& line : arrays.lines) line.result.answer = answer{10000, 0};
  // 5,120,000 integers in 0.2 s of the processor's time, divided by ten.
  EXPECT_THAT(printed("ioaccess", arrays), HasSubstr("fread                         124  2.56\n"));
  EXPECT_THAT(printed("nvwa, lines", report_of(task::lines, {{"nvwa", "cin-unsynced-getline", 0.1},
                                                             {"nvwa", "cin-synced-getline", 2}})),
              HasSubstr("cin, not synchronised  390 to 1100  1000  13.9 to 39.3  20.0  yes\n"));
  task_report books = report_of(task::words, {{"wc_measurements", "mmap", 0.25}}, 110000000);
  EXPECT_THAT(printed("wc_measurements, one file", books),
              HasSubstr("mmap                             4.87  2.50"));
  books.lines.back().result.outcome = outcome::wrong;
  books.lines.back().result.reason = "gives count 43";
  EXPECT_THAT(printed("wc_measurements, one file", books),
              AllOf(HasSubstr("mmap                             4.87  wrong"),
                    HasSubstr("\nwc_measurements/mmap: gives count 43.\n")));
}

TEST(published_tables, say_how_many_rounds_there_were) {
  task_report few = report_of(task::ints, {{"ioaccess", "fread", 1}, {"ioaccess", "mmap", 2}});
  few.lines[0].seconds.samples = 1;
  EXPECT_THAT(joined(printed("ioaccess", few)), HasSubstr("filled by reading; medians of 1 to 20 rounds."));
  few.lines[1].seconds.samples = 1;
  EXPECT_THAT(joined(printed("ioaccess", few)), HasSubstr("filled by reading; one round."));
  EXPECT_THAT(joined(printed("ioaccess", report_of(task::ints, {}))),
              HasSubstr("filled by reading; nothing was measured."));
}

TEST(walks_as_published, have_no_answer_and_no_place_in_the_race) {
  const temporary_directory directory;
  const std::filesystem::path file = directory.path() / "primes";
  std::ofstream(file, std::ios::binary) << std::string(80000, 'p');
  std::vector<contender> all;
  add_walks(task::primes, all);
  ASSERT_THAT(all, SizeIs(3));
  for (const contender& one : all) EXPECT_FALSE(one.run(std::vector{file}).has_value()) << one.id();
  for (const contender& one : contenders_of(task::primes, {})) EXPECT_THAT(one.id(), Not(HasSubstr("walk")));
  all.clear();
  add_walks(task::gc, all);
  EXPECT_THAT(all, IsEmpty());
}

TEST_F(reproducing, prints_every_table_of_every_program) {
  EXPECT_THAT(run({}), IsEmpty());
  for (const char* heading : {"nvwa, bytes:", "nvwa, lines:", "ioaccess:", "mapped:", "ioaccess, Ryzen:",
                              "wc_measurements, one file:", "wc_measurements, 185 files:", "bitflux:"}) {
    EXPECT_THAT(out_.str(), HasSubstr(heading));
  }
  EXPECT_THAT(out_.str(), HasSubstr("in 185 files"));
}

TEST_F(reproducing, refuses_a_program_it_does_not_know) {
  EXPECT_THROW(run({"ioaccess", "iozone"}), std::invalid_argument);
  EXPECT_EQ(out_.str(), "");
  EXPECT_THAT(published_programs(), ElementsAre("nvwa", "ioaccess", "mapped", "wc_measurements", "bitflux"));
}

TEST_F(reproducing, names_a_contender_that_gives_a_wrong_answer) {
  outside_.contenders = [](task which, const contender_options& options) {
    std::vector<contender> all = contenders_of(which, options);
    for (contender& one : all) {
      if (one.id() == "ioaccess/mmap") one.run = [](input_files) { return answer{1, 2}; };
    }
    return all;
  };
  EXPECT_THAT(run({"ioaccess"}), ElementsAre(HasSubstr(": ioaccess/mmap gives count 1, sum 2, but")));
  EXPECT_THAT(out_.str(), AllOf(HasSubstr("wrong"), HasSubstr("ioaccess:"), Not(HasSubstr("nvwa"))));
}

TEST_F(reproducing, stops_when_interrupted) {
  unsigned asked = 0;
  outside_.rounds.interrupted = [&] { return ++asked > 5; };
  run({});
  EXPECT_THAT(out_.str(), AllOf(HasSubstr("nvwa, bytes:"), Not(HasSubstr("wc_measurements:"))));
  // A table that was cut short says so in place of its claims, and those that are missing are named.
  EXPECT_THAT(joined(out_.str()),
              AllOf(HasSubstr("\nINCOMPLETE: interrupted in this table; nothing is judged.\n"),
                    Not(HasSubstr("  yes\n")),
                    HasSubstr("\nINCOMPLETE: interrupted; not measured: nvwa, lines; ioaccess; mapped; "
                              "wc_measurements, one file; wc_measurements, 185 files; bitflux.\n")));
}

TEST_F(reproducing, says_where_what_runs_and_what_may_be_wrong) {
  outside_.facts = [](const std::filesystem::path&) {
    return machine{
        .processor = "Example Processor", .processors = 2, .processors_online = 2, .governor = "powersave"};
  };
  outside_.load = [] { return 2.0; };
  outside_.stolen_seconds = [this] { return static_cast<double>(now_) * 1e-10; };
  std::vector<std::string> told;
  outside_.progress = [&](std::string_view line) { told.emplace_back(line); };
  run({"mapped"});
  EXPECT_THAT(told, testing::Contains(HasSubstr(": round 0: mapped/mmap; ")));
  EXPECT_EQ(told.back(), "");
  EXPECT_THAT(out_.str(), StartsWith("processor Example Processor, 2 processors"));
  EXPECT_THAT(joined(out_.str()),
              AllOf(HasSubstr("\nwarning: The machine was busy: its load was 2.0 on 2 processors"),
                    HasSubstr("\nwarning: The host gave 5.0 % of this machine's time"),
                    HasSubstr("\nwarning: The processor may change its frequency")));
  EXPECT_THAT(out_.str(), Not(HasSubstr("mapped/walk-as-published-half varied")));
}

}  // namespace riffle::bench
