/// Any text is a result of the benchmark, which every renderer then takes, or is refused by riffle::error.
#include <riffle/error.hpp>

#include <fuzzer/FuzzedDataProvider.h>

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "bench/judge/compare.hpp"
#include "bench/show/outputs.hpp"
#include "fuzz/support/require.hpp"
#include "tests/support/given_report.hpp"

namespace riffle::fuzz {
namespace {

using namespace bench;

std::string json_of(const report& shown) {
  std::ostringstream out;
  write_json(shown, judge(shown), out);
  return out.str();
}

const report& valid() {
  static const report given = [] {
    report small = given::everything();
    small.tasks = {given::cold()};
    std::vector<measurement>& lines = small.tasks.front().lines;
    lines.resize(3);
    for (measurement& line : lines) line.result.samples.resize(6);
    return small;
  }();
  return given;
}

// A text of the fuzzer, or a valid result with a few edits.
std::string text_of(FuzzedDataProvider& from) {
  const unsigned edits = from.ConsumeIntegralInRange<unsigned>(0, 4);
  if (edits == 0) return from.ConsumeRemainingBytesAsString();
  std::string text = json_of(valid());
  for (unsigned i = 0; i < edits; ++i) {
    const auto place = from.ConsumeIntegralInRange<std::size_t>(0, text.size());
    const auto less = from.ConsumeIntegralInRange<std::size_t>(0, 30);
    text.replace(place, std::min(less, text.size() - place), from.ConsumeRandomLengthString(40));
  }
  return text;
}

void show(const report& read) {
  std::ostringstream out;
  const conclusions concluded = judge(read);
  write_csv(read, concluded, out);
  write_markdown(read, concluded, out);
  write_html(read, concluded, out);
  print_machine(read.facts, out);
  print_limits(read.limits, out);
  for (std::size_t i = 0; i < read.tasks.size(); ++i)
    print_table(read.tasks[i], concluded.tables[i], true, out);
  print_warnings(concluded.warnings, true, out);
}

void compare(const report& read) {
  for (const auto& [base, later] :
       {std::pair(valid(), read), std::pair(read, valid()), std::pair(read, read)}) {
    const comparison compared = compare_reports(base, later);
    std::ostringstream out;
    print_comparison({"base", base}, {"later", later}, compared, true, out);
    static_cast<void>(ending_of(compared, 0.1));
  }
}

}  // namespace
}  // namespace riffle::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace riffle::fuzz;
  FuzzedDataProvider from(data, size);
  const bool shown = from.ConsumeBool();
  const std::string text = text_of(from);
  try {
    const riffle::bench::report read = riffle::bench::read_json(text, "fuzz.json");
    const std::string again = json_of(read);
    require(json_of(riffle::bench::read_json(again, "again.json")) == again,
            "a result is written as it was read");
    shown ? show(read) : compare(read);
  } catch (const riffle::error& refused) {
    require(refused.code() == riffle::errc::invalid_argument, refused.what());
  }
  return 0;
}
