/// Any report comes back from JSON as it was written, and wrong ones are refused with what is wrong.
#include <gmock/gmock.h>

#include <cmath>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "bench/data/fields.hpp"
#include "bench/show/outputs.hpp"
#include "bench/stats/random.hpp"
#include "bench/stats/statistics.hpp"
#include "tests/support/given_report.hpp"
#include "tests/support/support.hpp"

namespace riffle::bench {

namespace {

using nlohmann::json;
using testing::AnyOf;
using testing::HasSubstr;
using testing::StartsWith;

std::string written(const report& all) {
  std::ostringstream out;
  write_json(all, {.tables = std::vector<table_conclusions>(all.tasks.size())}, out);
  return out.str();
}

/// Gives each field of a report, by the list of them, a random value that it may have.
class random_reports : random_numbers {
 public:
  using random_numbers::random_numbers;

  report next_report() {
    report all;
    draw(all);
    all.tasks.resize(below(4));
    for (task_report& table : all.tasks) {
      for (std::size_t lines = 1 + below(3); lines > 0; --lines) add_line(table);
    }
    return all;
  }

 private:
  void add_line(task_report& table) {
    task_report same = table;
    measurement line;
    result_row<task_report, measurement> row{.table = table.lines.empty() ? table : same, .line = line};
    draw(row);
    line.program = one_of<const char*>({"limit", "riffle", "nvwa", "somebody's"});
    line.role = role_of_program(line.program);
    line.method = one_of<const char*>({"automatic", "read", "direct", "memory", "process"});
    if (line.is_limit()) line.name = name_of(line.sets.emplace(static_cast<limit_kind>(below(4))));
    line.result.samples.resize(below(12));
    for (sample& each : line.result.samples) {
      draw(each.round);
      draw(each.seconds);
    }
    if (line.result.samples.empty()) line.usage = {};
    line.seconds = summarise(seconds_of(line.result.samples));
    table.lines.push_back(std::move(line));
  }

  template <class Value>
  Value one_of(std::initializer_list<Value> all) {
    return all.begin()[below(all.size())];
  }
  void draw(std::string& to) {
    to = one_of<const char*>({"", "a b", "\"\\\n", "\x1b[2J\x7f", "\xC2\x9B\u202E", "読\xF3\xA0\x80\x81"});
  }
  void draw(bool& to) { to = below(2) == 1; }
  void draw(double& to) {
    to = std::ldexp(static_cast<double>(next()) * (below(8) == 0 ? 0 : 1), static_cast<int>(below(90)) - 100);
  }
  void draw(std::unsigned_integral auto& to) {
    to = static_cast<std::remove_reference_t<decltype(to)>>(next() >> below(64));
  }
  template <has_names Enum>
  void draw(Enum& to) {
    to = static_cast<Enum>(below(named_values<Enum>.size()));
  }
  template <class Value>
  void draw(std::vector<Value>& to) {
    to.resize(below(4));
    for (Value& each : to) draw(each);
  }
  template <class Value>
  void draw(std::optional<Value>& to) {
    if (below(4) != 0) draw(to.emplace());
  }
  template <class Struct>
  void draw(Struct& to) {
    each_field(to, [this](const auto&, auto&& value) {
      if constexpr (std::is_lvalue_reference_v<decltype(value)>) draw(value);
    });
  }
};

/// What `read_json` says about a text; empty when it takes it.
std::string refusal_of(const std::string& text) {
  const auto failure = test::error_of([&] { read_json(text, "a.json"); });
  return failure ? failure->what() : "";
}

}  // namespace

TEST(bench_json, comes_back_as_it_was_written) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const report all = random_reports(seed).next_report();
    const std::string text = written(all);
    EXPECT_TRUE(read_json(text, "a.json") == all) << seed << ": " << text;
    for (const char* obeyed_by_a_terminal : {"\x1b", "\x7f", "\xC2\x9B", "\u202E"})
      EXPECT_EQ(text.find(obeyed_by_a_terminal), std::string::npos) << seed;
  }
  report odd{.started = "a\xff", .load = std::numeric_limits<double>::quiet_NaN()};
  odd.limits.device = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(read_json(written(odd), "a.json") == report{.started = "a\uFFFD"});
}

