/// One function for each kind of result.
#include "cli/count/rows.hpp"

#include <fmt/core.h>

#include <array>
#include <charconv>
#include <optional>
#include <string_view>

#include "cli/json.hpp"
#include "cli/output.hpp"
#include "text/quoted.hpp"

namespace riffle::cli {

namespace {

// What ends a row.
std::string end_of(const row_form& form, const std::string* name, char separator) {
  return !form.named ? "\n" : separator + (name == nullptr ? "total" : text::quoted_for_row(*name)) + "\n";
}

json_row json_of(const row_form& form, const std::string* name) {
  return name == nullptr ? json_row::of_total(form.rows) : json_row::of_file(*name);
}

// By hand, as a file of short reads has a row for every hundred bytes.
void append(std::string& text, std::uint64_t number) {
  std::array<char, 20> space;
  text.append(space.data(), std::to_chars(space.data(), space.data() + space.size(), number).ptr);
}

std::optional<std::uint64_t> gc_of(const sequence& found) {
  return base_counts_of(found).share();
}

// As a percentage with two decimals.
std::string percentage(std::optional<std::uint64_t> hundredths) {
  return hundredths ? fmt::format("{}.{:02}", *hundredths / 100, *hundredths % 100) : "NA";
}

void append_json(std::string& text, const row_form& form, const std::string& name, const sequence& found) {
  json_row row = json_of(form, &name);
  row.add("name", found.name).add("length", found.length);
  for (std::size_t i = 0; i != bases.size(); ++i) row.add(bases.substr(i, 1), found.counts[i]);
  if (const auto gc = gc_of(found)) {
    row.add("gc", static_cast<double>(*gc) / 100);
  } else {
    row.add_null("gc");
  }
  text += row.line();
}

void print_json(const row_form& form, const std::string* name, const read_counts& counts) {
  write(json_of(form, name).add("reads", counts.reads).add("bases", counts.bases).line());
  for (std::size_t quality = 0; quality != read_counts::qualities; ++quality) {
    const std::uint64_t number = counts.of_quality(quality);
    if (number != 0) write(json_of(form, name).add("quality", quality).add("bases", number).line());
  }
}

}  // namespace

void print(const row_form& form, const std::string* name, std::uint64_t count) {
  if (form.json) return write(json_of(form, name).add("count", count).line());
  write(fmt::format("{}{}", count, end_of(form, name, ' ')));
}

void print(const row_form& form, const std::string* name, const byte_counts& counts) {
  const std::string end = end_of(form, name, '\t');
  for (std::size_t byte = 0; byte != counts.size(); ++byte) {
    if (counts[byte] == 0) continue;
    if (form.json) {
      write(json_of(form, name).add("byte", byte).add("count", counts[byte]).line());
    } else if (byte > ' ' && byte < 127 && byte != '\\') {
      write(fmt::format("{}\t{}{}", static_cast<char>(byte), counts[byte], end));
    } else {  // as --byte takes it
      write(fmt::format("\\x{:02X}\t{}{}", byte, counts[byte], end));
    }
  }
}

void print(const row_form& form, const std::string* name, const line_histogram& lines) {
  const std::string end = end_of(form, name, '\t');
  lines.for_each([&](std::uint64_t matches, std::uint64_t number) {
    if (form.json) return write(json_of(form, name).add("count", matches).add("lines", number).line());
    write(fmt::format("{}\t{}{}", matches, number, end));
  });
}

void print(const row_form& form, const std::string* name, const read_counts& counts) {
  if (form.json) return print_json(form, name, counts);
  const std::string end = end_of(form, name, '\t');
  write(fmt::format("reads\t{}{}bases\t{}{}", counts.reads, end, counts.bases, end));
  for (std::size_t quality = 0; quality != read_counts::qualities; ++quality) {
    const std::uint64_t number = counts.of_quality(quality);
    if (number != 0) write(fmt::format("Q{}\t{}{}", quality, number, end));
  }
}

base_counts base_counts_of(const sequence& found) {
  const auto [a, c, g, t, n] = found.counts;
  return {.gc = c + g, .acgt = a + c + g + t};
}

void print(const row_form& form, const std::string* name, const sequence_stats& stats) {
  const sequence_stats::lengths_in_order lengths = stats.in_order();
  const double mean = static_cast<double>(stats.bases) / static_cast<double>(stats.records);
  const std::optional<std::uint64_t> gc = stats.counts.share();
  if (!form.json) {
    const std::string known = stats.records == 0 ? "-\t-\t-\t-"
                                                 : fmt::format("{}\t{:.2f}\t{}\t{}", lengths.shortest, mean,
                                                               lengths.longest, lengths.n50);
    return write(fmt::format("{}\t{}\t{}\t{}{}", stats.records, stats.bases, known, percentage(gc),
                             end_of(form, name, '\t')));
  }
  json_row row = json_of(form, name);
  row.add("records", stats.records).add("bases", stats.bases);
  if (stats.records != 0) {
    row.add("shortest", lengths.shortest)
        .add("mean", mean)
        .add("longest", lengths.longest)
        .add("n50", lengths.n50);
  } else {
    row.add_null("shortest").add_null("mean").add_null("longest").add_null("n50");
  }
  gc ? row.add("gc", static_cast<double>(*gc) / 100) : row.add_null("gc");
  write(row.line());
}

void append(std::string& text, const row_form& form, const std::string& name, const sequence& found) {
  if (form.json) return append_json(text, form, name, found);
  text.append(found.name).append("\t");
  append(text, found.length);
  for (const std::uint64_t count : found.counts) append(text += '\t', count);
  if (const auto gc = gc_of(found)) {
    append(text += '\t', *gc / 100);
    const char decimals[] = {'.', static_cast<char>('0' + *gc / 10 % 10), static_cast<char>('0' + *gc % 10)};
    text.append(decimals, 3);
  } else {
    text += "\tNA";
  }
  text += end_of(form, &name, '\t');
}

}  // namespace riffle::cli
