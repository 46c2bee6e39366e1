/// The programs and the limits by their names: one table each.
#include "bench/data/contender.hpp"

#include <algorithm>

namespace riffle::bench {

namespace {

struct program_info {
  std::string_view name;
  std::string_view origin;
};

constexpr std::array<program_info, 14> programs{{
    {"limit", "a part of the work alone, measured in the same rounds"},
    {"riffle", "riffle itself"},
    {"command", "a command of yours"},
    {"peer", "another program"},
    {"nvwa", "nvwa's line and byte readers (Wu Yongwei, 2016 and 2017)"},
    {"ioaccess", "\"Which is fastest: read, fread, ifstream or mmap?\" (Daniel Lemire, 2012)"},
    {"readahead", "read(2) and posix_fadvise(2) or threads, as databases read ahead"},
    {"mapped", "\"Memory mapped files\" (Glen Dayton, 2022)"},
    {"wc_measurements", "\"Measuring I/O performance using a wc-like program\""},
    {"bitflux", "\"io_uring is faster than mmap\" (bitflux, 2025), and its critics"},
    {"zlib", "zlib, as it is installed here"},
    {"pipe", "the tool of a format, as it is installed here"},
    {"perl", "perl, as it is installed here"},
    {"wc", "wc(1), as it is installed here"},
}};

}  // namespace

std::string_view origin_of(std::string_view program) noexcept {
  const auto* const known = std::ranges::find(programs, program, &program_info::name);
  return known != programs.end() ? known->origin : std::string_view{};
}

const method_info* method_of(std::string_view name) noexcept {
  const std::optional<method> known = method_named(name);
  return known ? find_method(*known) : nullptr;
}

}  // namespace riffle::bench
