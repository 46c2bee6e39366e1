/// Finds the options by the C library's getopt_long. The messages are riffle's.
#include "cli/command_line.hpp"

#include <fmt/core.h>
#include <getopt.h>
#include <riffle/error.hpp>
#include <riffle/fields.hpp>
#include <riffle/kernels.hpp>

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include "cli/command.hpp"
#include "cli/output.hpp"
#include "text/shown.hpp"
#include "text/typed.hpp"

namespace riffle::cli {

namespace {

using text::usage_error;
using fault = option_refused::fault;

// getopt_long returns this for the long form of the first option. It is above every character.
constexpr int first_long = 256;

/// One pass over the words of a command line.
class scan {
 public:
  /// `order` is "+" if options end at the first operand, "" if they are found anywhere.
  scan(std::span<const option> options, const option& help, std::span<char*> words, std::string_view order)
      : options_(options), help_(help), words_(words), short_forms_(order) {
    short_forms_ += ':';
    // glibc asks for it by itself, musl does not.
    if (order.empty() && std::getenv("POSIXLY_CORRECT") != nullptr) short_forms_.insert(0, 1, '+');
    for (std::size_t index = 0; index != options.size(); ++index) {
      add(options[index], index);
    }
    add(help, options.size());
    // GNU's tables end in --help and --version.
    if (long_forms_.size() > 1 && named(long_forms_.end()[-2].val).set == nullptr)
      std::swap(long_forms_.back(), long_forms_.end()[-2]);
    long_forms_.push_back({});
    opterr = 0;
    optind = 0;  // starts anew
  }

  /// The next option, and its argument, without data if it has none; nullptr after the last one. Throws
  /// usage_error.
  const option* next(std::string_view& argument) {
    before_.assign(words_.begin(), words_.end());
    const int found = getopt_long(static_cast<int>(words_.size()), words_.data(), short_forms_.c_str(),
                                  long_forms_.data(), nullptr);
    if (found == -1) return nullptr;
    const option* full = nullptr;
    if (found == '?' && optopt == 0) {
      full = spelled_in_full();
    }
    if (full == nullptr && (found == '?' || found == ':')) refuse(found == ':');
    argument = optarg == nullptr ? std::string_view() : optarg;
    return full != nullptr ? full : &named(found);
  }
  /// After the last option: the index of the first operand. getopt_long has moved all operands to the end.
  std::size_t operands() const { return static_cast<std::size_t>(optind); }

 private:
  const option& named(int found) const {
    for (const option& each : options_) {
      if (found == each.short_form || found == first_long + (&each - options_.data())) return each;
    }
    return help_;
  }

  bool knows(int found) const {
    return found >= first_long || found == help_.short_form || &named(found) != &help_;
  }

  // The word that getopt_long did not know, if it names an option that is no part of its table. The argument
  // is then taken here, as getopt_long takes that of the others.
  const option* spelled_in_full() {
    char* const word = words_[operands() - 1];
    const std::string_view typed = name_of(word);
    for (const option& each : options_) {
      if (!each.in_full || typed != fmt::format("--{}", each.name)) continue;
      optarg = word[typed.size()] == '=' ? word + typed.size() + 1 : nullptr;
      if (!each.takes_argument() && optarg != nullptr) refuse_surplus(word, each);
      if (each.takes_argument() && optarg == nullptr) take_argument(word, typed, each);
      return &each;
    }
    return nullptr;
  }

  // The argument stands after the option. musl has moved the operands before the option to between the two.
  void take_argument(char* word, std::string_view typed, const option& each) {
    const auto place = static_cast<std::size_t>(std::ranges::find(before_, word) - before_.begin()) + 1;
    if (place == words_.size()) refuse_missing(word, typed, each);
    std::rotate(&words_[operands()], &words_[place], &words_[place] + 1);
    optarg = words_[operands()];
    ++optind;
  }

  static std::string_view name_of(std::string_view word) { return word.substr(0, word.find('=')); }

