/// Reads the names of `riffle wc --files0-from`.
#pragma once

#include <riffle/error.hpp>
#include <riffle/source.hpp>

#include <optional>
#include <string>
#include <vector>

namespace riffle::cli {

/// Reads a list of names, each ended by a NUL byte. It hands them on as they come, because the program that
/// writes them may wait for the row of the last.
class wc_names {
 public:
  /// Opens the list; "-" is standard input. Throws `riffle::error`.
  explicit wc_names(const std::string& list);

  /// Whether `next` gives all names at once: the list is a regular file of at most 10 MiB, as for GNU wc.
  [[nodiscard]] bool at_once() const { return at_once_; }
  /// The next names, without waiting for more than one; none at the end. An empty name is among them. Throws
  /// `riffle::error` if reading fails, after all names before.
  std::vector<std::string> next();

 private:
  bool fill();

  std::optional<source> list_;  // until its end
  bool at_once_ = false;
  bool ended_ = false;
  std::string unread_;  // names not handed out, or the start of one
  std::optional<error> failure_;
};

}  // namespace riffle::cli
