/// The fields of each struct with their names in JSON and CSV: the one list of every writer.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "bench/data/report.hpp"

namespace riffle::bench {

inline constexpr std::string_view json_schema = "riffle-bench";
// Rises when a field goes or changes its meaning, or when a name is new among the outcomes, tasks, states of
// the cache or warnings: whatever a reader of the version before would misunderstand.
inline constexpr unsigned json_version = 5;

/// The columns of the CSV. Those of `seconds` and of `ci95` have the names of their parts.
inline constexpr std::array<std::string_view, 15> csv_columns{
    "task",     "input",     "bytes",    "cache",    "program",      "label",          "outcome",    "median",
    "ci95_low", "ci95_high", "gb_per_s", "of_limit", "user_seconds", "system_seconds", "peak_memory"};

/// An empty text and a whole number 0 stand for what is not known, and are null in JSON.
inline constexpr bool null_if_unknown = true;

/// A field of a struct: its name, and where it lies. `get` is a member, or a function of the struct.
template <class Get>
struct field {
  constexpr field(const char* called, Get from, bool unknown_is_null = false)
      : name(called), get(from), nullable(unknown_is_null) {}

  template <class Struct, class Visit>
  constexpr void visit_in(const Struct& object, const Visit& visit) const {
    visit(*this, std::invoke(get, object));
  }

  const char* name;
  Get get;
  bool nullable;
};

/// Calls `visit(field, value)` for each field of the struct, in their order.
template <class Struct, class Visit>
constexpr void each_field(const Struct& object, const Visit& visit) {
  std::apply([&](const auto&... each) { (each.visit_in(object, visit), ...); },
             fields_of(std::type_identity<Struct>{}));
}

/// A member whose fields stand among those of the struct around it.
template <class Get>
struct part {
  constexpr explicit part(Get from) : get(from) {}

  template <class Struct, class Visit>
  constexpr void visit_in(const Struct& object, const Visit& visit) const {
    each_field(std::invoke(get, object), visit);
  }

  Get get;
};

constexpr auto fields_of(std::type_identity<machine>) {
  return std::tuple{field{"processor", &machine::processor, null_if_unknown},
                    field{"processors", &machine::processors, null_if_unknown},
                    field{"processors_online", &machine::processors_online, null_if_unknown},
                    field{"caches", &machine::caches},
                    field{"memory_available", &machine::memory_available, null_if_unknown},
                    field{"kernel", &machine::os_release, null_if_unknown},
                    field{"governor", &machine::governor, null_if_unknown},
                    field{"file_system", &machine::file_system, null_if_unknown},
                    field{"device", &machine::device, null_if_unknown},
                    field{"read_ahead", &machine::read_ahead, null_if_unknown},
                    field{"compiler", &machine::compiler, null_if_unknown},
                    field{"flags", &machine::flags, null_if_unknown},
                    field{"version", &machine::version, null_if_unknown},
                    field{"active_kernel", &machine::active_kernel, null_if_unknown}};
}

constexpr auto fields_of(std::type_identity<limits>) {
  return std::tuple{field{"ram_scan", &limits::ram_scan}, field{"ram_copy", &limits::ram_copy},
                    field{"device", &limits::device}};
}

/// The run as a whole, without what it measured.
constexpr auto fields_of(std::type_identity<report>) {
  return std::tuple{field{"started", &report::started, null_if_unknown},
                    field{"complete", &report::complete},
                    field{"stopped_by", &report::stopped_by, null_if_unknown},
                    field{"seed", &report::seed},
                    field{"machine", &report::facts},
                    field{"limits", &report::limits},
                    field{"load", &report::load, null_if_unknown},
                    field{"stolen_share", &report::stolen_share, null_if_unknown}};
}

constexpr auto fields_of(std::type_identity<usage>) {
  return std::tuple{field{"user_seconds", &usage::user_seconds, null_if_unknown},
                    field{"system_seconds", &usage::system_seconds, null_if_unknown},
                    field{"minor_faults", &usage::minor_faults, null_if_unknown},
                    field{"major_faults", &usage::major_faults, null_if_unknown},
                    field{"bytes_read", &usage::bytes_read, null_if_unknown},
                    field{"peak_memory",
                          [](const usage& from) {
                            return from.peak_memory > 0 ? std::optional(from.peak_memory) : std::nullopt;
                          }},
                    field{"delayed_seconds", &usage::delayed_seconds, null_if_unknown}};
}

constexpr auto fields_of(std::type_identity<summary>) {
  return std::tuple{field{"median", &summary::median}, field{"min", &summary::min},
                    field{"max", &summary::max}, field{"mad", &summary::mad}, field{"ci95", &summary::ci95}};
}

constexpr auto fields_of(std::type_identity<answer>) {
  return std::tuple{field{"count", &answer::count}, field{"sum", &answer::sum}};
}

constexpr auto fields_of(std::type_identity<binding_limit>) {
  return std::tuple{field{"name", &binding_limit::kind}, field{"seconds", &binding_limit::seconds}};
}

/// The times of one contender: each sample, and what they amount to.
struct timing {
  const summary& amount;
  const std::vector<sample>& samples;
};
/// The round of each sample.
struct rounds_of_samples {
  const std::vector<sample>& samples;
};

/// A contender in its table: one item of `results` in JSON, one line of CSV.
struct result_row {
  const task_report& table;
  const measurement& line;

