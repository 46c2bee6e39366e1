/// The programs and the limits by their names: one table each.
#include "bench/data/contender.hpp"

#include <algorithm>

namespace riffle::bench {

namespace {

struct program_info {
  std::string_view name;
  bench::role role;
  std::string_view origin;
};

constexpr std::array<program_info, 13> programs{{
    {"limit", role::limit, "a part of the work alone, measured in the same rounds"},
    {"riffle", role::riffle, "riffle itself"},
    {"command", role::command, "a command of yours"},
    {"nvwa", role::published, "nvwa's line and byte readers (Wu Yongwei, 2016 and 2017)"},
    {"ioaccess", role::published,
     "\"Which is fastest: read, fread, ifstream or mmap?\" (Daniel Lemire, 2012)"},
    {"readahead", role::published, "read(2) and posix_fadvise(2) or threads, as databases read ahead"},
    {"mapped", role::published, "\"Memory mapped files\" (Glen Dayton, 2022)"},
    {"wc_measurements", role::published, "\"Measuring I/O performance using a wc-like program\""},
    {"bitflux", role::published, "\"io_uring is faster than mmap\" (bitflux, 2025), and its critics"},
    {"zlib", role::published, "zlib, as it is installed here"},
    {"pipe", role::published, "the tool of a format, as it is installed here"},
    {"perl", role::published, "perl, as it is installed here"},
    {"wc", role::published, "wc(1), as it is installed here"},
}};

const program_info* find_program_info(std::string_view name) noexcept {
  const auto* const found = std::ranges::find(programs, name, &program_info::name);
  return found == programs.end() ? nullptr : found;
}

}  // namespace

role role_of_program(std::string_view program) noexcept {
  const program_info* const known = find_program_info(program);
  return known != nullptr ? known->role : role::published;
}

std::string_view origin_of(std::string_view program) noexcept {
  const program_info* const known = find_program_info(program);
  return known != nullptr ? known->origin : std::string_view{};
}

std::optional<std::string> contender_method_named(std::string_view name) {
  if (!method_named(name) && name != "memory" && name != "process") return std::nullopt;
  return std::string(name);
}

const method_info* method_of(std::string_view name) noexcept {
  const std::optional<method> known = method_named(name);
  return known ? find_method(*known) : nullptr;
}

}  // namespace riffle::bench
