/// Stops the parser at the first thing that no result has.
#include <fmt/core.h>
#include <riffle/error.hpp>

#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "bench/show/read_json.hpp"

namespace riffle::bench {

namespace {

using json = nlohmann::json;

constexpr std::size_t deepest = 16;
constexpr std::size_t most_names = 256;         // of one object
constexpr std::size_t most_values = 4'000'000;  // far more than the samples of an hour

class checker : public nlohmann::json_sax<json> {
 public:
  explicit checker(std::string_view file) : file_(file) {}

  bool null() override { return value(); }
  bool boolean(bool /*which*/) override { return value(); }
  bool number_integer(std::int64_t /*number*/) override { return value(); }
  bool number_unsigned(std::uint64_t /*number*/) override { return value(); }
  bool number_float(double /*number*/, const std::string& /*text*/) override { return value(); }
  bool string(std::string& /*text*/) override { return value(); }
  bool binary(json::binary_t& /*bytes*/) override { return value(); }
  bool start_object(std::size_t /*size*/) override {
    if (!names_.empty()) value();
    return start();
  }
  bool end_object() override { return end(); }
  bool start_array(std::size_t /*size*/) override {
    value();
    return start();
  }
  bool end_array() override { return end(); }
  bool key(std::string& name) override {
    std::set<std::string>& names = names_.back();
    if (!names.insert(name).second)
      refuse(fmt::format("{:.40} stands twice in an object", json(name).dump()));
    if (names.size() > most_names) refuse("an object in it has too many fields");
    return true;
  }
  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const nlohmann::detail::exception& failure) override {
    constexpr int out_of_range = 406;
    if (failure.id == out_of_range) refuse("a number in it is too large");
    throw error(errc::invalid_argument, "read", file_, position, "this is not JSON, or only a part of it");
  }

 private:
  [[noreturn]] void refuse(std::string_view why) const {
    throw error(errc::invalid_argument, "read", file_, std::nullopt, why);
  }
  bool value() {
    if (names_.empty()) refuse("the result is not an object: make the file with riffle bench --json");
    if (++values_ > most_values) refuse("it holds more values than any result");
    return true;
  }
  bool start() {
    if (names_.size() == deepest) refuse("the JSON is nested too deeply");
    names_.emplace_back();
    return true;
  }
  bool end() {
    names_.pop_back();
    return true;
  }

  std::string_view file_;
  std::vector<std::set<std::string>> names_;  // of the objects and arrays around; an array has none
  std::size_t values_ = 0;
};

}  // namespace

void check_json(std::string_view text, std::string_view file) {
  if (text.empty()) throw error(errc::invalid_argument, "read", file, 0, "the file is empty");
  checker checks(file);
  json::sax_parse(text, &checks);
}

}  // namespace riffle::bench