  // getopt_long does not say what is wrong. It leaves the option's value, or 0 for an unknown long option.
  [[noreturn]] void refuse(bool argument_is_missing) const {
    // The last word lacks an argument. musl has then moved words to after the end.
    const std::string_view word = argument_is_missing ? before_.back() : words_[operands() - 1];
    const std::string_view typed = name_of(word);
    const bool is_long = optopt == 0 || optopt >= first_long;
    const std::string shown = is_long ? std::string(typed) : fmt::format("-{}", static_cast<char>(optopt));
    const bool is_dash = !is_long && optopt == '-';  // "-l-", in which "--" would not be found
    if (is_long && !argument_is_missing) check_unambiguous(word);
    if (optopt == 0 || !knows(optopt)) {
      throw option_refused(fault::unknown,
                           is_dash ? fmt::format("unknown option '-' in '{}'", word)
                                   : fmt::format("unknown option '{}'{}", shown, meant_by(typed)),
                           is_long ? std::string(word) : shown);
    }
    if (argument_is_missing) refuse_missing(word, shown, named(optopt));
    refuse_surplus(word, named(optopt));
  }

  [[noreturn]] static void refuse_missing(std::string_view word, std::string_view shown, const option& each) {
    throw option_refused(fault::missing_argument,
                         fmt::format("option '{}' needs an argument: {}", shown, each.argument),
                         std::string(word), fmt::format("--{}", each.name));
  }

  [[noreturn]] static void refuse_surplus(std::string_view word, const option& each) {
    const std::string name = fmt::format("--{}", each.name);
    throw option_refused(fault::surplus_argument, fmt::format("option '{}' takes no argument", name),
                         std::string(word), name);
  }

  // Options that may not be abbreviated are meant by their abbreviations first.
  std::string meant_by(std::string_view typed) const {
    for (const option& each : options_) {
      if (!typed.starts_with("--") &&
          std::string_view(each.others).find(static_cast<char>(optopt)) != typed.npos)
        return fmt::format("; use '--{}'", each.name);
    }
    if (typed.size() < 3 || !typed.starts_with("--")) return {};
    std::vector<std::string> names{fmt::format("--{}", help_.name)};
    for (const option& each : options_) names.push_back(fmt::format("--{}", each.name));
    const auto full =
        std::ranges::find_if(names, [=](const std::string& name) { return name.starts_with(typed); });
    return did_you_mean(full == names.end() ? text::nearest(typed, names) : *full);
  }

  void check_unambiguous(std::string_view word) const {
    const std::string_view typed = name_of(word);
    std::vector<std::string> candidates;
    for (const ::option& each : std::span(long_forms_).first(long_forms_.size() - 1)) {
      const std::string name = fmt::format("--{}", each.name);
      if (name == typed) return;
      if (name.starts_with(typed)) candidates.push_back(name);
    }
    if (candidates.size() < 2) return;
    const std::string text =
        typed == "--" ? fmt::format("unknown option '{}'", word)  // "--=", which abbreviates every option
                      : fmt::format("option '{}' is ambiguous: {}", typed, text::joined(candidates, " or "));
    throw option_refused(fault::ambiguous, text, std::string(word), {}, candidates);
  }

  void add(const option& each, std::size_t index) {
    const int argument = each.takes_argument() ? required_argument : no_argument;
    if (!each.in_full)
      long_forms_.push_back({each.name, argument, nullptr, first_long + static_cast<int>(index)});
    if (each.short_form == '\0') return;
    short_forms_ += each.short_form;
    short_forms_.append(static_cast<std::size_t>(argument), ':');
  }

