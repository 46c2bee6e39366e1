/// How many threads read, if the user does not say.
#pragma once

#include <riffle/parallel.hpp>
#include <riffle/source.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace riffle::cli {

/// The most bytes in a part whose result waits for those of the parts before: it may take four times the
/// memory.
inline constexpr std::size_t largest_waiting_part = std::size_t{512} << 10U;

/// Gives the numbers of threads: those of --threads, or those that were measured to help. docs/choosing.md
/// has the rules and the measurements.
class thread_rule {
 public:
  explicit thread_rule(std::optional<unsigned> asked) : asked_(asked) {}

  /// Returns how many threads may read these files, side by side or one that is large together.
  [[nodiscard]] unsigned for_files(std::span<const std::string> files) const;
  /// Returns how an input is split for so many of these threads, at most.
  [[nodiscard]] parallel_options for_input(const source& opened, unsigned granted) const;

 private:
  std::optional<unsigned> asked_;
};

}  // namespace riffle::cli
