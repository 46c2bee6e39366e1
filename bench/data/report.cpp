/// The programs by their names, and answers. Numbers are compared by their digits, as no double holds every
/// decimal fraction.
#include "bench/data/report.hpp"

#include <charconv>

#include "text/typed.hpp"

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

constexpr std::string_view digits = "0123456789";
constexpr std::size_t longest_whole = 40;  // digits of a number that is written without an exponent

std::string_view take_digits(std::string_view& from) {
  const std::string_view taken = from.substr(0, from.find_first_not_of(digits));
  from.remove_prefix(taken.size());
  return taken;
}

bool take(std::string_view& from, std::string_view one_of) {
  if (from.empty() || one_of.find(from.front()) == std::string_view::npos) return false;
  from.remove_prefix(1);
  return true;
}

}  // namespace

std::string_view origin_of(std::string_view program) noexcept {
  const auto* const known = std::ranges::find(programs, program, &program_info::name);
  return known != programs.end() ? known->origin : std::string_view{};
}

const method_info* method_of(std::string_view name) noexcept {
  const std::optional<method> known = method_named(name);
  return known ? find_method(*known) : nullptr;
}

std::string prefixed(std::string_view program, std::string_view name) {
  if (program.empty() || program == "peer") return std::string(name);
  return std::string(program) + '/' + std::string(name);
}

std::optional<std::string> number_in(std::string_view text) {
  text = text::trimmed(text);
  const bool negative = text.starts_with('-');
  take(text, "+-");
  std::string value(take_digits(text));
  std::int64_t exponent = 0;
  if (take(text, ".")) {
    const std::string_view fraction = take_digits(text);
    value += fraction;
    exponent = -static_cast<std::int64_t>(fraction.size());
  }
  if (value.empty()) return std::nullopt;
  if (take(text, "eE")) {
    constexpr std::size_t most = 9;  // digits
    const int sign = text.starts_with('-') ? -1 : 1;
    take(text, "+-");
    const std::string_view given = take_digits(text);
    if (given.empty() || given.size() > most) return std::nullopt;
    std::int64_t power = 0;
    std::from_chars(given.data(), given.data() + given.size(), power);
    exponent += sign * power;
  }
  if (!text.empty()) return std::nullopt;
  value.erase(0, value.find_first_not_of('0'));
  if (value.empty()) return "0";
  const std::size_t last = value.find_last_not_of('0') + 1;
  exponent += static_cast<std::int64_t>(value.size() - last);
  value.resize(last);
  if (exponent >= 0 && value.size() + static_cast<std::size_t>(exponent) <= longest_whole)
    value.append(static_cast<std::size_t>(exponent), '0');
  else
    value += 'e' + std::to_string(exponent);
  return negative ? '-' + value : value;
}

std::optional<std::string> digits_in(std::string_view line, std::span<const std::size_t> places) {
  std::vector<std::string_view> all;
  while ((line = line.substr(std::min(line.find_first_of(digits), line.size()))), !line.empty())
    all.push_back(take_digits(line));
  std::string text;
  for (const std::size_t place : places) {
    if (place >= all.size()) return std::nullopt;
    text += (text.empty() ? "" : " ") + number_in(all[place]).value_or("");
  }
  return text;
}

void add_part(answer& to, std::string_view part) {
  to = {to.count + part.size(), to.sum * 0x9E3779B97F4A7C15 + std::hash<std::string_view>()(part)};
}

answer answer_of(std::string_view text) {
  const std::optional<std::string> number = number_in(text);
  const std::string_view same = number ? *number : text;
  answer all;
  const auto [end, failure] = std::from_chars(same.data(), same.data() + same.size(), all.count);
  if (number && failure == std::errc{} && end == same.data() + same.size()) return all;
  all = no_text;
  add_part(all, same);
  return all;
}

}  // namespace riffle::bench
