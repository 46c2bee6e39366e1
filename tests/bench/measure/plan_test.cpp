/// Options and JSON become tables, once, and what they lack is said before anything is measured.
#include "bench/measure/run.hpp"

#include <fmt/core.h>

#include <set>

#include "bench/inputs/inputs.hpp"
#include "tests/support/support.hpp"

namespace riffle::bench {

namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::uint64_t mib = 1 << 20;
constexpr cache_mode hot = cache_mode::hot;
constexpr cache_mode cold = cache_mode::cold;

/// "hot gc: scan read uring x2; cold gc: ...": the contenders of each table that are named, or all.
std::string tables_of(const bench_plan& plan, const std::set<std::string>& named = {}) {
  std::string all;
  for (const planned_table& table : plan.tables) {
    all += (all.empty() ? "" : "; ") + std::string(name_of(table.cache)) + ' ' +
           std::string(name_of(table.task)) + ':';
    for (const contender& one : table.contenders) {
      if (named.empty() || named.contains(one.name))
        all += ' ' + label_of(one.name, one.role, one.block_size, one.threads);
    }
  }
  return all;
}

template <class Plan>
std::string said_of(Plan plan) {
  try {
    plan();
  } catch (const std::exception& failure) {
    return failure.what();
  }
  return "a plan";
}

std::string with_table(const std::string& fields) {
  return R"({"tables":[{"name":"n","title":"t",)" + fields + "}]}";
}

std::string with_contender(const std::string& fields) {
  return with_table(R"("contenders":[{)" + fields + "}]");
}

const std::string named = R"("name":"c","command":["true"],)";

}  // namespace

TEST(plan, has_a_table_for_each_task_input_and_state_of_the_cache_with_the_contenders_that_can_do_it) {
  const test::temporary_file text("text\n");
  struct planned {
    bench_options options;
    std::set<std::string> named;
    const char* said;
  };
  // clang-format off
  for (const planned& each : std::vector<planned>{
           {{.contenders = {"automatic"}}, {"automatic"},
            "hot gc: automatic; hot lines: automatic; hot words: automatic; hot words: automatic; "
            "hot ints: automatic; hot primes: automatic"},
           {{.files = {text.path()}, .contenders = {"automatic"}}, {"automatic"},
            "hot gc: automatic; hot lines: automatic; hot words: automatic"},
           // Contenders of cold tables start threads, which slow getc down for good.
           {{.tasks = {task::gc}, .sizes = {65536, 131072}, .caches = {hot, cold}, .contenders = {"riffle/read", "getc"}}, {},
            "hot gc: scan copy device read getc; hot gc: scan copy device read getc; "
            "cold gc: scan copy device read getc; cold gc: scan copy device read getc"},
           {{.contenders = {"perl/perl-tr"}}, {"perl-tr"}, "hot gc: perl-tr"},  // only gc has that one
           {{.tasks = {task::gc}, .caches = {hot, cold}, .contenders = {"uring-*", "read"}}, {"uring-128", "read"},
            "hot gc: read; cold gc: read uring-128"},
           {{.tasks = {task::lines}, .caches = {cold}, .contenders = {"readahead/*"}}, {"sequential"}, "cold lines: sequential"},
           {{.tasks = {task::gc}, .contenders = {"riffle/read"}, .varied = {.threads = {2}}}, {"read"}, "hot gc: read x2"},
           {{.tasks = {task::words}, .caches = {cold}, .contenders = {"riffle/read"}, .storage = slow_storage{.program = "x", .latency = 1, .served = 1}},
            {"read"}, "cold words: read"},  // the other input is many files
           {{.tasks = {task::words}, .sizes = {4096}, .contenders = {"riffle/read"}}, {"read"}, "hot words: read"}})  // no small files
    EXPECT_EQ(tables_of(make_plan(each.options), each.named), each.said);
  // clang-format on
  const bench_plan sweep = make_plan({.tasks = {task::words}, .sizes = {65536, 131072}});
  EXPECT_EQ(sweep.tables.at(1).which, 1U);
  EXPECT_EQ(sweep.tables.at(2).size, 131072U);
  EXPECT_EQ(make_plan({.files = {text.path()}}).tables.at(0).given->bytes, 5U);
  for (const task which : all_tasks) {
    for (std::size_t input = 0; input != inputs_made(which); ++input) {
      const test::temporary_directory directory;
      EXPECT_GT(make_inputs(which, least_size(which, input), directory.path()).at(input).bytes, 0U)
          << name_of(which) << ' ' << input;
    }
  }
}

