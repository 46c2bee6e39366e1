/// Keeps the texts of GNU wc in one place.
#include "cli/wc/messages.hpp"

#include <fmt/core.h>
#include <riffle/error.hpp>

#include "cli/remedies.hpp"
#include "cli/wc/table.hpp"
#include "text/quoted.hpp"

namespace riffle::cli {

namespace {

using fault = option_refused::fault;
using text::quotes;
using text::shell_quoted;

// GNU wc's messages begin so, whatever folder it was called in. Those of getopt_long begin with the whole
// name.
constexpr std::string_view gnu_name = "wc";

bool is_of_system(const error& failure) {
  return failure.code().category() == std::generic_category() ||
         failure.code().category() == std::system_category();
}

std::string reason_of(const error& failure) {
  return is_of_system(failure) ? failure.code().message() : failure.what();
}

// The words of GNU's --total for an argument that it does not take.
std::string wrong_total(const std::string& typed) {
  std::size_t candidates = 0;
  for (const std::string_view word : total_words) candidates += word.starts_with(typed) ? 1U : 0U;
  std::string text =
      fmt::format("{} argument {} for {}\nValid arguments are:", candidates == 0 ? "invalid" : "ambiguous",
                  text::locale_quoted(typed), text::locale_quoted("--total"));
  for (const std::string_view word : total_words) {
    text += fmt::format("\n  - {}", text::locale_quoted(word));
  }
  return text;
}

// As the C library's getopt_long says it.
std::string in_gnu_words(const option_refused& wrong) {
  if (wrong.why == fault::unknown) {
    const bool is_long = wrong.word.starts_with("--") && wrong.word != "--";  // which is the '-' of "-l-"
    return is_long ? fmt::format("unrecognized option '{}'", wrong.word)
                   : fmt::format("invalid option -- '{}'", wrong.word.substr(1));
  }
  if (wrong.why == fault::surplus_argument) {
    return fmt::format("option '{}' doesn't allow an argument", wrong.option);
  }
  if (wrong.why == fault::missing_argument) {
    return fmt::format("option '{}' requires an argument", wrong.option);
  }
  if (wrong.why == fault::ambiguous) {
    std::string text = fmt::format("option '{}' is ambiguous; possibilities:", wrong.word);
    for (const std::string& each : wrong.candidates) text += fmt::format(" '{}'", each);
    return text;
  }
  return wrong.option == "--total" ? wrong_total(wrong.word) : wrong.what();
}

}  // namespace

void wc_messages::say(std::string_view text) const {
  say_as(gnu_name, text);
}

void wc_messages::say_as(std::string_view name, std::string_view text) const {
  flush_output();
  if (!as_gnu()) return complain(fmt::format("riffle: {}", text));
  write_error(fmt::format("{}: {}\n", name, text));
}

void wc_messages::file_failed(const std::string& name, const std::exception_ptr& failure,
                              const cli::arguments& given) const {
  flush_output();
  try {
    if (as_gnu()) std::rethrow_exception(failure);
  } catch (const output_lost&) {
    throw;
  } catch (const error& told) {
    if (!is_of_system(told)) return say(as_typed(told, given));  // which GNU wc has no words for
    return say(fmt::format("{}: {}", shell_quoted(name.empty() ? "standard input" : name), reason_of(told)));
  } catch (const std::bad_alloc&) {
    return say("memory exhausted");
  }
  complain_of_file(name.empty() ? "-" : name, failure, given);
}

void wc_messages::list_failed(list_step step, const std::string& list, const error& failure) const {
  const std::string quoted = shell_quoted(list, quotes::always);
  say(!as_gnu()                    ? failure.what()
      : step == list_step::opening ? fmt::format("cannot open {} for reading: {}", quoted, reason_of(failure))
      : step == list_step::at_once
          ? fmt::format("cannot read file names from {}", quoted)
          : fmt::format("{}: read error: {}", shell_quoted(list), reason_of(failure)));
}

void wc_messages::input_closed() const {
  if (as_gnu()) say(fmt::format("-: {}", std::make_error_code(std::errc::bad_file_descriptor).message()));
}

int wc_messages::try_help(std::string_view name, const std::string& text) const {
  say_as(name, as_gnu() ? fmt::format("{}\nTry '{} --help' for more information.", text, called_)
                        : fmt::format("{} (see riffle wc --help)", text));
  return failure;
}

int wc_messages::refused(const text::usage_error& wrong) const {
  const auto* const option = dynamic_cast<const option_refused*>(&wrong);
  if (!as_gnu() || option == nullptr) return try_help(gnu_name, wrong.what());
  return try_help(option->why == fault::bad_argument ? gnu_name : called_, in_gnu_words(*option));
}

int wc_messages::extra_operand(const std::string& operand) const {
  return try_help(gnu_name,
                  fmt::format("extra operand {}{}file operands cannot be combined with --files0-from",
                              shell_quoted(operand, quotes::always), as_gnu() ? "\n" : "; "));
}

int wc_messages::lost(const output_lost& failure) const {
  write_error(as_gnu() ? fmt::format("{}: write error: {}\n", gnu_name, reason_of(failure))
                       : fmt::format("riffle: {}\n", failure.what()));
  return cli::failure;
}

}  // namespace riffle::cli
