/// The published tables as made-up results print them, and a whole run on tiny inputs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "bench/host/temporary_directory.hpp"
#include "bench/inputs/inputs.hpp"
#include "bench/reproduce/published_table.hpp"
#include "bench/reproduce/reproduce.hpp"
#include "bench/reproduce/table_text.hpp"
#include "bench/show/in_words.hpp"
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

struct given_row {
  const char* id;  // "program/name"
  double seconds;
  double faults = 0;
};

task_report report_of(task which, const std::vector<given_row>& rows, std::uint64_t bytes = 100000000) {
  std::vector<contender> contenders;
  std::vector<result> results;
  for (const given_row& row : rows) {
    const std::string id = row.id;
    contenders.push_back(
        given::named(which, id.substr(0, id.find('/')).c_str(), id.substr(id.find('/') + 1).c_str(), "mmap"));
    results.push_back(given::took(row.seconds, row.faults));
  }
  return {.task = which,
          .input = "made",
          .files = 1,
          .bytes = bytes,
          .made = true,
          .lines = in_order(contenders, std::move(results), cache_mode::hot)};
}

const std::vector<given_row> walks{{"mapped/ifstream-read-8", 0.2},
                                   {"mapped/walk-as-published", 0.00001},
                                   {"mapped/walk-as-published-half", 0.00001},
                                   {"mapped/walk-kept", 0.05},
                                   {"mapped/mmap", 0.01, 100},
                                   {"riffle/automatic", 0.008, 110}};

// The lines without the breaks that wrapping put in.
std::string joined(std::string text) {
  for (std::size_t at = 0; (at = text.find("\n  ", at)) != std::string::npos;) text.replace(at, 3, " ");
  return text;
}

// As it is printed: "mapped_text" of a report.
std::string printed(table_text (*text)(const task_report&), const task_report& report) {
  return in_80_columns(text(report), report);
}