TEST(plan, refuses_what_it_cannot_use_and_names_it) {
  const test::temporary_file text("not arrays");
  const test::temporary_file empty;
  const std::vector<std::pair<bench_options, const char*>> rows{
      {{.files = {"/none"}}, "none': No such file"},
      {{.files = {text.path().parent_path()}}, "Is a directory"},
      {{.files = {empty.path()}}, "file': it is empty"},
      {{.files = {text.path()}, .tasks = {task::ints}}, "file' at byte 0: the task ints needs"},
      {{.files = {text.path()}, .tasks = {task::primes}}, "not a multiple of 8 bytes"},
      {{.contenders = {"nonesuch*"}}, "no contender matches 'nonesuch*'"},
      {{.contenders = {"scan", "limit/*"}}, "'scan,limit/*' matches limits only"},
      {{.contenders = {"readahead/*"}}, "'readahead/*' reads no cached file; use --cache cold"},
      {{.tasks = {task::ints}, .contenders = {"riffle/*"}, .varied = {.threads = {2}}},
       "no contender matches 'riffle/*' with so many threads; use --threads 1"},
      {{.tasks = {task::gc}, .sizes = {1}}, "use a larger --size"},
      {{.files = {text.path()}, .sizes = {4096}}, "--size applies to generated inputs only"}};
  for (const auto& [options, says] : rows)
    EXPECT_THAT(said_of([&, &given = options] { make_plan(given); }), HasSubstr(says));
}

TEST(plan, shares_the_time_by_the_tables_shares) {
  const bench_plan plan{.tables = {{.share = 1}, {.cache = cold, .share = 3}}, .rounds = 7, .seed = 5};
  EXPECT_DOUBLE_EQ(rounds_of(plan, 0, 100).budget, 25);
  EXPECT_GT(rounds_of(plan, 0, 60).shortest, 0);
  const round_options last = rounds_of(plan, 1, 60);
  EXPECT_DOUBLE_EQ(last.budget, 60);
  EXPECT_EQ(last.seed, 6U);
  EXPECT_EQ(last.rounds, 7U);
  EXPECT_EQ(last.shortest, 0);
}

TEST(plan, generates_each_input_once_and_removes_the_one_before) {
  const test::temporary_directory directory;
  const bench_plan plan =
      make_plan({.tasks = {task::gc, task::lines}, .sizes = {4096}, .caches = {hot, cache_mode::written}});
  planned_inputs inputs(directory.path());
  EXPECT_FALSE(inputs.is_ready(plan.tables.at(0)));
  const std::filesystem::path genome = inputs.of(plan.tables.at(0)).files.front();
  EXPECT_TRUE(inputs.is_ready(plan.tables.at(1)));
  EXPECT_EQ(inputs.of(plan.tables.at(1)).files.front(), genome);
  EXPECT_FALSE(inputs.is_ready(plan.tables.at(2)));
  EXPECT_EQ(inputs.of(plan.tables.at(2)).name, "text");
  EXPECT_FALSE(std::filesystem::exists(genome));
}

TEST(plan, is_listed_with_the_origin_of_every_contender) {
  const std::string list = list_of_contenders(make_plan({.tasks = {task::gc}}));
  for (const char* has : {"gc: count c, C, g and G\n", "nvwa/getc ", "Wu Yongwei, 2016 and 2017"})
    EXPECT_THAT(list, HasSubstr(has));
  EXPECT_THAT(list, Not(HasSubstr("lines:")));
  EXPECT_THAT(list_of_contenders(make_plan({.contenders = {"perl/perl-tr"}})), Not(HasSubstr("nvwa")));
  for (const task which : all_tasks) {
    for (const contender& one : contenders_of(which, {}))
      EXPECT_FALSE(origin_of(one.program).empty()) << one.id();
  }
}

