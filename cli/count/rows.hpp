/// The rows that `count` prints: text, or with --json JSON Lines.
#pragma once

#include <riffle/count.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "cli/count/fasta.hpp"
#include "cli/count/fastq.hpp"
#include "cli/count/per_line.hpp"
#include "cli/count/sequence_stats.hpp"

namespace riffle::cli {

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
