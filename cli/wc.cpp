/// Why this file exists: `riffle wc`: lines, words, characters and bytes, as GNU wc counts and prints them.
#include <fmt/format.h>
#include <riffle/blocks.hpp>
#include <riffle/methods.hpp>
#include <riffle/parallel.hpp>
#include <riffle/scan.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "cli/command.hpp"

namespace riffle::cli {

namespace {

struct wanted {
  bool lines = false;
  bool words = false;
  bool characters = false;
  bool bytes = false;
};

// The counts of a part of a file. Parts can be added up, from left to right: a word cut in two is counted
// once.
struct counts {
  std::uint64_t lines = 0;
  std::uint64_t words = 0;
  std::uint64_t characters = 0;
  std::uint64_t bytes = 0;
  bool starts_in_word = false;
  bool ends_in_word = false;

  friend counts operator+(const counts& left, const counts& right) {
    if (left.bytes == 0) return right;
    if (right.bytes == 0) return left;
    const std::uint64_t twice = left.ends_in_word && right.starts_in_word ? 1 : 0;
    return {left.lines + right.lines,
            left.words + right.words - twice,
            left.characters + right.characters,
            left.bytes + right.bytes,
            left.starts_in_word,
            right.ends_in_word};
  }
};

counts count(std::string_view part, const wanted& what) {
  counts result;
  if (part.empty()) return result;
  result.bytes = part.size();
  if (what.lines) result.lines = count_lines(part);
  if (what.words) result.words = count_words(part);
  if (what.characters) result.characters = count_utf8(part);
  result.starts_in_word = !white_space.contains(part.front());
  result.ends_in_word = !white_space.contains(part.back());
  return result;
}

// Lines and words are counted piece by piece, so that the second look at a piece finds it in the cache.
counts count_in_pieces(std::string_view part, const wanted& what) {
  constexpr std::size_t piece = 64 * 1024;
  counts result;
  for (; !part.empty(); part.remove_prefix(std::min(piece, part.size()))) {
    result = result + count(part.substr(0, piece), what);
  }
  return result;
}

struct row {
  counts numbers;
  std::string name;
};

class word_count {
 public:
  reading_arguments reading;
  wanted what;

  int run() {
    if (!what.lines && !what.words && !what.characters && !what.bytes) what = {true, true, false, true};
    width_ = column_width();
    counts total;
    const int status =
        for_each_file(reading.files, [&](const std::string& name) { count_file(name, total); });
    if (reading.files.size() > 1) print({total, "total"});
    return status;
  }

 private:
  // What was counted before a failure is printed all the same, as GNU wc does; the failure is told and ends
  // in status 1.
  void count_file(const std::string& name, counts& total) {
    counts sum;
    const auto finish = [&] {
      total.lines += sum.lines;
      total.words += sum.words;
      total.characters += sum.characters;
      total.bytes += sum.bytes;
      print({sum, name == "-" && reading.files.size() == 1 ? "" : name});
    };
    if (reading.threads != 1) {
      sum = parallel_reduce(
          input_of(name), counts{}, [this](std::string_view split) { return count_in_pieces(split, what); },
          {}, {.threads = reading.threads, .delimiter = std::nullopt}, reading.options);
      return finish();
    }
    source from(input_of(name), reading.options);
    try {
      for (block next = from.next(); !next.empty(); next = from.next()) {
        const counts part = count_in_pieces(next.bytes, what);
        from.check();
        sum = sum + part;
      }
    } catch (...) {
      finish();
      throw;
    }
    finish();
  }

  // GNU wc: as wide as the sizes of all files together, and at least 7 where one of them has no size.
  int column_width() const {
    const int columns = int{what.lines} + int{what.words} + int{what.characters} + int{what.bytes};
    if (columns == 1 && reading.files.size() == 1) return 1;
    std::uint64_t total = 0;
    int least = 1;
    for (const std::string& name : reading.files) {
      std::error_code missing;  // a file that is not there has no row
      if (name == "-") {
        const facts known = examine(input_of(name));
        total += known.size;
        if (known.kind != input_kind::regular_file) least = 7;
      } else if (std::filesystem::is_regular_file(name, missing)) {
        total += std::filesystem::file_size(name, missing);
      } else if (!missing) {
        least = 7;
      }
    }
    return std::max(least, static_cast<int>(fmt::formatted_size("{}", total)));
  }

  void print(const row& counted) const {
    std::string line;
    const auto add = [&](bool wanted, std::uint64_t number) {
      if (wanted) line += fmt::format("{}{:>{}}", line.empty() ? "" : " ", number, width_);
    };
    add(what.lines, counted.numbers.lines);
    add(what.words, counted.numbers.words);
    add(what.characters, counted.numbers.characters);
    add(what.bytes, counted.numbers.bytes);
    if (!counted.name.empty()) line.append(" ").append(counted.name);
    write(line.append("\n"));
  }

  int width_ = 1;
};

}  // namespace

void add_wc(CLI::App& tool, int& status) {
  auto state = std::make_shared<word_count>();
  CLI::App* command = tool.add_subcommand("wc", "Count lines, words and bytes, exactly as GNU wc does");
  command->add_flag("-l,--lines", state->what.lines, "Count newlines");
  command->add_flag("-w,--words", state->what.words, "Count words: runs of bytes that are not white space");
  command->add_flag("-m,--chars", state->what.characters, "Count UTF-8 characters");
  command->add_flag("-c,--bytes", state->what.bytes, "Count bytes");
  add_reading(*command, state->reading, true);
  command->footer(
      "Without -l -w -m -c: lines, words and bytes. White space is that of the C locale.\n\n"
      "Examples:\n"
      "  riffle wc access.log\n"
      "  riffle wc -l --threads 2 *.csv\n"
      "  zcat big.gz | riffle wc -w\n"
      "  riffle wc --method mmap --block-size 1MiB book.txt");
  command->callback([state, &status] { status = state->run(); });
}

}  // namespace riffle::cli
