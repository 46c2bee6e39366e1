/// Reads the words of a command line by GNU's grammar, for every command by its table.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/command.hpp"

namespace riffle::cli {

/// A word that cannot be used as an option, in parts, for a command that reports it in words of its own.
struct option_refused : text::usage_error {
  enum class fault : std::uint8_t { unknown, ambiguous, surplus_argument, missing_argument, bad_argument };

  option_refused(fault kind, const std::string& text, std::string typed, std::string name = {},
                 std::vector<std::string> others = {})
      : usage_error(text),
        why(kind),
        word(std::move(typed)),
        option(std::move(name)),
        candidates(std::move(others)) {}

  fault why;
  std::string word;    // as typed: "--foo=3", "-x"; of a bad argument, the argument
  std::string option;  // the name in full: "--lines"
  std::vector<std::string> candidates;
};

/// Fills `given` from the words after words[0]: options and operands in any order, long options abbreviated,
/// short ones bundled, only operands after "--". If POSIXLY_CORRECT is set, options end at the first
/// operand. Returns nullptr, or the option that ends the command line, such as --help. Throws
/// text::usage_error; option_refused for an option. Not for two threads at a time: the C library keeps its
/// place in global variables.
const option* parse(const command& self, std::span<char*> words, arguments& given);

/// Returns whether one of the options that this one `needs` was seen. It needs some.
bool has_needs(const option& wanted, const arguments& given);

/// Calls `seen` for each option before the first operand, with its argument.
/// Returns how many words those are, words[0] included.
std::size_t parse_leading(std::span<const option> options, std::span<char*> words,
                          const std::function<void(const option&, std::string_view)>& seen);

/// Notes in `chosen` the name of the option that is being set: of several only one may be given, perhaps
/// again. Throws text::usage_error, which lists `all` of them, if it was another one.
void use_one(std::string_view& chosen, const arguments& given, std::string_view all);

/// "; did you mean '--lines'?"; empty without a name.
std::string did_you_mean(const std::string& name);

/// The error for a word that names none of the things an
/// option takes: "no such method; use one of read, mmap".
text::usage_error no_such(std::string_view noun, const std::vector<std::string_view>& names);

/// Whether RIFFLE_KERNEL is unset or names a SIMD kernel of this machine; says what is wrong.
bool kernel_is_known();

/// What `command::run` is: parses, and calls `work` unless the help was asked for. `work` may complete what
/// was given.
template <class Arguments, auto work>
int run(const command& self, std::span<char*> words) {
  Arguments given;
  if (parse(self, words, given) != nullptr) return print_help(self);
  if (!kernel_is_known()) return self.usage_status;
  if constexpr (requires { given.lists; }) {  // of commands that read files
    if (!given.lists.empty()) add_listed_files(given);
  }
  return work(given);
}

}  // namespace riffle::cli
