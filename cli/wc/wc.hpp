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
