/// Escapes what JSON cannot hold. The tool has no library for JSON, which only the benchmark needs.
#include "cli/json.hpp"

#include <fmt/core.h>

#include <cmath>

#include "text/columns.hpp"

namespace riffle::cli {

std::string json_string(std::string_view text) {
  std::string quoted = "\"";
  for (const char each : text) {
    if (each == '"' || each == '\\') quoted += '\\';
    quoted += each;
  }
  return text::with_escapes(quoted) + "\"";
}

json_row json_row::of_file(std::string_view name) {
  json_row row;
  row.add("file", name);
  if (text::as_utf8(name) == name) return row;
  std::string bytes;
  for (const char each : name) bytes += fmt::format("{:02x}", static_cast<unsigned char>(each));
  return row.add("file_bytes", bytes);
}

json_row json_row::of_total(std::uint64_t files) {
  json_row row;
  return row.add_raw("total", "true").add("files", files);
}

json_row& json_row::add(std::string_view key, std::string_view value) {
  return add_raw(key, json_string(value));
}
template <std::floating_point T>
json_row& json_row::add(std::string_view key, T value) {
  return std::isfinite(value) ? add_raw(key, fmt::format("{}", value)) : add_null(key);
}
template json_row& json_row::add(std::string_view, float);
template json_row& json_row::add(std::string_view, double);

json_row& json_row::add_raw(std::string_view key, std::string_view value) {
  if (text_.size() > 1) text_ += ',';
  text_.append("\"").append(key).append("\":").append(value);
  return *this;
}

}  // namespace riffle::cli