// Other block sizes matter only if the file has several blocks.
TEST(advice, tries_automatic_first_then_each_method_and_the_block_sizes_that_matter_at_the_size) {
  const test::temporary_file file("a\n");
  const auto planned = [&](std::uint64_t size, bool fault_guard, const std::set<std::string>& names) {
    facts known{.size = size};
    known.fault_guard = fault_guard;
    return tables_of(plan_advice(file.path(), known, hot, {}), names);
  };
  for (const auto& [size, said] :
       {std::pair(64U << 10, "read mmap"), std::pair(100U << 10, "read read 64K mmap"),
        std::pair(2U << 20, "read read 64K read 1M mmap mmap 1M"),
        std::pair(10U << 20, "read read 64K read 1M mmap mmap 1M mmap 16M")})
    EXPECT_EQ(planned(size, true, {"read", "mmap"}), std::string("hot lines: ") + said);
  EXPECT_THAT(planned(64 * mib, true, {}), testing::StartsWith("hot lines: automatic "));
  EXPECT_THAT(planned(64 * mib, false, {}), Not(HasSubstr("mmap")));
  for (const method_info& info : methods()) {
    if (info.unavailable()) continue;
    EXPECT_THAT(planned(64 * mib, true, {}), HasSubstr(" " + std::string(info.name)));
  }
  for (const auto& [path, refused] :
       {std::pair(file.path(), false), std::pair(test::temporary_file().path(), true),
        std::pair(std::filesystem::path(test::null_device), true)}) {
    const auto failure = test::error_of([&, path = path] { plan_advice(path, {}, hot, {}); });
    EXPECT_EQ(failure.has_value(), refused) << path;
  }
}

TEST(advice, has_contenders_that_agree_on_no_more_than_the_start_of_a_long_file) {
  const test::temporary_file file(test::numbered_lines(30000));
  file.resize(most_measured + 5 * mib);
  bench_plan plan = plan_advice(file.path(), examine(file.path()), hot, 0.01);
  EXPECT_EQ(plan.tables.at(0).given->bytes, most_measured);
  plan.rounds = 1;
  const report all = run_bench(plan, {});
  ASSERT_EQ(all.tasks.size(), 1U) << all.stopped_by;
  for (const measurement& line : all.tasks.at(0).lines) {
    if (line.method == "direct" && !line.measured()) continue;  // not on every file system
    EXPECT_EQ(line.result.answer, (answer{30000, most_measured})) << line.label << line.result.reason;
  }
}

TEST(advice, without_a_file_measures_the_limits_alone) {
  bench_plan plan = plan_limits();
  plan.tables.at(0).size = mib;
  plan.rounds = 1;
  const report all = run_bench(plan, {});
  EXPECT_TRUE(all.complete) << all.stopped_by;
  EXPECT_TRUE(std::ranges::all_of(all.tasks.at(0).lines, &measurement::is_limit));
  // What no machine of these years is below or above.
  for (const std::optional<double>& memory : {all.limits.ram_scan, all.limits.ram_copy})
    EXPECT_TRUE(memory.value() > 1e6 && *memory < 1e13) << *memory;
}

TEST(plans_of_json, say_everything_of_a_table) {
  const test::temporary_file file("some text\n");
  const bench_plan plan = plan_of_json(fmt::format(
      R"({{"title":"all","rounds":7,"seconds":9.5,"tables":[{{"name":"n","title":"count","files":["{}"],
          "evict":["/dev/x"],"bytes":99,"cache":"written","share":2,"pause":0.1,"contenders":[
          {{"name":"own","ours":true,"threads":2,"command":["true","x"],"directory":"/","environment":{{"A b":"é"}}}},
          {{"name":"line","command":"true | cat","answer":[0,2],"wanted":1.5}},
          {{"name":"stays","worker":["python3"],"answer":"none"}},
          {{"name":"part","limit":true,"command":["true"],"answer":"none"}},
          {{"name":"gone","missing":"--peer gone=PATH"}}]}}]}})",
      file.path().string()));
  const planned_table& table = plan.tables.at(0);
  EXPECT_EQ(fmt::format("{} {} {} {} {} {}", plan.title, plan.rounds, plan.budget, table.name, table.title,
                        table.base),
            "all 7 9.5 n count own x2");
  EXPECT_FALSE(rounds_of(plan, 0, 1).stop_at_failure);
  EXPECT_EQ(fmt::format("{} {} {} {} {} {}", table.given->bytes, table.bytes.value(), name_of(table.cache),
                        table.left_as_written, table.evicted_too.front().string(), table.share + table.pause),
            "10 99 written true /dev/x 2.1");
  std::string contenders;
  for (const contender& each : table.contenders) contenders += each.id() + ' ';
  EXPECT_EQ(contenders, "riffle/own peer/line peer/stays limit/part peer/gone ");
  EXPECT_EQ(table.contenders[0].role, role::riffle);
  EXPECT_EQ(table.contenders[1].role, role::published);
  EXPECT_EQ(table.contenders[1].wanted, 1.5);
  EXPECT_EQ(table.contenders[3].role, role::limit);
  EXPECT_EQ(table.contenders[4].unavailable({}), "--peer gone=PATH");
}

