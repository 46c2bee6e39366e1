/// The facts of an input and the automatic choice, as lines.
#include "cli/advise.hpp"

#include <fmt/core.h>

#include <riffle/methods.hpp>

#include <exception>

#include "cli/output.hpp"
#include "cli/reading.hpp"
#include "text/shown.hpp"
#include "text/typed.hpp"

namespace riffle::cli {

namespace {

std::string_view kind_text(input_kind kind) {
  switch (kind) {
    case input_kind::regular_file:
      return "regular file";
    case input_kind::block_device:
      return "block device";
    case input_kind::stream:
      return "pipe, socket, terminal or device";
    case input_kind::file_pointer:
      return "FILE*";
    case input_kind::istream:
      return "std::istream";
    case input_kind::object:
      return "object";
    case input_kind::memory:
      return "memory";
  }
  return "unknown";
}

std::string format_line(const decoder_info& info) {
  if (!info.unavailable.empty())
    return fact_line("compressed", fmt::format("{}: {}", info.name, info.unavailable));
  const std::string_view threads = info.parts.empty() ? "one thread decodes it" : "several threads share ";
  return fact_line("compressed", fmt::format("{}, decoded by {}: {}{}; read it with --decompress", info.name,
                                             info.library, threads, info.parts));
}

}  // namespace

int advise_each(const advise_arguments& given, const std::function<void(const std::string&)>& advise) {
  int status = success;
  for (const std::string& file : given.files) {
    try {
      advise(file);
    } catch (...) {
      complain_of_file(file, std::current_exception(), given);
      status = failure;
    }
  }
  return status;
}

std::string fact_line(std::string_view what, std::string_view value) {
  return value.empty() ? std::string() : fmt::format("  {:<12} {}\n", what, text::printable(value));
}

std::string advice_lines(const std::string& name, const facts& known, const std::string& place,
                         const std::function<std::string(const read_options&)>& code) {
  const choice chosen = choose(known);
  const decoder_info* const format = find_decoder(decoding_of(input_of(name)));
  read_options reading{.method = chosen.method, .block_size = chosen.block_size};
  reading.decode = format != nullptr ? decoding::automatic : decoding::none;
  std::string lines = (name == "-" ? "standard input" : text::printable(name)) + "\n";
  lines += fact_line("kind", kind_text(known.kind));
  if (known.size != 0) lines += fact_line("size", text::human_size(known.size));
  lines += fact_line("file system", known.file_system);
  if (format != nullptr) lines += format_line(*format);
  lines += place;
  if (known.cached) lines += fact_line("in cache", fmt::format("{:.0f} %", *known.cached * 100));
  lines += fact_line("method", name_of(chosen.method)) +
           fact_line("block size", text::human_size(chosen.block_size)) + fact_line("why", chosen.reason);
  if (code) lines += fact_line("C++", code(reading));
  std::string flags = fmt::format("--method {}", name_of(chosen.method));
  if (chosen.block_size != 0) flags += " --block-size " + text::short_size(chosen.block_size);
  if (format != nullptr) flags += " --decompress";
  return lines + fact_line("flags", flags) + unavailable_lines();
}

std::string unavailable_lines() {
  std::string lines;
  for (const method_info& info : methods()) {
    if (const auto reason = info.unavailable()) lines += fact_line(info.name, "not available: " + *reason);
  }
  return lines;
}

}  // namespace riffle::cli
