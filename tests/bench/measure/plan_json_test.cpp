/// JSON becomes a plan, or an error that names the field and says what it must be.
#include "bench/measure/plan_json.hpp"

#include <fmt/core.h>
#include <gmock/gmock.h>

#include "tests/support/support.hpp"

namespace riffle::bench {

namespace {

std::string said_of(const std::string& text) {
  try {
    plan_of_json(text);
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
      {"{}", "tables must be an array of tables"},
      {R"({"tables":[]})", "tables must be an array of tables"},
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
      {with_table(R"("contenders":[])"), "tables[0].contenders must be an array of contenders"},
      {with_table(R"("cache":"warm")"), R"(tables[0].cache must be "hot", "written" or "cold")"},
      {with_table(R"("files":"x")"), "tables[0].files must be an array of texts"},
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
      {with_contender(R"("name":"c","command":[])"), "[0].command must be an array of words"},
      {with_contender(R"("name":"c","command":["a",3])"), "[0].command[1] must be a text"},
      {with_contender(R"("name":"c","command":["a\u0000b"])"), "[0].command[0] must be a text without NUL"},
      {with_contender(R"("name":"c","command":[""])"), "of which the first names a program"},
      {with_contender(R"("name":"c","worker":"a")"), "[0].worker must be an array of words"},
      {with_contender(named + R"("ours":1)"), "[0].ours must be true or false"},
      {with_contender(named + R"("threads":0)"), "[0].threads must be a whole number from 1"},
      {with_contender(named + R"("wanted":"2")"), "[0].wanted must be a number from 0"},
      {with_contender(named + R"("answer":"first")"), "[0].answer must be \"all\", \"none\" or"},
      {with_contender(named + R"("answer":[-1])"), "[0].answer[0] must be a whole number from 0"},
      {with_contender(named + R"("directory":"/no/such")"), "must be a directory that exists"},
      {with_contender(named + R"("environment":["A=1"])"), "must be an object of texts"},
      {with_contender(named + R"("environment":{"A=B":"1"})"), "has no '='"},
      {with_contender(named + R"("environment":{"":"1"})"), "whose name is not empty"},
      {with_contender(named + R"("environment":{"A":1})"), "environment.A must be a text"},
      {with_contender(named + R"("env":{})"), "tables[0].contenders[0].env is no field of a plan"},
  };
  // clang-format on
  for (const auto& [text, says] : rows) EXPECT_THAT(said_of(text), testing::HasSubstr(says)) << text;
}

}  // namespace riffle::bench