  [[nodiscard]] std::optional<double> speed() const {
    const double speed = gb_per_s(table, line);
    return speed > 0 ? std::optional(speed) : std::nullopt;
  }
};

/// Where a field of a row lies.
template <class Value>
constexpr auto in_table(Value task_report::* member) {
  return [member](const result_row& row) -> auto& { return row.table.*member; };
}
template <class Value>
constexpr auto in_line(Value measurement::* member) {
  return [member](const result_row& row) -> auto& { return row.line.*member; };
}
template <class Value>
constexpr auto in_result(Value result::* member) {
  return [member](const result_row& row) -> auto& { return row.line.result.*member; };
}

constexpr auto fields_of(std::type_identity<result_row>) {
  return std::tuple{
      field{"task", in_table(&task_report::task)},
      field{"contender", in_line(&measurement::name)},
      field{"program", in_line(&measurement::program)},
      field{"method", in_line(&measurement::method)},
      field{"label", in_line(&measurement::label)},
      field{"description", in_line(&measurement::description)},
      field{"input", in_table(&task_report::input)},
      field{"files", in_table(&task_report::files)},
      field{"bytes", in_table(&task_report::bytes)},
      field{"made", in_table(&task_report::made)},
      field{"cache", in_table(&task_report::cache)},
      field{"faults_per_mib", in_table(&task_report::faults_per_mib)},
      field{"threads", in_line(&measurement::threads)},
      field{"block_size", in_line(&measurement::block_size)},
      field{"queue_depth", in_line(&measurement::queue_depth)},
      field{"outcome", in_result(&result::outcome)},
      field{"reason", in_result(&result::reason), null_if_unknown},
      field{"seconds",
            [](const result_row& from) { return timing{from.line.seconds, from.line.result.samples}; }},
      field{"gb_per_s", [](const result_row& from) { return from.speed(); }},
      field{"limit", in_line(&measurement::limit)},
      field{"of_limit", [](const result_row& from) { return from.line.of_limit(); }},
      field{"answer", in_result(&result::answer)},
      part{in_line(&measurement::usage)},
      field{"rounds", [](const result_row& from) { return rounds_of_samples{from.line.result.samples}; }},
      field{"runs_per_sample", in_result(&result::runs_per_sample)},
      field{"failed_runs",
            [](const result_row& from) {
              return std::ranges::count_if(from.line.result.samples, &sample::failed);
            }},
      field{"settled", in_result(&result::settled)}};
}

constexpr auto fields_of(std::type_identity<warning>) {
  return std::tuple{field{"name", &warning::name},     field{"text", &warning::text},
                    field{"remedy", &warning::remedy}, field{"tasks", &warning::tasks},
                    field{"inputs", &warning::inputs}, field{"contenders", &warning::contenders}};
}

}  // namespace riffle::bench
