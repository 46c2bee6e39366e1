/// `wc_table`: finds the width of its columns and writes the rows.
#include "cli/wc_table.hpp"

#include <riffle/error.hpp>
#include <riffle/methods.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>

#include "cli/output.hpp"
#include "cli/reading.hpp"
#include "parallel/threads.hpp"

namespace riffle::cli {

namespace {

using namespace std::chrono_literals;

// So few files are examined beforehand. It takes less than half a millisecond, and no row waits.
constexpr std::size_t few_files = 256;
// The longest wait for the first row.
constexpr auto longest_wait = 1s;

std::string_view digits_of(std::uint64_t number, std::array<char, 20>& space) {
  return {space.data(), std::to_chars(space.data(), space.data() + space.size(), number).ptr};
}

// Nothing if it is closed. Reading it reports that later.
std::optional<facts> facts_of_standard_input() {
  try {
    return examine(input_of("-"));
  } catch (const error&) {
    return std::nullopt;
  }
}

}  // namespace

wc_table::wc_table(const wanted& what, const std::vector<std::string>& files) : what_(what), files_(files) {
  const int columns =
      int{what.lines} + int{what.words} + int{what.characters} + int{what.bytes} + int{what.width};
  if (columns == 1 && files.size() == 1) {
    width_ = 1;
  } else if (files.size() > 1 && files.size() <= few_files) {
    catch_up();
  }
}

void wc_table::add(const std::optional<counts>& counted, std::optional<std::uint64_t> size) {
  const std::string& name = files_[added_];
  if (!width_) {
    const bool no_one_waits = files_.size() == 1 || std::chrono::steady_clock::now() - start_ < longest_wait;
    if (counted && size && no_one_waits) {
      sizes_ += *size;
      waiting_.push_back(*counted);
      ++added_;
      return;
    }
    catch_up();
  }
  ++added_;
  if (counted) print_file(*counted, name);
}

// GNU wc: as wide as the sizes of all files together, and at least 7 if one of them has no size.
void wc_table::catch_up() {
  if (width_) return;
  look_at_files(added_);
  std::array<char, 20> space{};
  width_ = std::max(least_.load(), digits_of(sizes_, space).size());
  for (std::size_t index = 0; index != waiting_.size(); ++index) print_file(waiting_[index], files_[index]);
  waiting_ = {};
}

void wc_table::finish() {
  catch_up();
  if (files_.size() > 1) print(total_, "total");
}

// Far storage takes a request for each file, but it serves many at once.
void wc_table::look_at_files(std::size_t first) {
  constexpr std::size_t alone = 16;
  constexpr auto far = 100us;
  constexpr unsigned at_once = 32;
  const std::size_t end = std::min(files_.size(), first + alone);
  const auto start = std::chrono::steady_clock::now();
  for (; first != end; ++first) look_at(files_[first]);
  const bool waits = std::chrono::steady_clock::now() - start > alone * far;
  std::atomic<std::size_t> next = first;
  run_on_threads(waits ? at_once : 1, [&] {
    for (std::size_t index = next++; index < files_.size(); index = next++) look_at(files_[index]);
  });
}

void wc_table::look_at(const std::string& name) {
  if (name == "-") {
    const std::optional<facts> known = facts_of_standard_input();
    if (known) sizes_ += known->size;
    if (known && known->kind != input_kind::regular_file) least_ = 7;
    return;
  }
  // The one function of the standard library that tells the kind and the size by a single system call. A file
  // that is not there has no row.
  std::error_code failure;
  const std::uintmax_t size = std::filesystem::file_size(name, failure);
  if (!failure) {
    sizes_ += size;
  } else if (failure == std::errc::is_a_directory || failure == std::errc::not_supported) {
    least_ = 7;
  }
}

void wc_table::print_file(const counts& counted, std::string_view name) {
  total_.lines += counted.lines;
  total_.words.words += counted.words.words;
  total_.characters += counted.characters;
  total_.bytes += counted.bytes;
  total_.width = std::max(total_.width, counted.width);
  print(counted, name == "-" && files_.size() == 1 ? "" : name);
}

void wc_table::print(const counts& counted, std::string_view name) {
  line_.clear();
  const auto add_column = [this](bool wanted, std::uint64_t number) {
    if (!wanted) return;
    std::array<char, 20> space{};
    const std::string_view digits = digits_of(number, space);
    if (!line_.empty()) line_ += ' ';
    line_.append(*width_ - std::min(*width_, digits.size()), ' ').append(digits);
  };
  add_column(what_.lines, counted.lines);
  add_column(what_.words, counted.words.words);
  add_column(what_.characters, counted.characters);
  add_column(what_.bytes, counted.bytes);
  add_column(what_.width, counted.width);
  if (!name.empty()) line_.append(" ").append(name);
  write(line_ += '\n');
}

}  // namespace riffle::cli
