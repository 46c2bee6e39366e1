/// What the command line asked of `riffle count`, and the rows that it prints: text, or with --json JSON
/// Lines.
#pragma once

#include <riffle/count.hpp>
#include <riffle/scan.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/choice.hpp"
#include "cli/count/per_line.hpp"
#include "cli/count/sequences.hpp"
#include "cli/output.hpp"

namespace riffle::cli {

/// What is counted, besides lines that were chosen.
enum class counted : std::uint8_t { nothing, bytes, each_byte, occurrences, rows, sequences, reads };

/// What is printed of sequences and reads.
enum class sequence_form : std::uint8_t { all, stats, records };

/// The options of `count` beside those of reading, of fields and of choice: the lines in which the rest is
/// counted, whose texts are those of --per-line if nothing else is.
struct count_arguments : choosing_arguments {
  counted what = counted::nothing;
  std::string_view counted_by;     // the name of the option that set it
  std::string bytes;               // the bytes that were typed: to count, or not to count
  byte_set set;                    // the bytes that are counted
  std::vector<std::string> texts;  // the texts whose `occurrences` are counted
  bool per_line = false;
  sequence_form form = sequence_form::all;
  total_row total = total_row::automatic;
};

/// Counts as asked, and prints the rows. Returns the exit status. Throws output_lost; text::usage_error if
/// nothing is asked for.
int run_counts(count_arguments& given);

#define RIFFLE_COUNTED \
  "--any-of, --none-of, --byte, --bytes, --lines, --occurrences, --rows, --fasta, --fastq"

/// What all rows of a run have in common.
struct row_form {
  bool named = false;  // each row of text names its file
  bool json = false;
  std::size_t rows = 0;  // of files so far, for the total in JSON
};

/// Print the rows of the file called `name`; nullptr: those of all files together. Throw `output_lost`.
void print(const row_form& form, const std::string* name, std::uint64_t count);
void print(const row_form& form, const std::string* name, const byte_counts& counts);
void print(const row_form& form, const std::string* name, const line_histogram& lines);
void print(const row_form& form, const std::string* name, const read_counts& counts);
void print(const row_form& form, const std::string* name, const sequence_stats& stats);

/// The names of the columns of `sequence_stats`.
inline constexpr std::string_view names_of_stats = "records\tbases\tshortest\tmean\tlongest\tN50\tGC";
/// What is counted of the bases of a sequence.
base_counts base_counts_of(const sequence& found);

/// Appends the row of a sequence, with its end.
void append(std::string& text, const row_form& form, const std::string& name, const sequence& found);

}  // namespace riffle::cli