TEST(plans_of_json, name_the_field_that_is_wrong) {
  const std::string contender = with_contender(R"("name":"c","command":["true"])");
  // clang-format off
  const std::vector<std::pair<std::string, const char*>> rows{
      {contender, "a plan"},
      {"", "the plan must be JSON"},
      {"{\"title\":\"\xff\"}", "the plan must be JSON"},
      {"[]", "the plan must be an object"},
      {"{}", "tables must be an array of one or more tables"},
      {R"({"tables":[]})", "tables must be an array of one or more tables"},
      {R"({"tables":[3]})", "tables[0] must be an object"},
      {R"({"title":3})", "title must be a text"},
      {R"({"title":)" + std::string(100000, '[') + std::string(100000, ']') + "}", "title must be a text"},
      {R"({"rounds":0})", "rounds must be a whole number from 1 to 100000"},
      {R"({"rounds":1.5})", "rounds must be a whole number"},
      {R"({"rounds":1e99})", "rounds must be a whole number"},
      {R"({"seconds":"9"})", "seconds must be a number from 0.001 to"},
      {R"({"seconds":1e999})", "the plan must be JSON"},
      {contender.substr(0, contender.size() - 1) + R"(,"seed":3})", "seed is no field of a plan"},
      {R"({"tables":[{}]})", "tables[0].name must be a text"},
      {with_table(R"("contenders":[])"), "tables[0].contenders must be an array of one or more contenders"},
      {with_table(R"("cache":"warm")"), R"(tables[0].cache must be "hot", "written" or "cold")"},
      {with_table(R"("files":"x")"), "tables[0].files must be an array of one or more texts"},
      {with_table(R"("files":["/no/such"])"), "'/no/such': No such file"},
      {with_table(R"("bytes":-1)"), "tables[0].bytes must be a whole number"},
      {with_table(R"("share":0)"), "tables[0].share must be a number from"},
      {with_table(R"("pause":-1)"), "tables[0].pause must be a number from 0"},
      {with_table(R"("contenders":[{"name":"c","missing":"x"}],"limit":1)"), "tables[0].limit is no field"},
      {with_contender(""), "tables[0].contenders[0].name must be a text"},
      {with_contender(R"("name":"")"), "[0].name must be a text that names no other contender"},
      {with_table(R"("contenders":[{"name":"c","missing":"x"},{"name":"c","missing":"x"}])"), "tables[0].contenders[1].name must be a text that names no other contender"},
      {with_contender(R"("name":"c")"), "with one of the fields command, worker and missing"},
      {with_contender(R"("name":"c","command":["a"],"worker":["a"])"), "with one of the fields"},
      {with_contender(R"("name":"c","command":[])"), "[0].command must be an array of one or more words"},
      {with_contender(R"("name":"c","command":["a",3])"), "[0].command[1] must be a text"},
      {with_contender(R"("name":"c","command":["a\u0000b"])"), "[0].command[0] must be a text without NUL"},
      {with_contender(R"("name":"c","command":[""])"), "of which the first names a program"},
      {with_contender(R"("name":"c","worker":"a")"), "[0].worker must be an array of one or more words"},
      {with_contender(named + R"("ours":1)"), "[0].ours must be true or false"},
      {with_contender(named + R"("threads":0)"), "[0].threads must be a whole number from 1"},
      {with_contender(named + R"("wanted":"2")"), "[0].wanted must be a number from 0"},
      {with_contender(named + R"("answer":"first")"), "[0].answer must be \"all\", \"none\" or"},
      {with_contender(named + R"("answer":[])"), "[0].answer must be an array of one or more places"},
      {with_contender(R"("name":"c","missing":"")"), "[0].missing must be a text that says what is missing"},
      {with_contender(named + R"("answer":[-1])"), "[0].answer[0] must be a whole number from 0"},
      {with_contender(named + R"("directory":"/no/such")"), "must be a directory that exists"},
      {with_contender(named + R"("environment":["A=1"])"), "must be an object of texts"},
      {with_contender(named + R"("environment":{"A=B":"1"})"), "has no '='"},
      {with_contender(named + R"("environment":{"":"1"})"), "whose name is not empty"},
      {with_contender(named + R"("environment":{"A":1})"), "environment.A must be a text"},
      {with_contender(named + R"("env":{})"), "tables[0].contenders[0].env is no field of a plan"},
  };
  // clang-format on
  for (const auto& [text, says] : rows)
    EXPECT_THAT(said_of([&, &json = text] { plan_of_json(json); }), HasSubstr(says)) << text;
}

}  // namespace riffle::bench
