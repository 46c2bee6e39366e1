/// Why this file exists: `riffle wc`: lines, words, characters and bytes, as GNU wc counts and prints them.
#include <fmt/format.h>
#include <riffle/blocks.hpp>
#include <riffle/parallel.hpp>
#include <riffle/scan.hpp>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iterator>
#include <memory>
#include <utility>

#include "cli/files.hpp"

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

class word_count {
 public:
  reading_arguments reading;
  wanted what;

  int run() {
    if (!what.lines && !what.words && !what.characters && !what.bytes) what = {true, true, false, true};
    std::vector<glance> glances;
    const int columns = int{what.lines} + int{what.words} + int{what.characters} + int{what.bytes};
    if (columns > 1 || reading.files.size() > 1) glances = look_at(reading);
    width_ = column_width(glances);
    counts total;
    const int status = read_files<counts>(
        reading, std::bind_front(&word_count::count_file, this),
        [&](const std::string& name, const counts& sum) {
          total.lines += sum.lines;
          total.words += sum.words;
          total.characters += sum.characters;
          total.bytes += sum.bytes;
          print(sum, name == "-" && reading.files.size() == 1 ? "" : name);
        },
        std::move(glances));
    if (reading.files.size() > 1) print(total, "total");
    return status;
  }

 private:
  // What was counted before a failure is printed all the same, as GNU wc does; the failure is told and ends
  // in status 1.
  void count_file(const std::string& name, unsigned threads, std::optional<counts>& sum) const {
    if (threads != 1) {
      sum = parallel_reduce(
          input_of(name), counts{}, [this](std::string_view split) { return count_in_pieces(split, what); },
          [&sum](const counts& left, const counts& right) { return *(sum = left + right); },
          {.threads = threads, .delimiter = std::nullopt}, reading.options);
      return;
    }
    source from(input_of(name), reading.options);
    sum.emplace();
    for (block next = from.next(); !next.empty(); next = from.next()) {
      const counts part = count_in_pieces(next.bytes, what);
      from.check();
      sum = *sum + part;
    }
  }

  // GNU wc: as wide as the sizes of all files together, and at least 7 where one of them has no size.
  static int column_width(const std::vector<glance>& glances) {
    std::uint64_t total = 0;
    int least = 1;
    for (const glance& known : glances) {
      total += known.size;
      const bool sized = known.type == std::filesystem::file_type::regular ||
                         known.type == std::filesystem::file_type::not_found;  // no file has no row
      if (!sized) least = 7;
    }
    return std::max(least, static_cast<int>(fmt::formatted_size("{}", total)));
  }

  void print(const counts& counted, std::string_view name) const {
    fmt::memory_buffer line;
    const auto add = [&](bool wanted, std::uint64_t number) {
      if (wanted)
        fmt::format_to(std::back_inserter(line), "{}{:>{}}", line.size() == 0 ? "" : " ", number, width_);
    };
    add(what.lines, counted.lines);
    add(what.words, counted.words);
    add(what.characters, counted.characters);
    add(what.bytes, counted.bytes);
    fmt::format_to(std::back_inserter(line), "{}{}\n", name.empty() ? "" : " ", name);
    write({line.data(), line.size()});
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
