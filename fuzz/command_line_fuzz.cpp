/// Any words on a command line are parsed or refused with a text, by every command, without doing its work.
#include <fcntl.h>
#include <fuzzer/FuzzedDataProvider.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "fuzz/delivery.hpp"
#include "text/typed.hpp"

namespace riffle::fuzz {
namespace {

using text::usage_error;

// What getopt_long permutes: arrays that end in a null pointer.
class word_list {
 public:
  explicit word_list(std::vector<std::string> words) : words_(std::move(words)) {
    for (std::string& word : words_) places_.push_back(word.data());
    places_.push_back(nullptr);
  }
  std::span<char*> words() { return std::span(places_).first(words_.size()); }

 private:
  std::vector<std::string> words_;
  std::vector<char*> places_;
};

// The words of the run: some from the fuzzer, some the names of options.
std::vector<std::string> words_of(FuzzedDataProvider& from, const cli::command& self) {
  std::vector<std::string> words{self.name};
  while (from.remaining_bytes() != 0 && words.size() < 12) {
    const unsigned kind = from.ConsumeIntegralInRange<unsigned>(0, 3);
    std::string word = from.ConsumeRandomLengthString(40);
    word.erase(std::min(word.find('\0'), word.size()));
    if (kind != 0 && !self.options.empty()) {
      const cli::option& named =
          self.options[from.ConsumeIntegralInRange<std::size_t>(0, self.options.size() - 1)];
      std::string name = std::string("--") + named.name;
      if (kind == 1) name.resize(2 + from.ConsumeIntegralInRange<std::size_t>(1, name.size() - 2));
      if (kind == 2) {
        words.push_back(name);
      } else {
        word.insert(0, name + "=");
      }
    }
    words.push_back(std::move(word));
  }
  return words;
}

// Every option of a real command. "--help" ends the parsing before the command works: twice, because an
// option before it may take one as its argument; and no "--" makes it an operand.
void check_command(FuzzedDataProvider& from) {
  const auto all = cli::commands();
  const cli::command& self = *all[from.ConsumeIntegralInRange<std::size_t>(0, all.size() - 1)];
  std::vector<std::string> words = words_of(from, self);
  std::erase(words, "--");
  words.insert(words.end(), {"--help", "--help"});
  word_list line(std::move(words));
  try {
    const int status = self.run(self, line.words());
    const bool told =
        self.name == std::string_view("wc") && status == cli::failure;  // in the words of GNU wc
    require(status == cli::success || told, "the help succeeds");
  } catch (const usage_error& refused) {
    require(*refused.what() != '\0', "a refusal says why");
  }
}

// A command with options of every kind, which counts what it is given.
struct counted : cli::arguments {
  std::size_t options = 0;
  std::size_t values = 0;
  std::size_t operands = 0;
};
void add_option(cli::arguments& given, std::string_view value) {
  static_cast<counted&>(given).options += 1;
  static_cast<counted&>(given).values += value.data() == nullptr ? 0U : 1U;
}
void add_operand(cli::arguments& given, std::string_view value) {
  if (value == "refused") throw usage_error("refused");
  static_cast<counted&>(given).operands += 1;
}
constexpr std::array options{
    cli::option{.name = "all", .short_form = 'a', .set = add_option},
    cli::option{.name = "also", .set = add_option},
    cli::option{.name = "by", .short_form = 'b', .argument = "N", .needs = "all", .set = add_option},
    cli::option{.name = "bytes", .argument = "N", .set = add_option},
    cli::option{.name = "c", .short_form = 'c', .set = add_option}};

void check_grammar(FuzzedDataProvider& from) {
  const cli::command self{
      .name = "fuzz",
      .options = options,
      .operands = {.name = "FILE", .least = from.ConsumeBool() ? 0U : 1U, .set = add_operand}};
  word_list line(words_of(from, self));
  const std::size_t words = line.words().size();
  counted given;
  try {
    if (cli::parse(self, line.words(), given) != nullptr) return;
  } catch (const usage_error& refused) {
    require(*refused.what() != '\0', "a refusal says why");
    return;
  }
  require(given.operands >= self.operands.least, "the least operands are there");
  require(given.operands < words && given.values <= given.options, "each word is used once");
}

// A number that is accepted is in its range.
void check_values(FuzzedDataProvider& from) {
  const auto least = from.ConsumeIntegral<std::uint64_t>();
  const auto most = from.ConsumeIntegral<std::uint64_t>();
  const std::string word = from.ConsumeRemainingBytesAsString();
  const auto accepted = [](auto parse) {
    try {
      return parse();
    } catch (const usage_error& refused) {
      require(*refused.what() != '\0', "a refusal says why");
      return true;
    }
  };
  const auto within = [&](std::uint64_t value) { return least > most || (value >= least && value <= most); };
  require(accepted([&] { return within(text::parse_number(word, least, most)); }),
          "a number is in its range");
  require(accepted([&] { return within(text::parse_size(word, least, most)); }), "a size is in its range");
  require(accepted([&] { return text::parse_seconds(word) > 0; }), "seconds are above 0");
  require(accepted([&] { return !text::parse_bytes(word).empty(); }), "a list of bytes has one");
  require(accepted([&] { return text::parse_bytes(word) == std::string(1, text::parse_byte(word)); }),
          "a byte is a list of one");
}

}  // namespace
}  // namespace riffle::fuzz

extern "C" int LLVMFuzzerInitialize(int* /*count*/, char*** /*words*/) {
  ::unsetenv("POSIXLY_CORRECT");
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  riffle::fuzz::require(nowhere >= 0 && ::dup2(nowhere, STDOUT_FILENO) >= 0, "the help goes nowhere");
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace riffle::fuzz;
  FuzzedDataProvider from(data, size);
  constexpr void (*checks[])(FuzzedDataProvider&) = {check_command, check_command, check_grammar,
                                                     check_values};
  from.PickValueInArray(checks)(from);
  return 0;
}