TEST(bench_json, of_an_earlier_version_or_with_more_fields_is_read) {
  const report given = given::everything();
  json all = json::parse(written(given));
  all["version"] = 3;
  all["limits"]["pipe"] = 1e9;
  all["tick_ns"] = 1;
  all["results"][0]["colour"] = {1, 2};
  EXPECT_TRUE(read_json(all.dump(), "a.json") == read_json(written(given), "a.json"));
}

TEST(bench_json, that_is_no_report_is_refused_with_what_is_wrong_and_where) {
  const json right = json::parse(written(given::everything()));
  const std::string hostile = "\x1b[2J\x7f" + std::string(10000, 'x');
  struct wrong_value {
    const char* place;
    json value;  // discarded: the field is not there
    const char* refusal;
  };
  const std::vector<wrong_value> wrong{
      {"", json::object(), "it is no report: make the file with"},
      {"", nullptr, "it is no report"},
      {"/schema", "hyperfine", "it is no report"},
      {"/version", 6, "its version is 6, this riffle reads 3 to 5: use a newer riffle"},
      {"/version", 2, "measure again"},
      {"/machine", json::value_t::discarded, "key 'machine' not found"},
      {"/results", 7, "(/results)"},
      {"/results/3/task", json::value_t::discarded, "(/results/3) key 'task' not found"},
      {"/results/3/seconds/samples", json::value_t::discarded, "(/results/3/seconds) key"},
      {"/results/0/contender", nullptr, "(/results/0/contender) type must be string, but is null"},
      {"/results/0/made", 1, "(/results/0/made) type must be boolean"},
      {"/results/0/seconds/samples/2", "1", "(/results/0/seconds/samples/2) type must be number"},
      {"/results/0/block_size", -1, "(/results/0/block_size)"},
      {"/results/0/threads", 4294967296, "4294967296 is too large"},
      {"/results/0/seconds/samples/0", -0.5, "-0.5 is neither 0 nor from 1e-30 to 1e30"},
      {"/results/0/rounds", {1, 2}, "a result has 20 samples and 2 rounds"},
      {"/results/0/task", "nap", "\"nap\" is not known to this riffle"},
      {"/results/0/cache", "warm", "\"warm\" is not known"},
      {"/results/0/method", "xread", "\"xread\" is not known"},
      {"/results/0/outcome", "won", "\"won\" is not known"},
      {"/results/0/outcome", hostile, "\"\\u001b[2J?xxx"}};
  for (const wrong_value& each : wrong) {
    json all = right;
    const json::json_pointer place(each.place);
    if (each.value.is_discarded()) {
      all.at(place.parent_pointer()).erase(place.back());
    } else {
      all.at(place) = each.value;
    }
    const std::string refusal = refusal_of(all.dump());
    EXPECT_THAT(refusal, testing::AllOf(StartsWith("cannot read 'a.json': "), HasSubstr(each.refusal)))
        << each.place;
    EXPECT_EQ(refusal.find_first_of("\x1b\x7f"), std::string::npos);
    EXPECT_LT(refusal.size(), 300U);
  }
}

TEST(bench_json, with_any_byte_changed_or_cut_short_is_read_or_refused) {
  const std::string text = written({.tasks = {given::cold()}});
  for (std::size_t i = 0; i <= text.rfind('}'); i += 31) {
    ASSERT_THAT(refusal_of(text.substr(0, i)), StartsWith("cannot read 'a.json'")) << i;
    for (const char wrong : {'\0', '9', '-', '"', '}', '\xff'}) {
      std::string changed = text;
      changed[i] = wrong;
      ASSERT_THAT(refusal_of(changed), AnyOf("", StartsWith("cannot read 'a.json'"))) << i;
    }
  }
  for (const std::string& other :
       {std::string("task,contender\n"), std::string("{\"schema\": 1e999}"), std::string(1 << 20, '[')})
    EXPECT_THAT(refusal_of(other), AnyOf(HasSubstr("it is not JSON"), HasSubstr("number overflow")))
        << other.substr(0, 20);
}

}  // namespace riffle::bench
