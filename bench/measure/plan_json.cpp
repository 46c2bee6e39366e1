/// Takes each field out of its object once, so that the fields that are left are unknown.
#include "bench/measure/run.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

namespace riffle::bench {

namespace {

using nlohmann::json;

/// A value, and where it stands: "tables[0].cache".
struct field {
  std::string name;
  json value;

  [[noreturn]] void refuse(std::string_view must_be) const {
    throw std::invalid_argument(fmt::format("{} must be {}", name.empty() ? "the plan" : name, must_be));
  }

  std::string text() const {
    if (!value.is_string() || value.get_ref<const std::string&>().find('\0') != std::string::npos)
      refuse("a text without NUL bytes");
    return value.get<std::string>();
  }
  bool yes() const {
    if (!value.is_boolean()) refuse("true or false");
    return value.get<bool>();
  }
  double number(double least, double most) const {
    if (!value.is_number() || !(value.get<double>() >= least && value.get<double>() <= most))
      refuse(fmt::format("a number from {:g} to {:g}", least, most));
    return value.get<double>();
  }
  std::uint64_t whole(std::uint64_t least, std::uint64_t most) const {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() < least ||
        value.get<std::uint64_t>() > most)
      refuse(fmt::format("a whole number from {} to {}", least, most));
    return value.get<std::uint64_t>();
  }
  /// The elements of an array, of which there is one at least.
  std::vector<field> elements(std::string_view of_what) const {
    if (!value.is_array() || value.empty()) refuse(fmt::format("an array of one or more {}", of_what));
    std::vector<field> all;
    all.reserve(value.size());
    for (std::size_t i = 0; i < value.size(); ++i) all.push_back({fmt::format("{}[{}]", name, i), value[i]});
    return all;
  }
  std::vector<std::string> texts(std::string_view of_what) const {
    std::vector<std::string> all;
    for (const field& each : elements(of_what)) all.push_back(each.text());
    return all;
  }
};

/// An object whose fields are taken one after the other.
class object {
 public:
  explicit object(field from) : from_(std::move(from)) {
    if (!from_.value.is_object()) from_.refuse("an object");
  }
  std::optional<field> take(const char* key) {
    const auto found = from_.value.find(key);
    if (found == from_.value.end()) return std::nullopt;
    field taken{name_of(key), std::move(*found)};
    from_.value.erase(found);
    return taken;
  }
  field need(const char* key, std::string_view must_be) {
    std::optional<field> taken = take(key);
    if (!taken) field{name_of(key), {}}.refuse(must_be);
    return *std::move(taken);
  }
  void check_all_taken() const {
    if (!from_.value.empty())
      throw std::invalid_argument(name_of(from_.value.begin().key()) + " is no field of a plan");
  }
  [[nodiscard]] std::string name_of(const std::string& key) const {
    return from_.name.empty() ? key : from_.name + "." + key;
  }
  [[noreturn]] void refuse(std::string_view must_be) const { from_.refuse(must_be); }