std::string judged_of(double published, double fast, double slow) {
  return judged(report_of(task::ints, {{"a/fast", fast}, {"a/slow", slow}}),
                {"A beats B", "a/fast", "a/slow", published, "A", "B"});
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

TEST(published_tables, have_contenders_for_all_their_rows) {
  for (const published_table& table : published_tables()) {
    std::vector<contender> all = contenders_of(table.task, {});
    add_walks(table.task, all);
    for (const std::string_view id : table.ids()) {
      EXPECT_TRUE(std::ranges::any_of(all, [&](const contender& one) { return one.id() == id; })) << id;
    }
  }
}

TEST(published_tables, fit_80_columns_with_and_without_results) {
  for (const published_table& table : published_tables()) {
    std::vector<given_row> rows;
    for (const std::string_view id : table.ids()) rows.push_back({id.data(), 123.456, 1e9});
    std::vector<given_row> quick;
    for (const std::string_view id : table.ids()) quick.push_back({id.data(), 1e-7, 1e5});
    for (const task_report& of : {report_of(table.task, rows, std::uint64_t{1} << 40U),
                                  report_of(table.task, quick, 4096), report_of(table.task, {})}) {
      std::istringstream lines(printed(table.text, of));
      for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
    }
  }
}

TEST(published_tables, show_daytons_seconds_and_what_an_optimiser_did) {
  EXPECT_EQ(printed(mapped_text, report_of(task::primes, walks)), R"(
mapped: 64-bit primes counted (Glen Dayton, "Memory Mapped Files", 2022)
Here: made, 95.4 MiB, in the page cache, filled by reading; medians of 20
  rounds.

 seconds                      published  scaled      here  GB/s page faults
 ifstream::read of 8 bytes        0.503   0.124     0.200 0.500           0
 mmap, walked as published      0.00550 0.00135 0.0000100 10000           0
   the same, half of the file                   0.0000100                 0
   the same, the loop kept                         0.0500  2.00           0
 mmap, every value summed                          0.0100  10.0         100
 riffle                                           0.00800  12.5         110

Published for 50,847,534 values; scaled to the 12,500,000 of this file. The
  published program neither unmaps nor closes the file; here both are timed. The
  loop is kept by a volatile pointer.
The published walk takes 10.0 us for the whole file and 10.0 us for half of it,
  and it causes 0 page faults: the compiler reduced the loop to one subtraction,
  and no byte is read.

The claim that walking a mapping is 92 times as fast as ifstream::read holds
  here by a smaller factor: the mapping with every value touched is 20.0 times
  as fast as ifstream::read, as ifstream::read takes 190 ms longer, 75 % of that
  in its own loop (page faults: 0 against 100).
)");
}

TEST(published_tables, say_so_where_the_published_walk_looks_at_the_file) {
  std::vector<given_row> kept = walks;
  kept[1] = {"mapped/walk-as-published", 0.02};
  EXPECT_THAT(joined(printed(mapped_text, report_of(task::primes, kept))),
              HasSubstr("20.0 ms for the whole file and 10.0 us for half of it, and it causes 0 page faults: "
                        "this build has kept the loop"));
}

TEST(published_tables, count_integers_as_lemires_program_does_and_in_truth) {
  task_report arrays = report_of(task::ints, {{"ioaccess/fread", 0.2}}, 4 * 513 * 10000);
  for (measurement& line : arrays.lines) line.result.answer = answer{10000, 0};
  // 5,120,000 integers in 0.2 s of the wall's time, and in as many of the processor's.
  EXPECT_THAT(printed(ioaccess_text, arrays), HasSubstr("124    154      27       2.56  2.56  25.6  25.6\n"));
}

TEST(published_tables, set_lines_beside_the_published_megabytes) {
  EXPECT_THAT(printed(nvwa_lines_text, report_of(task::lines, {{"nvwa/cin-unsynced-getline", 0.1}})),
              HasSubstr("cin, sync_with_stdio(false)  390 to 1100  1000\n"));
}

TEST(published_tables, set_bytes_beside_perl) {
  const std::string text =
      printed(nvwa_bytes_text, report_of(task::gc, {{"perl/perl-tr", 0.2}, {"nvwa/getc", 0.1}}));
  EXPECT_THAT(text, HasSubstr("0.5 (0.1 on macOS)  2.00       1000\n"));
  EXPECT_THAT(printed(nvwa_bytes_text, report_of(task::gc, {{"nvwa/getc", 0.1}})),
              HasSubstr("0.5 (0.1 on macOS)     -       1000\n"));
}

TEST(published_tables, scale_the_seconds_of_the_word_count_to_the_input) {
  task_report books = report_of(task::words, {{"wc_measurements/mmap", 0.25}}, 110000000);
  EXPECT_THAT(printed(wordcount_text, books),
              HasSubstr("mmap                             4.87   0.487  0.250        440"));
  books.files = 185;
  EXPECT_THAT(printed(wordcount_text, books),
              HasSubstr("mmap                            0.360   0.495  0.250        440"));
}

TEST(published_tables, say_how_many_counts_agree) {
  task_report words = report_of(task::words, {{"wc_measurements/mmap", 0.25}, {"wc_measurements/fgetc", 1}});
  EXPECT_THAT(joined(printed(wordcount_text, words)),
              HasSubstr("Contenders that count 42 words here: 2; another number: none."));
  words.lines.back().result.outcome = outcome::wrong;
  words.lines.back().result.reason = "gives count 43";
  EXPECT_THAT(joined(printed(wordcount_text, words)),
              AllOf(HasSubstr("Contenders that count 42 words here: 1; another number: 1."),
                    HasSubstr("wc_measurements/fgetc: gives count 43."), HasSubstr("wrong")));
}

TEST(published_tables, say_how_many_rounds_there_were) {
  task_report few = report_of(task::ints, {{"ioaccess/fread", 1}, {"ioaccess/mmap", 2}});
  const auto rounds = [&](std::size_t first, std::size_t second) {
    few.lines[0].seconds.samples = first;
    few.lines[1].seconds.samples = second;
    return joined(printed(ioaccess_text, few));
  };
  EXPECT_THAT(rounds(1, 1), HasSubstr("filled by reading; one round."));
  EXPECT_THAT(rounds(1, 3), HasSubstr("filled by reading; medians of 1 to 3 rounds."));
  EXPECT_THAT(joined(printed(ioaccess_text, report_of(task::ints, {}))),
              HasSubstr("filled by reading; nothing was measured."));
}

TEST(claims_in_words, hold_or_not_beyond_the_noise) {
  EXPECT_THAT(judged_of(2, 1, 2.2),
              StartsWith("The claim that A beats B holds here: A is 2.20 times as fast as B"));
  EXPECT_THAT(judged_of(2, 1, 9),
              StartsWith("The claim that A beats B holds here by a larger factor: A is 9.00 times"));
  EXPECT_THAT(judged_of(92, 1, 9), HasSubstr("holds here by a smaller factor: A is 9.00 times"));
  EXPECT_THAT(judged_of(2, 2, 1), HasSubstr("is reversed here: B is 2.00 times as fast as A, as A takes"));
  EXPECT_THAT(judged_of(0.5, 2, 1), HasSubstr("A beats B holds here: B is 2.00 times as fast as A"));
  EXPECT_THAT(judged_of(2, 1, 1),
              HasSubstr("does not hold here: A and B do not differ beyond the noise, as A spends "
                        "75 % of its time in its own loop and B 75 % of its time in its own loop."));
  EXPECT_THAT(judged_of(1.01, 1, 1), HasSubstr("holds here: A and B do not differ"));
  EXPECT_THAT(judged_of(1.01, 1, 2), HasSubstr("does not hold here: A is 2.00 times as fast as B"));
}

TEST(claims_in_words, stay_open_where_the_rounds_do_not_tell) {
  task_report few = report_of(task::ints, {{"a/fast", 1}, {"a/slow", 2}});
  for (measurement& line : few.lines) line.result.samples.resize(2);
  EXPECT_THAT(judged(few, {"A beats B", "a/fast", "a/slow", 2, "A", "B"}),
              HasSubstr("is undecided here: A is 2.00 times as fast as B, which is within the noise"));
}

TEST(claims_in_words, stay_open_where_too_few_rounds_saw_no_difference) {
  task_report few = report_of(task::ints, {{"a/fast", 1}, {"a/slow", 1}});
  for (measurement& line : few.lines) line.result.samples.resize(rounds_to_judge - 1);
  EXPECT_THAT(judged(few, {"A beats B", "a/fast", "a/slow", 1, "A", "B"}),
              HasSubstr("is undecided here: A is 1.00 times as fast as B, which is within the noise"));
}

TEST(claims_in_words, say_what_was_not_measured) {
  EXPECT_EQ(judged(report_of(task::ints, {{"a/fast", 1}}), {"A beats B", "a/fast", "a/slow", 2, "A", "B"}),
            "The claim that A beats B was not checked: B was not measured.");
}

TEST(claims_in_words, say_where_the_slower_one_spends_its_time) {
  // given::took() has three quarters of the time in the loop.
  EXPECT_THAT(judged_of(2, 1, 2), HasSubstr("as B takes 1.00 s longer, 75 % of that in its own loop."));
  task_report copies = report_of(task::ints, {{"a/fast", 1, 1030}, {"a/slow", 2, 8}});
  for (measurement& line : copies.lines) {
    for (sample& one : line.result.samples) std::swap(one.usage.user_seconds, one.usage.system_seconds);
  }
  const worded_claim claim{"A beats B", "a/fast", "a/slow", 2, "A", "B"};
  EXPECT_THAT(
      judged(copies, claim),
      HasSubstr("75 % of that in the OS kernel, which copies the bytes (page faults: 8 against 1,030)"));
  EXPECT_THAT(judged(copies, {"A beats B", "a/fast", "a/slow", 2, "A", "mmap"}),
              HasSubstr("75 % of that in the OS kernel, for the mapping (page faults: 8 against 1,030)"));
  std::swap(copies.lines.front().usage.minor_faults, copies.lines.back().usage.minor_faults);
  EXPECT_THAT(judged(copies, claim),
              HasSubstr("75 % of that in the OS kernel, for page faults (page faults: 1,030 against 8)"));
}

TEST(figures, have_three_digits_that_matter) {
  EXPECT_EQ(three_figures(1240.4), "1240");
  EXPECT_EQ(three_figures(12.44), "12.4");
  EXPECT_EQ(three_figures(0.01244), "0.0124");
  EXPECT_EQ(three_figures(0), "0");
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
  for (const char* heading : {"nvwa, bytes:", "nvwa, lines:", "ioaccess:", "mapped:",
                              "wc_measurements: words counted, one large", "words counted, many small"}) {
    EXPECT_THAT(out_.str(), HasSubstr(heading));
  }
  EXPECT_THAT(out_.str(), HasSubstr("in 185 files"));
}

TEST_F(reproducing, prints_only_the_programs_asked_for) {
  EXPECT_THAT(run({"ioaccess"}), IsEmpty());
  EXPECT_THAT(out_.str(), AllOf(HasSubstr("ioaccess:"), Not(HasSubstr("nvwa")), Not(HasSubstr("mapped:"))));
}

TEST_F(reproducing, refuses_a_program_it_does_not_know) {
  EXPECT_THROW(run({"ioaccess", "iozone"}), std::invalid_argument);
  EXPECT_EQ(out_.str(), "");
  EXPECT_THAT(published_programs(), ElementsAre("nvwa", "ioaccess", "mapped", "wc_measurements"));
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
  EXPECT_THAT(out_.str(), HasSubstr("wrong"));
}

TEST_F(reproducing, stops_when_interrupted) {
  unsigned asked = 0;
  outside_.rounds.interrupted = [&] { return ++asked > 5; };
  run({});
  EXPECT_THAT(out_.str(), AllOf(HasSubstr("nvwa, bytes:"), Not(HasSubstr("wc_measurements:"))));
  // A table that was cut short says so in place of its claims, and those that are missing are named.
  EXPECT_THAT(joined(out_.str()),
              AllOf(HasSubstr("\nINCOMPLETE: interrupted in this table; its claims are not judged.\n"),
                    Not(HasSubstr("The claim that")),
                    HasSubstr("\nINCOMPLETE: interrupted; not measured: nvwa, lines; ioaccess; mapped; "
                              "wc_measurements, one file; wc_measurements, 185 files.\n")));
}

TEST_F(reproducing, says_where_and_what_may_be_wrong) {
  outside_.facts = [](const std::filesystem::path&) {
    return machine{
        .processor = "Example Processor", .processors = 2, .processors_online = 2, .governor = "powersave"};
  };
  outside_.conditions = [seconds = 0.0]() mutable {
    seconds += 100;
    return conditions{.load = 2, .stolen_seconds = seconds / 10, .seconds = seconds};
  };
  run({"mapped"});
  EXPECT_THAT(out_.str(), StartsWith("processor Example Processor, 2 processors"));
  EXPECT_THAT(joined(out_.str()),
              AllOf(HasSubstr("\nwarning: The machine was busy: its load was 2.0 on 2 processors"),
                    HasSubstr("\nwarning: The host gave 5.0 % of this machine's time"),
                    HasSubstr("\nwarning: The processor may change its frequency")));
  EXPECT_THAT(out_.str(), Not(HasSubstr("mapped/walk-as-published-half varied")));
}

TEST_F(reproducing, tells_what_runs) {
  std::vector<std::string> told;
  outside_.progress = [&](std::string_view line) { told.emplace_back(line); };
  run({"mapped"});
  EXPECT_THAT(told, testing::Contains(HasSubstr(": round 0: mapped/mmap; ")));
  EXPECT_EQ(told.back(), "");
}

}  // namespace riffle::bench
