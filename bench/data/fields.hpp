/// The names that plain data have in JSON, in one list, so that what is written can be read.
#ifndef RIFFLE_BENCH_DATA_FIELDS_HPP
#define RIFFLE_BENCH_DATA_FIELDS_HPP

#include <array>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "bench/data/report.hpp"

namespace riffle::bench {

inline constexpr std::string_view json_schema = "riffle-bench";
// Rises when a field goes or changes its meaning, or when a name is new among the outcomes, tasks, states of
// the cache or warnings: whatever a reader of the version before would misunderstand.
inline constexpr unsigned json_version = 1;

/// The names of the outcomes, in their order.
inline constexpr std::array<std::string_view, 4> outcome_names{"measured", "unavailable", "failed", "wrong"};

/// One member of a struct and its name.
template <class Struct, class Value>
struct field {
  const char* name;
  Value Struct::* member;
};

constexpr auto fields_of(std::type_identity<machine>) {
  return std::tuple{field{"processor", &machine::processor},
                    field{"processors", &machine::processors},
                    field{"processors_online", &machine::processors_online},
                    field{"caches", &machine::caches},
                    field{"memory", &machine::memory},
                    field{"memory_available", &machine::memory_available},
                    field{"kernel", &machine::os_release},
                    field{"mitigations", &machine::mitigations},
                    field{"virtualisation", &machine::virtualisation},
                    field{"huge_pages", &machine::huge_pages},
                    field{"governor", &machine::governor},
                    field{"file_system", &machine::file_system},
                    field{"mount_options", &machine::mount_options},
                    field{"device", &machine::device},
                    field{"read_ahead", &machine::read_ahead},
                    field{"compiler", &machine::compiler},
                    field{"flags", &machine::flags},
                    field{"version", &machine::version},
                    field{"active_kernel", &machine::active_kernel}};
}

constexpr auto fields_of(std::type_identity<limits>) {
  return std::tuple{field{"ram_scan", &limits::ram_scan},
                    field{"ram_copy", &limits::ram_copy},
                    field{"page_faults", &limits::page_faults},
                    field{"system_calls", &limits::system_calls},
                    field{"pipe", &limits::pipe},
                    field{"device", &limits::device}};
}

constexpr auto fields_of(std::type_identity<usage>) {
  return std::tuple{field{"user_seconds", &usage::user_seconds},
                    field{"system_seconds", &usage::system_seconds},
                    field{"minor_faults", &usage::minor_faults},
                    field{"major_faults", &usage::major_faults},
                    field{"voluntary_switches", &usage::voluntary_switches},
                    field{"involuntary_switches", &usage::involuntary_switches},
                    field{"bytes_read", &usage::bytes_read}};
}

constexpr auto fields_of(std::type_identity<busy_machine>) {
  return std::tuple{field{"load", &busy_machine::load}, field{"processors", &busy_machine::processors}};
}
constexpr auto fields_of(std::type_identity<stolen_time>) {
  return std::tuple{field{"share", &stolen_time::share}};
}
constexpr auto fields_of(std::type_identity<frequency_scaling>) {
  return std::tuple{field{"governor", &frequency_scaling::governor}};
}
constexpr auto fields_of(std::type_identity<exceeds_cache>) {
  return std::tuple{field{"input", &exceeds_cache::input}, field{"bytes", &exceeds_cache::bytes},
                    field{"available", &exceeds_cache::available}};
}
constexpr auto fields_of(std::type_identity<not_cached>) {
  return std::tuple{field{"input", &not_cached::input}, field{"contenders", &not_cached::contenders}};
}
constexpr auto fields_of(std::type_identity<host_cache>) {
  return std::tuple{field{"input", &host_cache::input}, field{"gb_per_s", &host_cache::gb_per_s},
                    field{"device_gb_per_s", &host_cache::device_gb_per_s}};
}
constexpr auto fields_of(std::type_identity<coarse_clock>) {
  return std::tuple{field{"tick_ns", &coarse_clock::tick_ns}, field{"contender", &coarse_clock::contender}};
}
constexpr auto fields_of(std::type_identity<unsteady>) {
  return std::tuple{field{"task", &unsteady::task}, field{"contenders", &unsteady::contenders}};
}
constexpr auto fields_of(std::type_identity<too_few_rounds>) {
  return std::tuple{field{"task", &too_few_rounds::task}, field{"contenders", &too_few_rounds::contenders}};
}

/// Calls `visit(name, member)` for each of them, in their order.
template <class Struct, class Visit>
constexpr void each_field(Visit visit) {
  std::apply([&visit](auto... each) { (visit(each.name, each.member), ...); },
             fields_of(std::type_identity<Struct>{}));
}

}  // namespace riffle::bench

#endif
