/// What the command line asked of `riffle count`.
#pragma once

#include <riffle/scan.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/lines/choice.hpp"
#include "cli/rows/fields.hpp"
#include "cli/total.hpp"

namespace riffle::cli {

/// What is counted, besides lines that were chosen.
enum class counted : std::uint8_t { nothing, bytes, each_byte, occurrences, rows, sequences, reads };

/// What is printed of sequences and reads.
enum class sequence_form : std::uint8_t { all, stats, records };

/// The options of `count` beside those of reading and of fields.
struct count_arguments : field_arguments {
  counted what = counted::nothing;
  std::string_view counted_by;     // the name of the option that set it
  std::string_view chosen_by;      // the name of the option that chose lines
  std::string bytes;               // those counted, or all others
  byte_set set;                    // of them
  std::vector<std::string> texts;  // of `occurrences`
  line_choice lines;               // in which the rest is counted; the text of --per-line if nothing else is
  std::optional<line_step> every;
  bool per_line = false;
  sequence_form form = sequence_form::all;
  total_row total = total_row::automatic;

  // Whether a part must hold whole lines, because some are chosen.
  bool chooses() const { return !lines.texts.empty(); }
};

/// Counts as asked, and prints the rows. Returns the exit status. Throws output_lost; text::usage_error if
/// nothing is asked for.
int run_counts(count_arguments given);

#define RIFFLE_COUNTED                                                                                     \
  "--any-of, --none-of, --byte, --bytes, --lines, --containing, --starting-with, --every, --occurrences, " \
  "--rows, --fasta, --fastq"

}  // namespace riffle::cli
