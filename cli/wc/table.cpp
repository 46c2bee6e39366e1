/// `wc_table`: finds the width of its columns and writes the rows.
#include "cli/wc/wc.hpp"

#include <riffle/error.hpp>
#include <riffle/input.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <functional>
#include <limits>
#include <system_error>
#include <thread>

#include "cli/os/system.hpp"
#include "cli/output.hpp"
#include "text/shown.hpp"

namespace riffle::cli {

namespace {

using namespace std::chrono_literals;

// So few files are examined beforehand. It takes less than half a millisecond, and no row waits.
constexpr std::size_t few_files = 256;
constexpr std::size_t width_of_unknown_size = 7;  // as GNU wc has it
// The longest wait for the first row.
constexpr auto longest_wait = 1s;

// Files that are looked at by one thread, to see whether their storage lets it wait.
constexpr std::size_t alone = 16;
constexpr std::size_t most_threads = 32;

wc_numbers numbers_of(const text_counts& counted) {
  return {counted.lines, counted.words, counted.characters, counted.bytes, counted.longest_line};
}

std::string_view digits_of(std::uint64_t number, std::array<char, 20>& space) {
  return {space.data(), std::to_chars(space.data(), space.data() + space.size(), number).ptr};
}

// Returns false if the system has no more threads.
bool start_one_more(std::vector<std::jthread>& threads, const std::function<void()>& work) {
  try {
    threads.emplace_back(work);
    return true;
  } catch (const std::system_error&) {
    return false;
  }
}

}  // namespace

wc_table::wc_table(const wanted& what, total_row when, const std::vector<std::string>& files, bool nameless,
                   bool input_is_list, bool json, bool decoded)
    : columns_{what.lines, what.words, what.characters, what.bytes, what.longest_line},
      when_(when),
      files_(files),
      nameless_(nameless),
      input_is_list_(input_is_list),
      json_(json) {
  const bool one_column = std::ranges::count(columns_, true) == 1;
  if (json || when == total_row::only || files.empty() || (one_column && files.size() == 1)) {
    width_ = 1;
  } else if (decoded) {
    width_ = width_of_unknown_size;
  } else if (files.size() > 1 && files.size() <= few_files) {
    catch_up();
  } else if (files.size() > few_files) {
    start_ = std::chrono::steady_clock::now();
  }
}

void wc_table::add(std::string_view name, const std::optional<text_counts>& counted,
                   std::optional<std::uint64_t> size) {
  if (!width_) {
    const bool no_one_waits = files_.size() == 1 || std::chrono::steady_clock::now() - start_ < longest_wait;
    if (counted && size && no_one_waits) {
      add_size(*size);
      waiting_.push_back(numbers_of(*counted));
      ++added_;
      return;
    }
    catch_up();
  }
  ++added_;
  if (counted) print_file(numbers_of(*counted), name);
}

// GNU wc: as wide as the sizes of all files together, and at least 7 if one of them is no regular file.
void wc_table::catch_up() {
  if (width_) return;
  look_at_files(added_);
  if (sizes_overflow_) sizes_ = std::numeric_limits<std::uint64_t>::max();
  std::array<char, 20> space{};
  width_ = std::max(least_.load(), digits_of(sizes_, space).size());
  for (std::size_t index = 0; index != waiting_.size(); ++index) print_file(waiting_[index], files_[index]);
  waiting_ = {};
}

void wc_table::finish(const std::function<void(const char*)>& report) {
  constexpr std::array names{"total lines", "total words", "total characters", "total bytes"};
  catch_up();
  if (!prints_total(when_, added_)) return;
  for (std::size_t column = 0; column != names.size(); ++column) {
    if (overflow_[column]) report(names[column]);
  }
  if (json_) return print(total_, json_row::of_total(rows_));
  print(total_, when_ == total_row::only ? "" : "total");
}

// Far storage takes a request for each file, but it serves many at once.
void wc_table::look_at_files(std::size_t first) {
  if (first == files_.size()) return;
  const std::size_t sample = std::min(files_.size(), first + alone);
  const auto start = std::chrono::steady_clock::now();
  for (; first != sample; ++first) look_at(files_[first]);
  const bool late = std::chrono::steady_clock::now() - start > alone * 100us;
  const std::size_t threads = late ? std::min(files_.size() - first, most_threads) : 0;
  std::atomic<std::size_t> next = first;
  const auto look_at_rest = [&] {
    for (std::size_t index = next++; index < files_.size(); index = next++) look_at(files_[index]);
  };
  std::vector<std::jthread> others;
  while (others.size() + 1 < threads && start_one_more(others, look_at_rest)) continue;
  look_at_rest();
}

void wc_table::look_at(const std::string& name) {
  if (name == "-" && input_is_list_) return;
  // The one function of the standard library that tells the kind and the size by a single system call. A file
  // that is not there has no row.
  std::error_code failure;
  const std::uintmax_t size =
      name == "-" ? os::size_of(0, failure) : std::filesystem::file_size(detail::path_of(name), failure);
  if (!failure) {
    add_size(size);
  } else if (failure == std::errc::is_a_directory || failure == std::errc::not_supported) {
    least_ = width_of_unknown_size;
  }
}

void wc_table::add_size(std::uint64_t size) {
  sizes_ += size;
  if (sizes_ < size) sizes_overflow_ = true;
}

void wc_table::print_file(const wc_numbers& row, std::string_view name) {
  constexpr std::size_t width = 4;
  for (std::size_t column = 0; column != width; ++column) {
    total_[column] += row[column];
    if (total_[column] < row[column]) overflow_[column] = true;
    if (overflow_[column]) total_[column] = std::numeric_limits<std::uint64_t>::max();
  }
  total_[width] = std::max(total_[width], row[width]);
  ++rows_;
  if (when_ == total_row::only) return;
  if (json_) return print(row, json_row::of_file(name));
  print(row, nameless_ ? "" : name);
}

void wc_table::print(const wc_numbers& row, json_row as_json) {
  constexpr std::array names{"lines", "words", "chars", "bytes", "max_line_length"};
  for (std::size_t column = 0; column != row.size(); ++column) {
    if (columns_[column]) as_json.add(names[column], row[column]);
  }
  write(as_json.line());
}

void wc_table::print(const wc_numbers& row, std::string_view name) {
  line_.clear();
  for (std::size_t column = 0; column != row.size(); ++column) {
    if (!columns_[column]) continue;
    std::array<char, 20> space{};
    const std::string_view digits = digits_of(row[column], space);
    if (!line_.empty()) line_ += ' ';
    line_.append(*width_ - std::min(*width_, digits.size()), ' ').append(digits);
  }
  if (!name.empty()) line_.append(" ").append(text::quoted_for_row(name));
  line_ += '\n';
  write(line_);
}

}  // namespace riffle::cli
