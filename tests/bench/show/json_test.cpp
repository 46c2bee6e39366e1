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
    line.result.answer = answer{1, std::numeric_limits<std::uint64_t>::max() - 1};
  }
  ASSERT_GE(judge(all).warnings.size(), 7U);
  report infinite{.tick_ns = std::numeric_limits<double>::quiet_NaN(),
                  .load = std::numeric_limits<double>::infinity()};
  infinite.limits.device = std::numeric_limits<double>::infinity();
  for (const report& each : {all, report{}, infinite}) {
    const std::string text = written(each);
    EXPECT_EQ(written(read_json(text, "a.json")), each.load > 10 ? written({}) : text);
  }
  EXPECT_EQ(read_json(written(all), "a.json").tasks.at(0).lines.at(2).result.answer,
            all.tasks.at(0).lines.at(2).result.answer);
}

TEST(bench_json, of_an_earlier_version_or_with_more_fields_is_read) {
  report given = given::everything();
  given.tasks.at(0).lines.at(2).queue_depth = 32;
  json all = parsed(given);
  EXPECT_EQ(read_json(all.dump(), "a.json").tasks.at(0).lines.at(2).queue_depth, 32U);
  all["version"] = 2;
  all["limits"]["pipe"] = 1e9;
  all["humidity"] = 0.4;
  all["results"][0]["colour"] = {1, 2};
  EXPECT_EQ(read_json(all.dump(), "a.json").limits.ram_scan, 11e9);
  all["version"] = 1;
  all["warnings"] = {{{"name", "unsteady"}, {"task", "gc"}, {"contenders", {"ioaccess/mmap"}}}};
  for (json& result : all["results"]) result.erase("queue_depth");
  EXPECT_EQ(read_json(all.dump(), "a.json").tasks.at(0).lines.at(2).queue_depth, 0U);
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
      {"/version", 4, "its version is 4, this riffle reads 1 to 3: use a newer riffle"},
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
  const std::string name = "a\x1b[2J\x7f\xC2\x9B\xE2\x80\xAE\xF3\xA0\x80\x81\"\n.txt";
  all.tasks.at(0).input = name + '\xff';
  const std::string text = written(all);
  EXPECT_THAT(text, HasSubstr(R"("a\u001b[2J\u007f\u009b\u202e\udb40\udc01\"\n.txt)"));
  EXPECT_EQ(read_json(text, "a.json").tasks.at(0).input, name + "\uFFFD");
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
