/// The command-line tool: it finds the command, and reports what ends it.
#include <fmt/core.h>
#include <riffle/kernels.hpp>
#include <riffle/methods.hpp>
#include <riffle/version.hpp>

#include <string>

#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/generate/generate.hpp"
#include "cli/os/system.hpp"
#include "cli/output.hpp"
#include "cli/wc/wc.hpp"

namespace riffle::cli {

namespace {

// `where` is the command line so far, for the remedy.
int refuse(const text::usage_error& wrong, std::string_view where, int status) {
  complain(fmt::format("riffle: {} (see {} --help)", wrong.what(), where));
  return status;
}

int run_command(const command& self, std::span<char*> words) {
  try {
    return self.run(self, words);
  } catch (const text::usage_error& wrong) {
    return refuse(wrong, fmt::format("riffle {}", self.name), self.usage_status);
  } catch (const output_lost&) {
    throw;
  } catch (const error& failed) {
    complain("riffle: " + as_typed(failed, {.running = &self, .seen = {}}));
    return failure;
  }
}

// Whether the program was started by a link of the name wc.
bool called_as_wc(std::span<char*> words) {
  if (words.empty()) return false;
  const std::string_view name = words[0];
  return name.substr(name.rfind('/') + 1) == wc_called_command.name;
}

// The version, and the SIMD kernels with the kind of processor for which they were chosen.
std::string version_in_words() {
  const std::string_view measured = measured_processor();
  return fmt::format(
      "riffle {}\n{}, {}\n", version(), active_kernel().description,
      measured.empty() ? "not measured on this processor" : fmt::format("measured on {}", measured));
}

// What an option of the tool itself prints. Only --generate takes an argument.
std::string answer_to(const option& asked, std::string_view argument, std::span<char* const> rest) {
  if (&asked == tool_command.help) return help_of_tool();
  if (!asked.takes_argument()) return version_in_words();
  return generated(argument, rest);
}

int run_tool(std::span<char*> words) {
  if (called_as_wc(words)) return run_command(wc_called_command, words);
  const option* asked = nullptr;  // the first option, which ends the command line
  std::string_view argument;
  std::size_t first = 1;
  if (words.size() < 2 || *words[1] == '-') {
    first = parse_leading(tool_command.options, words, [&](const option& each, std::string_view value) {
      if (asked != nullptr) return;
      asked = &each;
      argument = value;
    });
  }
  const std::span<char*> rest = words.subspan(first);
  if (asked != nullptr) {
    write(answer_to(*asked, argument, rest));
    return success;
  }
  if (rest.empty()) throw text::usage_error("no command; name one, such as wc");
  const auto [found, length] = command_in(rest[0], rest.size() > 1 ? rest[1] : "");
  return run_command(*found, rest.subspan(length - 1));
}

}  // namespace

}  // namespace riffle::cli

int main(int argc, char** argv) {
  using namespace riffle::cli;
  const std::span<char*> words = riffle::os::start_program(argc, argv);
  try {
    const int status = run_tool(words);
    flush_output();
    return status;
  } catch (const riffle::text::usage_error& wrong) {
    return refuse(wrong, "riffle", usage);
  } catch (const output_lost& lost) {
    return wc_messages(called_as_wc(words) ? words[0] : nullptr).lost(lost);
  } catch (const std::exception& lost) {
    complain(lost);
    return failure;
  }
}
