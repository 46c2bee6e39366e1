/// Results in JSON hold all that was measured, come back as they
/// were written, and wrong ones are refused with what is wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "bench/judge/warnings.hpp"
#include "bench/show/outputs.hpp"
#include "bench/show/read_json.hpp"
#include "bench/stats/samples.hpp"
#include "tests/support/given_report.hpp"
#include "tests/support/support.hpp"

namespace riffle::bench {

namespace {

using nlohmann::json;
using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;
using testing::StartsWith;

std::string written(const report& all) {
  std::ostringstream out;
  write_json(all, judge(all), out);
  return out.str();
}

json parsed(const report& all) {
  return json::parse(written(all));
}

/// The result of that program and contender on the first task that has it.
json result_in(const json& all, const std::string& program, const std::string& contender) {
  for (const json& result : all.at("results")) {
    if (result.at("program") == program && result.at("contender") == contender) return result;
  }
  return nullptr;
}

/// A report of one line.
report with(measurement line) {
  return {
      .tasks = {{.task = task::words, .input = "text", .files = 1, .bytes = 10, .lines = {std::move(line)}}}};
}

/// What `read_json` says about a text; empty when it takes it.
std::string refusal_of(const std::string& text) {
  const auto failure = test::error_of([&] { read_json(text, "a.json"); });
  return failure ? failure->what() : "";
}

/// The same about everything(), with one value of it replaced.
std::string refusal_with(const char* pointer, const json& value) {
  json all = parsed(given::everything());
  all.at(json::json_pointer(pointer)) = value;
  return refusal_of(all.dump());
}

std::string refusal_without(const char* parent, const char* name) {
  json all = parsed(given::everything());
  all.at(json::json_pointer(parent)).erase(name);
  return refusal_of(all.dump());
}

}  // namespace

TEST(bench_json, has_the_whole_run) {
  const json all = parsed(given::everything());
  EXPECT_EQ(all.at("schema"), "riffle-bench");
  EXPECT_EQ(all.at("version"), 2);
  EXPECT_EQ(all.at("started"), "2026-11-21T10:00:00Z");
  EXPECT_EQ(all.at("complete"), true);
  EXPECT_EQ(all.at("stopped_by"), nullptr);
  EXPECT_EQ(all.at("seed"), 42);
  EXPECT_EQ(all.at("tick_ns"), 1.0);
  EXPECT_EQ(all.at("load"), 0.5);
  EXPECT_EQ(all.at("stolen_share"), 0.01);
  EXPECT_EQ(all.at("limits").at("device"), 1.1e9);
  EXPECT_EQ(all.at("results").size(), 11U + 5U + 3 * 6U);
}

TEST(bench_json, has_each_fact_of_the_machine) {
  const json expected = json::parse(R"json({
    "processor": "Example Processor @ 2.50GHz", "processors": 2, "processors_online": 4, "caches": ["L1d 32 KiB", "L2 1 MiB", "L3 35.8 MiB"],
    "memory": 25769803776, "memory_available": 21474836480, "kernel": "Linux 6.18.0",
    "mitigations": ["spectre_v2", "mds"], "virtualisation": "KVM", "huge_pages": "madvise",
    "governor": "powersave", "file_system": "ext4", "mount_options": "rw,relatime", "device": "vda (virtio)",
    "read_ahead": 131072, "compiler": "g++ 12.2.0", "flags": "-O3 -DNDEBUG", "version": "0.1.0",
    "active_kernel": "avx2"})json");
  EXPECT_EQ(parsed(given::everything()).at("machine"), expected);
}

TEST(bench_json, has_a_verdict_for_each_task_and_the_warnings_with_their_figures) {
  std::ostringstream out;
  const report everything = given::everything();
  write_json(everything, given::concluded(everything, given::two_warnings()), out);
  const json all = json::parse(out.str());
  ASSERT_EQ(all.at("verdicts").size(), 5U);
  EXPECT_EQ(all.at("verdicts").at(1).at("cache"), "cold");
  EXPECT_FALSE(all.at("verdicts").at(1).at("text").get<std::string>().empty());
  const json steadiness = all.at("warnings").at(1);
  EXPECT_EQ(steadiness.at("name"), "unsteady");
  EXPECT_FALSE(steadiness.at("text").get<std::string>().empty());
  EXPECT_FALSE(steadiness.at("remedy").get<std::string>().empty());
  EXPECT_EQ(steadiness.at("tasks"), json{"gc"});
  EXPECT_EQ(steadiness.at("contenders"), json{"gc ioaccess/mmap"});
}

