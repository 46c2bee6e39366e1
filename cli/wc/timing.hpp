/// Says what bound a run of `riffle wc`: the input, the decoder or the counting.
#pragma once

#include <cstdint>
#include <string>

namespace riffle::cli {

/// Where the time of a run went. The parts are added over its threads, so that together they may be more than
/// `seconds`.
struct run_timing {
  double seconds = 0;  // of the run
  double reading = 0;
  double waiting = 0;  // part of `reading`
  double decoding = 0;
  double scanning = 0;
  bool piped = false;  // an input was no file
  std::uint64_t page_faults = 0;
  std::uint64_t faults_of_storage = 0;  // of them, those that waited for storage
};

/// Returns what took most: "program before the pipe", "storage", "reading", "decoding", "scanning"; "rest" if
/// starting, printing and what else riffle does took more than they together.
std::string bound_of(const run_timing& run);
/// Returns two lines for a person, the second without its end.
std::string timing_text(const run_timing& run);
/// Returns the row of JSON, with its end.
std::string timing_row(const run_timing& run);

}  // namespace riffle::cli
