/// The rows that `riffle wc` prints, in columns as wide as GNU wc makes them.
#ifndef RIFFLE_CLI_WC_TABLE_HPP
#define RIFFLE_CLI_WC_TABLE_HPP

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/wc_count.hpp"

namespace riffle::cli {

/// Prints a row for each file and one for all. The width of the columns follows the sizes of all files. It is
/// known once each file was opened or examined, and to examine a file takes a fifth of the time to read a
/// small one. The first rows of many files therefore wait for later files, but at most a second.
class wc_table {
 public:
  /// `files` and what they are called must outlive the table.
  wc_table(const wanted& what, const std::vector<std::string>& files);

  /// The row of the next file, with the file's size as far as it is known; no counts: it has no row.
  void add(const std::optional<counts>& counted, std::optional<std::uint64_t> size);
  /// Prints the rows that wait.
  void catch_up();
  /// Prints the rows that wait, and the last row. To be called after the last file.
  void finish();

 private:
  void look_at_files(std::size_t first);
  void look_at(const std::string& name);
  void print_file(const counts& counted, std::string_view name);
  void print(const counts& counted, std::string_view name);

  wanted what_;
  const std::vector<std::string>& files_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::vector<counts> waiting_;           // of the first files
  std::size_t added_ = 0;                 // files
  std::atomic<std::uint64_t> sizes_ = 0;  // of the files whose size is known, together
  std::atomic<std::size_t> least_ = 1;    // digits in a column
  std::optional<std::size_t> width_;
  counts total_;
  std::string line_;
};

}  // namespace riffle::cli

#endif