TEST(bench_json, has_each_sample_and_what_is_known_of_a_contender) {
  const json result = result_in(parsed(given::everything()), "ioaccess", "read-64K");
  const task_report hot = given::hot();
  const measurement& line = *std::ranges::find(hot.lines, "read-64K", &measurement::name);
  ASSERT_EQ(result.at("seconds").at("samples").size(), 20U);
  EXPECT_EQ(result.at("seconds").at("samples").at(1), 0.21 * 1.01);
  EXPECT_EQ(result.at("seconds").at("median"), line.seconds.median);
  EXPECT_EQ(result.at("seconds").at("min"), line.seconds.min);
  EXPECT_EQ(result.at("seconds").at("max"), line.seconds.max);
  EXPECT_EQ(result.at("seconds").at("mad"), line.seconds.mad);
  EXPECT_EQ(result.at("seconds").at("ci95"), (json{line.seconds.ci95->low, line.seconds.ci95->high}));
  EXPECT_EQ(result.at("rounds"),
            (json{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}));
  EXPECT_EQ(result.at("task"), "gc");
  EXPECT_EQ(result.at("label"), "read-64K");
  EXPECT_EQ(result.at("description"), "reads by read-64K");
  EXPECT_EQ(result.at("method"), "read");
  EXPECT_EQ(result.at("input"), "genome");
  EXPECT_EQ(result.at("files"), 1);
  EXPECT_EQ(result.at("made"), true);
  EXPECT_EQ(result.at("cache"), "hot");
  EXPECT_EQ(result.at("threads"), 1);
  EXPECT_EQ(result.at("block_size"), 65536);
  EXPECT_EQ(result.at("queue_depth"), 0);
  EXPECT_EQ(result.at("bytes"), 1000000000);
  EXPECT_EQ(result.at("faults_per_mib"), 0.5);
  EXPECT_EQ(result.at("gb_per_s"), 1 / line.seconds.median);
  EXPECT_EQ(result.at("limit"), (json{{"name", "copy"}, {"seconds", 0.16}}));
  EXPECT_EQ(result.at("of_limit"), 0.16 / line.seconds.median);
  EXPECT_EQ(result.at("answer"), (json{{"count", 42}, {"sum", 7}}));
  EXPECT_EQ(result.at("minor_faults"), 3);
  EXPECT_EQ(result.at("major_faults"), 0);
  EXPECT_EQ(result.at("voluntary_switches"), 1);
  EXPECT_EQ(result.at("involuntary_switches"), 2);
  EXPECT_EQ(result.at("bytes_read"), 0);
  EXPECT_EQ(result.at("user_seconds"), line.usage.user_seconds);
  EXPECT_EQ(result.at("system_seconds"), line.usage.system_seconds);
  EXPECT_EQ(result.at("runs_per_sample"), 1);
  EXPECT_EQ(result.at("settled"), true);
  EXPECT_EQ(result.at("outcome"), "measured");
}

TEST(bench_json, has_null_for_what_was_not_measured) {
  const json all = parsed(given::everything());
  const json missing = result_in(all, "perl", "perl-tr");
  EXPECT_EQ(missing.at("outcome"), "unavailable");
  EXPECT_EQ(missing.at("reason"), "perl is not installed");
  for (const char* name : {"seconds", "gb_per_s", "of_limit", "answer", "minor_faults", "bytes_read"}) {
    EXPECT_EQ(missing.at(name), nullptr) << name;
  }
  EXPECT_EQ(result_in(all, "riffle", "uring").at("outcome"), "failed");
  EXPECT_EQ(result_in(all, "ioaccess", "fread").at("outcome"), "wrong");
  EXPECT_EQ(result_in(all, "ioaccess", "fread").at("answer").at("count"), 41);
  EXPECT_EQ(result_in(all, "limit", "scan").at("limit"), nullptr);
}

TEST(bench_json, has_null_for_facts_and_limits_that_are_not_known) {
  const json all = parsed({});
  EXPECT_EQ(all.at("started"), nullptr);
  EXPECT_EQ(all.at("machine").at("governor"), nullptr);
  EXPECT_EQ(all.at("machine").at("memory"), nullptr);
  EXPECT_EQ(all.at("machine").at("caches"), json::array());
  EXPECT_EQ(all.at("limits").at("pipe"), nullptr);
  EXPECT_EQ(all.at("results"), json::array());
}

TEST(bench_json, never_has_a_number_that_json_lacks) {
  report all{.tick_ns = std::numeric_limits<double>::quiet_NaN(),
             .load = std::numeric_limits<double>::infinity()};
  all.limits.device = std::numeric_limits<double>::infinity();
  EXPECT_EQ(parsed(all).at("tick_ns"), nullptr);
  EXPECT_EQ(parsed(all).at("load"), nullptr);
  EXPECT_EQ(parsed(all).at("limits").at("device"), nullptr);
  EXPECT_EQ(refusal_of(written(all)), "");
}

