/// What `riffle wc` was given, what it reports, and the rows that it prints in columns as wide as GNU wc's.
#pragma once

#include <riffle/count_text.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/output.hpp"
#include "cli/reading.hpp"

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

/// What failed of the list of --files0-from.
enum class list_step : std::uint8_t { opening, at_once, further };

/// Prints messages on standard error, after the rows before them. Functions throw `output_lost` if those
/// rows are lost.
class wc_messages {
 public:
  /// `called` is the name of the program if it was called as wc; nullptr: as riffle.
  explicit wc_messages(const char* called = nullptr) : called_(called) {}

  bool as_gnu() const { return called_ != nullptr; }
  /// How the user calls it: "riffle wc", "wc".
  std::string command() const { return called_ == nullptr ? "riffle wc" : called_; }

  /// "wc: text"
  void say(std::string_view text) const;
  /// A file could not be opened or read. `name` is as it was typed; "" is standard input without a name.
  void file_failed(const std::string& name, const std::exception_ptr& failure,
                   const cli::arguments& given) const;
  /// The list of --files0-from could not be opened, read at once, or read further.
  void list_failed(list_step step, const std::string& list, const error& failure) const;
  /// Standard input was closed.
  void input_closed() const;
  /// The command line is wrong. Returns the exit status.
  int refused(const text::usage_error& wrong) const;
  int extra_operand(const std::string& operand) const;
  /// The rows are lost. Returns the exit status.
  int lost(const output_lost& failure) const;

 private:
  void say_as(std::string_view name, std::string_view text) const;
  int try_help(std::string_view name, const std::string& text) const;

  const char* called_;
};

/// What `riffle wc` was given.
struct wc_arguments : reading_arguments {
  wanted what;
  total_row total = total_row::automatic;
  std::optional<std::string> list;  // the file of --files0-from
  bool debug = false;
};

/// Counts the files and prints their rows. It completes what was given. Returns the exit status. Throws
/// `output_lost`.
int count_files(wc_arguments& given, const wc_messages& messages);

}  // namespace riffle::cli
