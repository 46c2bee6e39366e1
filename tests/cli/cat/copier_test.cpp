/// Drawn inputs and options give what a plain loop over the lines gives, by every method and block size.
#include <fcntl.h>
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "cli/cat/copier.hpp"
#include "tests/support/oracles.hpp"
#include "tests/support/support.hpp"

namespace riffle::cli {
namespace {

using test::fed_pipe;
using test::owned_descriptor;
using test::temporary_file;

// What the copier does, line by line.
class plain_copier {
 public:
  explicit plain_copier(const cat_arguments& given) : given_(given) {}

  void copy(const std::string& text) {
    const std::vector<std::string> lines =
        test::naive_lines(text, {.delimiter = given_.delimiter, .keep_delimiter = true});
    std::uint64_t first = 0;
    std::uint64_t last = lines.size();
    if (given_.span) {
      first = std::min<std::uint64_t>(given_.span->first - 1, last);
      last = std::max(std::min(given_.span->last, last), first);
    }
    if (given_.tail) first = last - std::min(*given_.tail, last);
    if (given_.span || given_.tail) {
      number_ = first + 1;
      at_start_ = true;
    }
    for (; first != last; ++first) add(lines[first]);
    if (given_.strip_cr && !at_start_) {
      if (out.ends_with('\r') && cr_is_new_) out.pop_back();
      out += given_.ending();
      at_start_ = true;
    }
  }

  std::string out = {};

 private:
  void add(std::string line) {
    if (at_start_ && given_.number) out += fmt::format("{:>6}\t", number_++);
    at_start_ = line.back() == given_.delimiter;
    if (at_start_) line.pop_back();
    cr_is_new_ = line.ends_with('\r');
    if (at_start_ && given_.strip_cr && cr_is_new_) line.pop_back();
    out += line;
    if (at_start_) out += given_.ending();
  }

  const cat_arguments& given_;
  std::uint64_t number_ = 1;
  bool at_start_ = true;
  bool cr_is_new_ = false;
};

class draw {
 public:
  explicit draw(unsigned seed) : random_(seed) {}

  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
  bool one_of(std::uint64_t bound) { return below(bound) == 0; }

  // Lines of all lengths, with '\r', NUL and 'x' here and there, and perhaps an end without a delimiter.
  std::string text() {
    constexpr std::string_view bytes("abcx\0\r\r", 7);
    const std::uint64_t count = one_of(20) ? 20'000 : below(30);
    const std::uint64_t longest = one_of(10) ? 100'000 / (count + 1) + 8 : 8;
    std::string result;
    for (std::uint64_t line = 0; line != count; ++line) {
      for (std::uint64_t left = below(longest); left != 0; --left) result += bytes[below(bytes.size())];
      result += one_of(3) ? "\r\n" : "\n";
    }
    if (!one_of(3) && !result.empty())
      result.resize(result.size() - below(std::min<std::size_t>(result.size(), 3)));
    return result;
  }

  cat_arguments options() {
    cat_arguments given;
    if (one_of(4)) given.delimiter = std::string_view("x\0\r", 3)[below(3)];
    if (one_of(3)) given.to_delimiter = "\n;"[below(2)];
    given.whole_lines = one_of(3);
    given.strip_cr = one_of(3);
    given.number = one_of(3);
    const std::uint64_t lines = one_of(3) ? below(25'000) : below(12);
    if (one_of(4)) {
      given.tail = lines;
    } else if (one_of(3)) {
      given.span = line_span{.last = lines};
    } else if (one_of(3)) {
      given.span = line_span{lines + 1, one_of(2) ? all_lines : lines + 1 + below(10)};
    }
    return given;
  }

 private:
  std::mt19937_64 random_;
};

std::string shown(const cat_arguments& given) {
  const auto number = [](const auto& value) { return value ? std::to_string(*value) : std::string("-"); };
  return fmt::format("delimiter {} to {} lines {} strip {} number {} span {}:{} tail {} method {} block {}",
                     int{given.delimiter}, int{given.ending()}, given.whole_lines, given.strip_cr,
                     given.number, given.span ? std::to_string(given.span->first) : "-",
                     given.span ? std::to_string(given.span->last) : "-", number(given.tail),
                     name_of(given.options.method), given.options.block_size);
}

class output_file {
 public:
  int descriptor() const { return opened_.get(); }
  std::string contents() const { return file_.contents(); }

 private:
  temporary_file file_;
  owned_descriptor opened_{::open(file_.path().c_str(), O_WRONLY)};
};

TEST(copier, gives_what_a_plain_loop_gives) {
  const std::vector<method> for_files = test::usable_methods();
  const std::vector<method> for_pipes = test::usable_methods(input_kind::stream);
  draw any(15);
  for (int round = 0; round != 250; ++round) {
    cat_arguments given = any.options();
    const bool piped = any.one_of(3);
    const std::vector<method>& usable = piped ? for_pipes : for_files;
    given.options.method = usable[any.below(usable.size())];
    if (any.one_of(2)) given.options.block_size = any.one_of(2) ? 1 + any.below(9) : 1 + any.below(50'000);
    plain_copier expected(given);
    const output_file output;
    cat_output out(output.descriptor());
    copier copying(given, out, nullptr);
    for (std::uint64_t left = 1 + any.below(2); left != 0; --left) {
      std::string text = any.text();
      // A system call for each byte, and more of them
      if (given.options.block_size != 0 && text.size() / given.options.block_size > 3000) text.resize(3000);
      expected.copy(text);
      if (piped) {
        const fed_pipe pipe(text, 1 + any.below(9000));
        copying.copy(source(pipe.get(), given.options), {.threads = 1});
      } else {
        const temporary_file file(text);
        copying.copy(source(file.path(), given.options), {.threads = 1});
      }
    }
    ASSERT_EQ(output.contents().size(), expected.out.size()) << shown(given);
    ASSERT_TRUE(output.contents() == expected.out) << shown(given);
  }
}

}  // namespace
}  // namespace riffle::cli
