/// The rows that `riffle wc` prints, in columns as wide as GNU wc makes them.
#pragma once

#include <riffle/count_text.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/json.hpp"
#include "cli/total.hpp"

namespace riffle::cli {

/// The columns of wc, in their order.
struct wanted {
  bool lines = false;
  bool words = false;
  bool characters = false;
  bool bytes = false;
  bool longest_line = false;

  friend bool operator==(const wanted&, const wanted&) = default;
};

/// The numbers of a row, in the order of the columns.
using wc_numbers = std::array<std::uint64_t, 5>;

/// Prints a row for each file and one for all, in columns or as lines of JSON. The width of the columns
/// follows the sizes of all files. It is known once each file was opened or examined, and to examine a file
/// takes a fifth of the time to read a small one. The first rows of many files therefore wait for later
/// files, but at most a second. JSON has no columns, and its rows do not wait.
class wc_table {
 public:
  /// `files` and what they are called must outlive the table. No files: they are not known beforehand, and
  /// columns are as narrow as their numbers. `nameless`: the row of standard input has no name.
  /// `input_is_list`: standard input is the list of the files, and no file. `decoded`: their sizes tell
  /// nothing.
  wc_table(const wanted& what, total_row when, const std::vector<std::string>& files, bool nameless,
           bool input_is_list = false, bool json = false, bool decoded = false);

  /// The row of the next file, with the file's size as far as it is known; no counts: it has no row.
  void add(std::string_view name, const std::optional<text_counts>& counted,
           std::optional<std::uint64_t> size = std::nullopt);
  /// Prints the rows that wait.
  void catch_up();
  /// Prints the last row, if it is wanted. Before that it names to `report` the totals that are too large for
  /// it.
  void finish(const std::function<void(const char*)>& report);

 private:
  void look_at_files(std::size_t first);
  void look_at(const std::string& name);
  void add_size(std::uint64_t size);
  void print_file(const wc_numbers& row, std::string_view name);
  void print(const wc_numbers& row, std::string_view name);
  void print(const wc_numbers& row, json_row as_json);

  std::array<bool, 5> columns_;  // those that are printed
  total_row when_;
  const std::vector<std::string>& files_;
  bool nameless_;
  bool input_is_list_;
  bool json_;
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
