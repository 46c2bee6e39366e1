/// The rows of `riffle wc`, in columns as wide as those of GNU wc.
#pragma once

#include <riffle/input.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include "cli/os/system.hpp"
#include "cli/output.hpp"
#include "cli/wc/wc.hpp"
#include "text/shown.hpp"

namespace riffle::cli {

/// The numbers of a row, in the order of the columns.
using wc_numbers = std::array<std::uint64_t, 5>;

/// Prints a row for each file and one for all, in columns or as lines of JSON. The width of the columns
/// follows the sizes of all files. It is known once each file was opened or examined, and to examine a file
/// takes a fifth of the time to read a small one. The first rows of many files therefore wait for later
/// files, but at most a second. JSON has no columns, and its rows do not wait.
class wc_table {
 public:
  /// `given` must outlive the table. No files: they are not known beforehand, and columns are as narrow as
  /// their numbers. `nameless`: the row of standard input has no name.
  wc_table(const wc_arguments& given, bool nameless)
      : given_(given),
        columns_{given.what.lines, given.what.words, given.what.characters, given.what.bytes,
                 given.what.longest_line},
        nameless_(nameless) {
    const std::vector<std::string>& files = given.files;
    const bool one_column = std::ranges::count(columns_, true) == 1;
    if (given.json || given.total == total_row::only || files.empty() || (one_column && files.size() == 1)) {
      width_ = 1;
    } else if (given.options.decode != decoding::none) {
      width_ = width_of_unknown_size;
    } else if (files.size() > 1 && files.size() <= few_files) {
      catch_up();
    } else if (files.size() > few_files) {
      start_ = std::chrono::steady_clock::now();
    }
  }

  /// The row of the next file, with the file's size as far as it is known; no counts: it has no row.
  void add(std::string_view name, const std::optional<text_counts>& counted,
           std::optional<std::uint64_t> size = std::nullopt) {
    if (!width_) {
      const bool no_one_waits =
          given_.files.size() == 1 || std::chrono::steady_clock::now() - start_ < longest_wait;
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

  /// Prints the rows that wait. As of GNU wc, columns are as wide as the sizes of all files together, and at
  /// least 7 if one of them is no regular file.
  void catch_up() {
    if (width_) return;
    look_at_files(added_);
    if (sizes_overflow_) sizes_ = std::numeric_limits<std::uint64_t>::max();
    std::array<char, 20> space{};
    width_ = std::max(least_.load(), digits_of(sizes_, space).size());
    for (std::size_t index = 0; index != waiting_.size(); ++index)
      print_file(waiting_[index], given_.files[index]);
    waiting_ = {};
  }

  /// Prints the last row, if it is wanted. Before that it names to `report` the totals that are too large for
  /// it.
  void finish(const std::function<void(const char*)>& report) {
    constexpr std::array names{"total lines", "total words", "total characters", "total bytes"};
    catch_up();
    if (!prints_total(given_.total, added_)) return;
    for (std::size_t column = 0; column != names.size(); ++column) {
      if (overflow_[column]) report(names[column]);
    }
    if (given_.json) return print(total_, json_row::of_total(rows_));
    print(total_, given_.total == total_row::only ? "" : "total");
  }

 private:
  // So few files are examined beforehand. It takes less than half a millisecond, and no row waits.
  static constexpr std::size_t few_files = 256;
  static constexpr std::size_t width_of_unknown_size = 7;  // as GNU wc has it
  // The longest wait for the first row.
  static constexpr auto longest_wait = std::chrono::seconds(1);

  // Files that are looked at by one thread, to see whether their storage lets it wait.
  static constexpr std::size_t alone = 16;
  static constexpr std::size_t most_threads = 32;

  static wc_numbers numbers_of(const text_counts& counted) {
    return {counted.lines, counted.words, counted.characters, counted.bytes, counted.longest_line};
  }

  static std::string_view digits_of(std::uint64_t number, std::array<char, 20>& space) {
    return {space.data(), std::to_chars(space.data(), space.data() + space.size(), number).ptr};
  }

  // Returns false if the system has no more threads.
  static bool start_one_more(std::vector<std::jthread>& threads, const std::function<void()>& work) {
    try {
      threads.emplace_back(work);
      return true;
    } catch (const std::system_error&) {
      return false;
    }
  }

  // Far storage takes a request for each file, but it serves many at once.
  void look_at_files(std::size_t first) {
    if (first == given_.files.size()) return;
    const std::size_t sample = std::min(given_.files.size(), first + alone);
    const auto start = std::chrono::steady_clock::now();
    for (; first != sample; ++first) look_at(given_.files[first]);
    const bool late = std::chrono::steady_clock::now() - start > alone * std::chrono::microseconds(100);
    const std::size_t threads = late ? std::min(given_.files.size() - first, most_threads) : 0;
    std::atomic<std::size_t> next = first;
    const auto look_at_rest = [&] {
      for (std::size_t index = next++; index < given_.files.size(); index = next++)
        look_at(given_.files[index]);
    };
    std::vector<std::jthread> others;
    while (others.size() + 1 < threads && start_one_more(others, look_at_rest)) continue;
    look_at_rest();
  }

  void look_at(const std::string& name) {
    if (name == "-" && given_.list == "-") return;
    // The one function of the standard library that tells the kind and the size by a single system call. A
    // file that is not there has no row.
    std::error_code failure;
    const std::uintmax_t size =
        name == "-" ? os::size_of(0, failure) : std::filesystem::file_size(detail::path_of(name), failure);
    if (!failure) {
      add_size(size);
    } else if (failure == std::errc::is_a_directory || failure == std::errc::not_supported) {
      least_ = width_of_unknown_size;
    }
  }

  void add_size(std::uint64_t size) {
    sizes_ += size;
    if (sizes_ < size) sizes_overflow_ = true;
  }

  void print_file(const wc_numbers& row, std::string_view name) {
    constexpr std::size_t width = 4;
    for (std::size_t column = 0; column != width; ++column) {
      total_[column] += row[column];
      if (total_[column] < row[column]) overflow_[column] = true;
      if (overflow_[column]) total_[column] = std::numeric_limits<std::uint64_t>::max();
    }
    total_[width] = std::max(total_[width], row[width]);
    ++rows_;
    if (given_.total == total_row::only) return;
    if (given_.json) return print(row, json_row::of_file(name));
    print(row, nameless_ ? "" : name);
  }

  void print(const wc_numbers& row, std::string_view name) {
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

  void print(const wc_numbers& row, json_row as_json) {
    constexpr std::array names{"lines", "words", "chars", "bytes", "max_line_length"};
    for (std::size_t column = 0; column != row.size(); ++column) {
      if (columns_[column]) as_json.add(names[column], row[column]);
    }
    write(as_json.line());
  }

  const wc_arguments& given_;
  std::array<bool, 5> columns_;  // those that are printed
  bool nameless_;
  std::chrono::steady_clock::time_point start_;  // set if rows may wait: a clock costs page faults
  std::vector<wc_numbers> waiting_;              // of the first files
  std::size_t added_ = 0;                        // files
  std::atomic<std::uint64_t> sizes_ = 0;         // of the files whose size is known, together
  std::atomic<bool> sizes_overflow_ = false;     // 64 bits do not hold them
  std::atomic<std::size_t> least_ = 1;           // digits in a column
  std::optional<std::size_t> width_;
  wc_numbers total_{};
  std::uint64_t rows_ = 0;          // of files
  std::array<bool, 5> overflow_{};  // of a total, which then stays at the largest number
  std::string line_;
};

}  // namespace riffle::cli