 private:
  field from_;
};

constexpr double longest = 1e7;  // seconds

void compare(const field& from, process& how) {
  if (from.value == "all") return;
  if (from.value == "none") {
    how.compared = compared::none;
    return;
  }
  constexpr const char* must_be = "\"all\", \"none\" or an array of places of numbers, such as [0, 2]";
  if (!from.value.is_array()) from.refuse(must_be);
  how.compared = compared::places;
  for (const field& each : from.elements("places of numbers, such as [0, 2]"))
    how.places.push_back(static_cast<std::size_t>(each.whole(0, 1000)));
}

os::program program_of(object& from, std::vector<std::string> words) {
  os::program what{.words = std::move(words)};
  if (const auto directory = from.take("directory")) {
    what.directory = directory->text();
    if (std::error_code failure; !std::filesystem::is_directory(what.directory, failure))
      directory->refuse("a directory that exists");
  }
  if (const auto environment = from.take("environment")) {
    if (!environment->value.is_object()) environment->refuse("an object of texts");
    for (const auto& [name, value] : environment->value.items()) {
      const field one{environment->name + "." + name, value};
      if (name.empty() || name.find('=') != std::string::npos || name.find('\0') != std::string::npos)
        one.refuse("a variable whose name is not empty and has no '='");
      what.environment.push_back(name + '=' + one.text());
    }
  }
  return what;
}

contender contender_of(object from, processes& race, double most_seconds) {
  contender one{.task = task::commands, .name = {}, .program = "peer"};
  const field name = from.need("name", "a text");
  one.name = name.text();
  if (one.name.empty() || race.has(one.name))
    name.refuse("a text that names no other contender of its table");
  if (const auto ours = from.take("ours"); ours && ours->yes())
    one.role = role::riffle, one.program = "riffle";
  if (const auto before = from.take("before"); before && before->yes())
    one.role = role::earlier, one.program = "riffle";
  if (const auto limit = from.take("limit"); limit && limit->yes())
    one.role = role::limit, one.program = "limit";
  if (const auto threads = from.take("threads"))
    one.threads = static_cast<unsigned>(threads->whole(1, 100000));
  if (const auto wanted = from.take("wanted")) one.wanted = wanted->number(0, 1e9);
  const auto command = from.take("command");
  const auto worker = from.take("worker");
  const auto missing = from.take("missing");
  if (command.has_value() + worker.has_value() + missing.has_value() != 1)
    from.refuse("an object with one of the fields command, worker and missing");
  if (missing && missing->text().empty()) missing->refuse("a text that says what is missing");
  process how{.program = {}, .stays = worker.has_value(), .most_seconds = most_seconds};
  std::vector<std::string> words;
  if (const auto& of = worker ? worker : command) {
    const bool is_line = command && of->value.is_string();
    words = is_line ? words_of_shell(of->text()) : of->texts("words");
    if (words.front().empty()) of->refuse("an array of words, of which the first names a program");
  }
  how.program = program_of(from, std::move(words));
  if (const auto answer = from.take("answer")) compare(*answer, how);
  from.check_all_taken();
  one = race.contender_of(std::move(one), std::move(how));
  if (missing) one.unavailable = [why = missing->text()](input_files) { return std::optional(why); };
  return one;
}

planned_table table_of(object from, processes race, const bench_plan& plan) {
  planned_table table{.task = task::commands, .left_as_written = true};
  table.name = from.need("name", "a text").text();
  table.title = from.need("title", "a text").text();
  if (const auto cache = from.take("cache")) {
    const auto known = value_named<cache_mode>(cache->value.is_string() ? cache->text() : "");
    if (!known) cache->refuse("\"hot\", \"written\" or \"cold\"");
    table.cache = *known;
  }
  if (const auto files = from.take("files")) {
    const std::vector<std::string> names = files->texts("texts");
    table.given = take_files(task::commands, {names.begin(), names.end()});
  } else {
    table.given = input{.name = "no files", .files = {}};
  }
  if (const auto evict = from.take("evict")) {
    const std::vector<std::string> names = evict->texts("texts");
    table.evicted_too = {names.begin(), names.end()};
  }
  if (const auto bytes = from.take("bytes")) table.bytes = bytes->whole(0, std::uint64_t{1} << 62U);
  if (const auto share = from.take("share")) table.share = share->number(1e-6, 1e6);
  if (const auto pause = from.take("pause")) table.pause = pause->number(0, 3600);
  for (const field& each :
       from.need("contenders", "an array of one or more contenders").elements("contenders"))
    table.contenders.push_back(contender_of(object(each), race, plan.budget));
  from.check_all_taken();
  const contender& first = table.contenders.front();
  table.base = label_of(first.name, first.role, first.block_size, first.threads);
  return table;
}

}  // namespace

bench_plan plan_of_json(std::string_view text, const processes& race) {
  const auto is_flat = [](int depth, json::parse_event_t /*event*/, const json& /*value*/) {
    constexpr int most = 8;  // deeper values would overflow the stack
    return depth < most;
  };
  json all = json::parse(text, is_flat, false);
  if (all.is_discarded()) throw std::invalid_argument("the plan must be JSON, in UTF-8");
  object from(field{"", std::move(all)});
  bench_plan plan{.time_of_each = true, .stop_at_failure = false};
  if (const auto title = from.take("title")) plan.title = title->text();
  if (const auto rounds = from.take("rounds")) plan.rounds = static_cast<unsigned>(rounds->whole(1, 100000));
  if (const auto seconds = from.take("seconds")) plan.budget = seconds->number(1e-3, longest);
  for (const field& each : from.need("tables", "an array of one or more tables").elements("tables"))
    plan.tables.push_back(table_of(object(each), race.next(), plan));
  from.check_all_taken();
  return plan;
}

}  // namespace riffle::bench