TEST(bench_json, has_no_interval_of_few_samples) {
  measurement line{.name = "a"};
  line.result.samples = {{1, 0.5, {}}, {4, 0.7, {}}};
  line.seconds = summarise(seconds_of(line.result.samples));
  const json result = parsed(with(line)).at("results").at(0);
  EXPECT_EQ(result.at("seconds").at("ci95"), nullptr);
  EXPECT_EQ(result.at("rounds"), (json{1, 4}));
}

TEST(bench_json, replaces_what_is_not_utf8) {
  report all = with({.name = "a"});
  all.tasks.front().input = "b\xff\"\n";
  EXPECT_EQ(parsed(all).at("results").at(0).at("input"), "b\uFFFD\"\n");
}

TEST(bench_json, keeps_whole_64_bit_answers) {
  measurement line{.name = "a"};
  line.result.answer = answer{1, std::numeric_limits<std::uint64_t>::max() - 1};
  const report again = read_json(written(with(line)), "a.json");
  EXPECT_EQ(again.tasks.front().lines.front().result.answer, line.result.answer);
}

TEST(bench_json, is_one_line_a_result) {
  EXPECT_THAT(written(given::everything()),
              HasSubstr("\n  {\"task\":\"gc\",\"contender\":\"copy\",\"program\":\"limit\","));
}

TEST(bench_json, comes_back_as_it_was_written) {
  report all = given::everything();
  all.complete = false;
  all.stopped_by = "interrupted";
  all.load = 9;
  all.stolen_share = 0.1;
  all.facts.memory_available = 5;
  all.tick_ns = 1e9;
  for (measurement& line : all.tasks.at(0).lines) {
    line.usage.bytes_read = 1e9;
    line.result.settled = false;
  }
  ASSERT_GE(judge(all).warnings.size(), 7U);
  const std::string text = written(all);
  EXPECT_EQ(written(read_json(text, "a.json")), text);
  const std::string nothing = written({});
  EXPECT_EQ(written(read_json(nothing, "a.json")), nothing);
}

TEST(bench_json, comes_back_with_tasks_samples_and_statistics) {
  const report before = given::everything();
  const report after = read_json(written(before), "a.json");
  ASSERT_EQ(after.tasks.size(), before.tasks.size());
  EXPECT_EQ(after.tasks.at(1).cache, cache_mode::cold);
  EXPECT_EQ(after.tasks.at(4).bytes, before.tasks.at(4).bytes);
  const measurement& line = after.tasks.at(0).lines.at(2);
  const measurement& same = before.tasks.at(0).lines.at(2);
  EXPECT_EQ(line.name, same.name);
  EXPECT_EQ(line.result.samples.at(9).round, 10U);
  EXPECT_EQ(line.seconds.median, same.seconds.median);
  EXPECT_EQ(line.seconds.ci95, same.seconds.ci95);
  EXPECT_EQ(line.limit->kind, same.limit->kind);
  EXPECT_EQ(after.facts.mitigations, before.facts.mitigations);
}

TEST(bench_json, of_version_1_is_read_whatever_it_warned_of) {
  json all = parsed(given::everything());
  all["version"] = 1;
  all["warnings"] = {{{"name", "unsteady"}, {"task", "gc"}, {"contenders", {"ioaccess/mmap"}}}};
  EXPECT_EQ(read_json(all.dump(), "a.json").tasks.size(), 5U);
}

TEST(bench_json, of_an_earlier_riffle_has_no_queue_depth) {
  report given = given::everything();
  given.tasks.at(0).lines.at(2).queue_depth = 32;
  json all = parsed(given);
  EXPECT_EQ(read_json(all.dump(), "a.json").tasks.at(0).lines.at(2).queue_depth, 32U);
  for (json& result : all["results"]) result.erase("queue_depth");
  EXPECT_EQ(read_json(all.dump(), "a.json").tasks.at(0).lines.at(2).queue_depth, 0U);
}

TEST(bench_json, of_a_later_riffle_may_have_more_fields) {
  json all = parsed(given::everything());
  all["humidity"] = 0.4;
  all["results"][0]["colour"] = {1, 2};
  EXPECT_EQ(refusal_of(all.dump()), "");
}

