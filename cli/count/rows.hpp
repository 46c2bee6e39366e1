/// The rows that `count` prints: text, or with --json JSON Lines.
#pragma once

#include <riffle/count.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

#include "cli/count/fasta.hpp"
#include "cli/count/fastq.hpp"
#include "cli/count/per_line.hpp"

namespace riffle::cli {

/// What all rows of a run have in common.
struct row_form {
  std::size_t files = 1;  // several: each row of text names its file
  bool json = false;
  std::size_t rows = 0;  // of files so far, for the total in JSON
};

/// Print the rows of the file called `name`; nullptr: those of all files together. Throw `output_lost`.
void print(const row_form& form, const std::string* name, std::uint64_t count);
void print(const row_form& form, const std::string* name, const byte_counts& counts);
void print(const row_form& form, const std::string* name, const line_histogram& lines);
void print(const row_form& form, const std::string* name, const read_counts& counts);

/// Appends the row of a sequence, with its end.
void append(std::string& text, const row_form& form, const std::string& name, const sequence& found);

}  // namespace riffle::cli
