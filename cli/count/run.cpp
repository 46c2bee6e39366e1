/// One function for each thing that `count` counts. Threads share the parts of a file.
#include <riffle/count.hpp>
#include <riffle/parallel.hpp>
#include <riffle/scan.hpp>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/chosen.hpp"
#include "cli/count/arguments.hpp"
#include "cli/count/per_line.hpp"
#include "cli/count/sequences.hpp"
#include "cli/output.hpp"
#include "cli/reading.hpp"

namespace riffle::cli {

namespace {

// The lines or rows of an input, of which a choice may count only some.
struct counted_lines {
  std::uint64_t lines = 0;
  const choice* of = nullptr;
  std::vector<std::string> header = {};
};

row_form form_of(const count_arguments& given) {
  return {.named = names_rows(given.total, given.files.size()), .json = given.json};
}

void add(std::uint64_t& total, std::uint64_t found) {
  total += found;
}
void add(std::uint64_t& total, const counted_lines& found) {
  total += found.of == nullptr ? found.lines : found.of->counted(found.lines);
}
void add(byte_counts& total, const byte_counts& found) {
  for (std::size_t i = 0; i != total.size(); ++i) total[i] += found[i];
}
void add(line_histogram& total, const part_lines& found) {
  total.add(found.lines());
}
void add(read_counts& total, const read_counts& found) {
  total.add(found);
}
void add(sequence_stats& total, const sequence_stats& found) {
  total.add(found);
}

// Whether one thread reads a file after the other.
bool counts_in_order(const count_arguments& given) {
  return given.what == counted::reads || given.what == counted::sequences;
}

// Counts in each file by `count`, and prints each result, as a `Total`, and the total. What was counted
// before a failure is printed too, unless the file lacks a column or `takes` refuses it.
template <class Total, class Result = Total, class Count>
int count_files(const count_arguments& given, Count count,
                const std::function<bool(const std::string& name, const Result& found,
                                         std::exception_ptr& problem)>& takes = {}) {
  row_form form = form_of(given);
  Total total{};
  const int status = for_each_file<Result>(
      given, given.files, counts_in_order(given) ? 1 : given.threads,
      {.read = [&](const auto&, source from, const riffle::thread_options& splitting,
                   std::optional<Result>& result) { count(result.emplace(), std::move(from), splitting); },
       .finish =
           [&](const std::string& name, const std::optional<Result>& result, auto& problem) {
             if (!result || (problem && failed_by(problem, errc::no_such_column)) ||
                 (takes && !takes(name, *result, problem)))
               return;
             Total found{};
             add(found, *result);
             add(total, *result);
             ++form.rows;
             if (given.total != total_row::only) print(form, &name, found);
           },
       .takes_text = given.what == counted::rows || given.what == counted::occurrences || given.lines.any() ||
                     given.per_line});
  if (prints_total(given.total, given.files.size())) print(form, nullptr, total);
  return status;
}

// Counts by `count(std::string_view)`, whose results `both` adds: in parts of a file, or in the chosen lines.
template <class Total, class Result = Total, class Count, class Both>
int count_parts(const count_arguments& given, bool whole_lines, Count count, Both both) {
  return count_files<Total, Result>(
      given, [&](Result& total, source from, const riffle::thread_options& splitting) {
        if (!given.lines.any()) {
          const std::optional<char> end = whole_lines ? std::optional('\n') : std::nullopt;
          return parallel_reduce_into(total, std::move(from), count, both, detail::cut_at(end, splitting));
        }
        const auto use = [&](Result& to, std::string_view some) { to = both(std::move(to), count(some)); };
        lines_in_parts(total, std::move(from), given.lines, splitting, use, both);
      });
}

int run_bytes(const count_arguments& given) {
  return count_parts<std::uint64_t>(
      given, false, [&](std::string_view part) { return scan::count_any_of(part, given.set); },
      std::plus<>());
}

int run_each_byte(const count_arguments& given) {
  return count_files<byte_counts>(given, count_bytes_into);
}

int run_lines(const count_arguments& given) {
  const choice& lines = given.lines;
  const text_chooser texts(lines, '\n');
  const auto count = [&](std::string_view part) { return texts.count(part); };
  const bool contain =
      lines.texts.size() == 1 && !lines.texts.front().at_start && !lines.invert && !lines.any_case;
  return count_files<std::uint64_t, counted_lines>(given, [&](counted_lines& found, source from,
                                                              const riffle::thread_options& splitting) {
    if (lines.ends_early()) {
      for_each_chosen(std::move(from), lines, texts, {},
                      [&](std::uint64_t, std::string_view) { ++found.lines; });
      return;
    }
    found.of = &lines;
    if (contain)
      return count_lines_with_into(found.lines, std::move(from), lines.texts.front().bytes, splitting);
    parallel_reduce_into(found.lines, std::move(from), count, std::plus<>(), detail::cut_at('\n', splitting));
  });
}

int run_occurrences(const count_arguments& given) {
  if (given.lines.any() || given.texts.size() > 1) {
    return count_parts<std::uint64_t>(
        given, true, [&](std::string_view part) { return occurrences_in(part, given.texts); }, std::plus<>());
  }
  return count_files<std::uint64_t>(
      given, [&](std::uint64_t& total, source from, const riffle::thread_options& splitting) {
        count_occurrences_into(total, std::move(from), given.texts.front(), splitting);
      });
}

int run_rows(count_arguments& given) {
  const choice& lines = given.lines;
  const std::vector<field_range> fields = with_conditions({}, lines);
  resolve(given, fields, !lines.where.empty());
  first_header first(given, fields, fields.size(), "count", "");
  const int status = count_files<std::uint64_t, counted_lines>(
      given,
      [&](counted_lines& total, source from, const riffle::thread_options& splitting) {
        read_rows(std::move(from), given, [&](source input, bool searches) {
          text::bad_rows skipped(given.skip_bad_rows);
          const std::string name = input.name();
          chosen_rows rows(row_range(std::move(input), given.rows), given, searches);
          total = {.of = lines.in_order() ? nullptr : &lines, .header = rows.all().names()};
          if (lines.in_order()) {
            rows.for_each(skipped, [&](const row&, std::uint64_t) { ++total.lines; });
          } else {
            rows.in_parts(
                total.lines, skipped, splitting, [] { return std::uint64_t{0}; },
                [](std::uint64_t& to, const row&) { ++to; },
                [&](std::uint64_t part) { total.lines += part; });
          }
          skipped.fail_if_any(name);
        });
      },
      [&](const std::string& name, const counted_lines& found, std::exception_ptr& problem) {
        return first.is_that_of(name, found.header, problem);
      });
  return first.differs() ? failure : status;
}

int run_text_per_line(const count_arguments& given, const std::vector<std::string>& texts) {
  return count_parts<line_histogram, part_lines>(
      given, true, [&](std::string_view part) { return occurrences_per_line(part, texts); },
      line_counter::join);
}

int run_per_line(const count_arguments& given) {
  return count_parts<line_histogram, part_lines>(given, false, line_counter(given.set), line_counter::join);
}

// Hands the sequences of a FASTA file on as they end. `before_reading` may be called before each wait.
template <class Found, class Read>
void each_sequence(source from, Found found, Read before_reading) {
  fasta_counter counter(from.name(), found);
  before_reading();
  for (block next = behind_byte_order_mark(from); !next.empty(); next = from.next()) {
    try {
      counter.add(next);
    } catch (const error&) {
      from.check();  // bytes that were lost are zeros
      throw;
    }
    from.finish_block();
    before_reading();
  }
  counter.finish();
}

int run_stats(const count_arguments& given) {
  if (!given.json) {
    const bool named = form_of(given).named;
    write(std::string(names_of_stats) + (named ? "\tfile\n" : "\n"));
  }
  const bool fasta = given.what == counted::sequences;
  return count_files<sequence_stats>(given, [fasta](sequence_stats& stats, source from, const auto&) {
    if (!fasta) {
      read_counts counts;
      return count_reads(std::move(from), counts, &stats);
    }
    each_sequence(
        std::move(from), [&](const sequence& each) { stats.add(each.length, base_counts_of(each)); }, [] {});
  });
}

int run_fastq(const count_arguments& given) {
  if (given.form == sequence_form::stats) return run_stats(given);
  if (given.form == sequence_form::records) {
    return count_files<std::uint64_t>(given, [](std::uint64_t& reads, source from, const auto&) {
      read_counts counts;
      count_reads(std::move(from), counts);
      reads = counts.reads;
    });
  }
  return count_files<read_counts>(
      given, [](read_counts& counts, source from, const auto&) { count_reads(std::move(from), counts); });
}

// Writes the rows of the sequences as they end.
void write_sequences(source from, const count_arguments& given, const std::string& name) {
  std::string rows;
  const bool seekable = from.seekable();
  each_sequence(
      std::move(from), [&](const sequence& found) { append(rows, form_of(given), name, found); },
      [&] {
        write(rows);
        rows.clear();
        seekable ? flush_before_next(given.files.size()) : flush_output();  // reading may wait
      });
  write(rows);
}

int run_fasta(const count_arguments& given) {
  if (given.form == sequence_form::stats) return run_stats(given);
  if (given.form == sequence_form::records) {
    return count_files<std::uint64_t>(given, [](std::uint64_t& records, source from, const auto&) {
      each_sequence(std::move(from), [&records](const sequence&) { ++records; }, [] {});
    });
  }
  if (given.total != total_row::automatic) {
    throw text::usage_error("--fasta has no total; add --stats or --records");
  }
  return for_each_file<no_result>(given, given.files, 1,
                                  {.read = [&](const std::string& name, source from, const auto&, auto&) {
                                    write_sequences(std::move(from), given, name);
                                  }});
}

}  // namespace

int run_counts(count_arguments& given) {
  const bool writes_as_it_reads = given.what == counted::sequences && given.form == sequence_form::all;
  const auto progress = shown_progress(given, writes_as_it_reads);
  switch (given.what) {
    case counted::nothing:
      break;
    case counted::bytes:
      return given.per_line ? run_per_line(given) : run_bytes(given);
    case counted::each_byte:
      return run_each_byte(given);
    case counted::occurrences:
      return given.per_line ? run_text_per_line(given, given.texts) : run_occurrences(given);
    case counted::rows:
      return run_rows(given);
    case counted::sequences:
      return run_fasta(given);
    case counted::reads:
      return run_fastq(given);
  }
  if (!given.lines.any())
    throw text::usage_error("nothing to count; use one of " RIFFLE_COUNTED
                            ", --containing, --starting-with, --every, --where, --head, --tail, --range");
  if (!given.per_line) return run_lines(given);
  std::vector<std::string> texts;
  for (wanted_text& each : std::exchange(given.lines.texts, {})) texts.push_back(std::move(each.bytes));
  return run_text_per_line(given, texts);
}

}  // namespace riffle::cli