TEST(bench_json, that_is_no_report_is_refused_with_what_is_wrong_and_where) {
  for (const char* foreign : {"{}", "[1]", "null", "1", "\"a\""})
    EXPECT_THAT(refusal_of(foreign), StartsWith("cannot read 'a.json': it is no report: make the file with"));
  for (const char* broken : {"", "task,contender\n", "\xff\xfe", "{\"schema\": 1e999}"})
    EXPECT_THAT(refusal_of(broken), AllOf(StartsWith("cannot read 'a.json': "), HasSubstr("pars")));
  struct wrong_value {
    const char* place;
    json value;
    const char* refusal;
  };
  const std::vector<wrong_value> wrong{
      {"/schema", "hyperfine", "it is no report"},
      {"/schema", 1, "it is no report"},
      {"/version", 3, "its version is 3, this riffle reads 1 to 2: use a newer riffle"},
      {"/version", 0, "measure again"},
      {"/version", "1", "(/version)"},
      {"/results", 7, "(/results)"},
      {"/results/0", "x", "(/results/0)"},
      {"/results/0/contender", nullptr, "(/results/0/contender) type must be string, but is null"},
      {"/results/0/made", 1, "(/results/0/made) type must be boolean"},
      {"/results/0/answer", "42", "(/results/0/answer)"},
      {"/results/0/seconds", 1, "(/results/0/seconds)"},
      {"/results/0/seconds/samples/2", "1", "(/results/0/seconds/samples/2) type must be number"},
      {"/machine/caches", "L1", "(/machine/caches)"},
      {"/limits", json::array(), "(/limits)"},
      {"/results/0/block_size", -1, "(/results/0/block_size)"},
      {"/results/0/threads", 1e30, "(/results/0/threads)"},
      {"/results/0/threads", 4294967296, "4294967296 is too large"},
      {"/results/0/seconds/samples/0", -0.5, "-0.5 is neither 0 nor from 1e-30 to 1e30"},
      {"/results/0/seconds/samples/0", 1e300, "1e+300 is neither 0"},
      {"/results/0/rounds", {1, 2}, "a result has 20 samples and 2 rounds"},
      {"/results/0/task", "nap", "\"nap\" is not known to this riffle"},
      {"/results/0/cache", "warm", "\"warm\" is not known"},
      {"/results/0/method", "xread", "\"xread\" is not known"},
      {"/results/0/outcome", "won", "\"won\" is not known"}};
  for (const wrong_value& each : wrong)
    EXPECT_THAT(refusal_with(each.place, each.value), HasSubstr(each.refusal)) << each.place;
  EXPECT_THAT(refusal_without("", "machine"), HasSubstr("key 'machine' not found"));
  EXPECT_THAT(refusal_without("/results/3", "task"), HasSubstr("(/results/3) key 'task' not found"));
  EXPECT_THAT(refusal_without("/results/3/seconds", "samples"), HasSubstr("(/results/3/seconds) key"));
  const std::string hostile = refusal_with("/results/0/task", "\x1b[2J\x7f" + std::string(10000, 'x'));
  EXPECT_EQ(hostile.find_first_of("\x1b\x7f"), std::string::npos);
  EXPECT_LT(hostile.size(), 300U);
}

TEST(bench_json, cut_short_anywhere_is_refused) {
  const std::string text = written({.tasks = {given::hot()}});
  const std::size_t end = text.rfind('}');
  for (std::size_t size = 0; size <= end; size += size < 500 ? 1 : 197) {
    ASSERT_THAT(refusal_of(text.substr(0, size)), StartsWith("cannot read 'a.json'")) << size;
  }
}

TEST(bench_json, of_brackets_only_is_refused) {
  EXPECT_THAT(refusal_of("{\"a\":" + std::string(1 << 20, '[')), HasSubstr("parse error"));
  std::string objects;
  for (int i = 0; i < 100000; ++i) objects += "{\"a\":";
  EXPECT_THAT(refusal_of(objects), HasSubstr("parse error"));
  EXPECT_THAT(refusal_of(std::string(1 << 20, '[') + std::string(1 << 20, ']')),
              HasSubstr("it is no report"));
}

TEST(bench_json, holds_no_character_that_a_terminal_obeys_and_keeps_the_name) {
  report all = given::everything();
  all.tasks.at(0).input = "a\x1b[2J\x7f\xC2\x9B\xE2\x80\xAE\xF3\xA0\x80\x81.txt";
  const std::string text = written(all);
  EXPECT_THAT(text, HasSubstr(R"("a\u001b[2J\u007f\u009b\u202e\udb40\udc01.txt")"));
  EXPECT_EQ(read_json(text, "a.json").tasks.at(0).input, all.tasks.at(0).input);
}

TEST(bench_json, with_any_byte_changed_is_read_or_refused) {
  const std::string text = written({.tasks = {given::cold()}});
  for (const char wrong : {'\0', '9', '-', '"', '}', '\xff'}) {
    for (std::size_t i = 0; i < text.size(); i += 31) {
      std::string changed = text;
      changed[i] = wrong;
      ASSERT_THAT(refusal_of(changed), AnyOf("", StartsWith("cannot read 'a.json'"))) << i;
    }
  }
}

}  // namespace riffle::bench
