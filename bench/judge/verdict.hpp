/// The verdict on a table in two or three sentences, as a function of what was measured.
#pragma once

#include <cstdint>
#include <riffle/options.hpp>
#include <string>
#include <string_view>

#include "bench/data/report.hpp"

namespace riffle::bench {

/// How the automatic choice did against the contenders with one thread. `slower`: by over 5 %. `undecided`:
/// it cannot be told from the fastest, or it has too few runs. `unknown`: it was not measured.
enum class automatic_choice : std::uint8_t { unknown, right, slower, undecided };

struct verdict {
  /// Sentences on one line: which method is fastest and why, whether automatic found it, and whose the code
  /// is.
  std::string text = {};
  std::string of_automatic = {};  // the part of the text about the automatic choice; empty: not measured
  automatic_choice automatic = automatic_choice::unknown;
  std::string code = {};  // C++ on one line, by the winner's method; empty: nothing was measured
};

/// `tables`: so many share the time of the run.
verdict verdict_of(const task_report& table, std::size_t tables = 1);

/// The C++ statements, on one line, that do the task on `path` as the fastest of riffle's contenders did:
/// without options if the automatic choice is not slower beyond the noise. If riffle had none, by the
/// method of the fastest contender whose method riffle has. Empty if nothing was measured.
std::string winning_code(const task_report& table);

/// Whether a published program leads and the code does not do as it does, which is said before it.
bool introduces_code(const task_report& table);

/// "{.method = riffle::method::mmap, .block_size = 1 << 20}": what is not as by default of the method, the
/// block size, the queue depth and the decoding; empty if all of it is.
std::string options_as_code(const read_options& reading);

}  // namespace riffle::bench