  std::span<const option> options_;
  const option& help_;
  std::span<char*> words_;
  std::vector<char*> before_;  // the words before getopt_long moved some
  std::string short_forms_;
  std::vector<::option> long_forms_;
};

// "--block-size '8E': too large; use at most 1G"
void store(setter set, arguments& given, const std::string& name, std::string_view value) {
  try {
    set(given, value);
  } catch (const usage_error& wrong) {
    const std::string typed = value.data() == nullptr ? "" : fmt::format(" '{}'", value);
    throw option_refused(fault::bad_argument, fmt::format("{}{}: {}", name, typed, wrong.what()),
                         std::string(value), name);
  }
}

bool was_seen(std::string_view name, const arguments& given) {
  return std::ranges::any_of(given.seen, [&](const option* each) { return each->name == name; });
}

void check_needs(const arguments& given) {
  for (const option& each : given.running->options) {
    if (each.required && !was_seen(each.name, given)) {
      throw usage_error(fmt::format("option '--{}' is missing", each.name));
    }
  }
  for (const option* each : given.seen) {
    if (each->needs != nullptr && !has_needs(*each, given)) {
      throw usage_error(fmt::format("option '--{}' needs '--{}'", each->name, each->first_need()));
    }
  }
}

void set_operands(const operand& operands, std::span<char*> words, arguments& given) {
  if (operands.name == nullptr) {
    if (!words.empty()) throw usage_error(fmt::format("unexpected argument '{}'", words.front()));
    return;
  }
  if (words.size() < operands.least) {
    throw usage_error(fmt::format("too few arguments; name at least {} {}", operands.least, operands.name));
  }
  if (operands.second != nullptr && words.size() > 2) {
    throw usage_error(fmt::format("unexpected argument '{}'; name one {} and one {}", words[2], operands.name,
                                  operands.second));
  }
  for (const char* word : words) store(operands.set, given, operands.name, word);
  if (!words.empty() || operands.preset == nullptr) return;
  if (operands.has_others == nullptr || !operands.has_others(given)) operands.set(given, operands.preset);
}

}  // namespace

const option* parse(const command& self, std::span<char*> words, arguments& given) {
  given.running = &self;
  const auto end =
      self.operands.after == nullptr ? words.end() : std::ranges::find(words, std::string_view("--"));
  const std::span<char*> after(end, words.end());
  words = {words.begin(), end};
  scan line(self.options, *self.help, words, "");
  std::string_view argument;
  while (const option* const each = line.next(argument)) {
    if (each->set == nullptr) return each;
    given.seen.push_back(each);
    store(each->set, given, fmt::format("--{}", each->name), argument);
  }
  check_needs(given);
  set_operands(self.operands, words.subspan(line.operands()), given);
  for (const char* word : after) store(self.operands.set_after, given, self.operands.after, word);
  return nullptr;
}

bool has_needs(const option& wanted, const arguments& given) {
  return std::ranges::any_of(fields(wanted.needs, whitespace),
                             [&](std::string_view name) { return was_seen(name, given); });
}

std::size_t parse_leading(std::span<const option> options, std::span<char*> words,
                          const std::function<void(const option&, std::string_view)>& seen) {
  scan line(options, help_option, words, "+");
  std::string_view argument;
  while (const option* const each = line.next(argument)) seen(*each, argument);
  return line.operands();
}

void use_one(std::string_view& chosen, const arguments& given, std::string_view all) {
  const std::string_view name = given.seen.back()->name;
  if (!chosen.empty() && chosen != name) throw usage_error(fmt::format("use only one of {}", all));
  chosen = name;
}

std::string did_you_mean(const std::string& name) {
  return name.empty() ? "" : fmt::format("; did you mean '{}'?", name);
}

usage_error no_such(std::string_view noun, const std::vector<std::string_view>& names) {
  return usage_error(fmt::format("no such {}; use one of {}", noun, text::joined(names, ", ")));
}

bool kernel_is_known() {
  if (std::getenv("RIFFLE_KERNEL") == nullptr) return true;
  try {
    static_cast<void>(kernels());
    return true;
  } catch (const error& unknown) {
    complain(unknown);
    return false;
  }
}

}  // namespace riffle::cli
