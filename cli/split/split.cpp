/// `riffle split`: writes the lines or rows of an input into files. It is the one command that writes files.
#include <fmt/core.h>
#include <riffle/error.hpp>
#include <riffle/scan.hpp>

#include <algorithm>
#include <string>
#include <utility>

#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/reading.hpp"
#include "cli/split/split.hpp"

namespace riffle::cli {

namespace {

constexpr std::size_t shortest = 2;

std::uint64_t base_of(bool numeric) {
  return numeric ? 10 : 26;
}

// Returns the last digits of a number, and what is left of it.
std::string digits_of(std::uint64_t& number, std::size_t length, bool numeric) {
  std::string digits(length, '\0');
  for (std::size_t i = length; i-- != 0; number /= base_of(numeric)) {
    digits[i] = static_cast<char>((numeric ? '0' : 'a') + static_cast<char>(number % base_of(numeric)));
  }
  return digits;
}

split_arguments& split(arguments& given) {
  return static_cast<split_arguments&>(given);
}

// One of these options says where files end, but it may be given again.
void set_ended_by(arguments& given) {
  use_one(split(given).ended_by, given, "--lines, --line-bytes, --number");
  split(given).lines = 0;
}
void set_lines(arguments& given, std::string_view value) {
  set_ended_by(given);
  split(given).lines = text::parse_number(value, 1, text::any_size);
}
void set_line_bytes(arguments& given, std::string_view value) {
  set_ended_by(given);
  split(given).line_bytes = text::parse_size(value, 1, std::uint64_t{1} << 62U);
}
void set_number(arguments& given, std::string_view value) {
  set_ended_by(given);
  if (value.starts_with("l/")) {
    throw text::usage_error(
        fmt::format("write --number {}, which makes files of whole lines", value.substr(2)));
  }
  split(given).number = text::parse_number(value, 1, std::uint64_t{1} << 32U);
}

void set_operand(arguments& given, std::string_view value) {
  if (split(given).files.empty()) {
    split(given).files.emplace_back(value);
  } else {
    split(given).prefix = value;
  }
}

std::string parse_suffix(std::string_view suffix) {
  if (suffix.find('/') != std::string_view::npos) {
    throw text::usage_error("a suffix holds no '/'; name the directory in PREFIX");
  }
  return std::string(suffix);
}

constexpr std::array own_options{
    option{.name = "lines",
           .short_form = 'l',
           .argument = "N",
           .help = "Lines in each file; with --csv, rows",
           .preset = "1000",
           .set = set_lines},
    option{.name = "line-bytes",
           .short_form = 'C',
           .argument = "SIZE",
           .help = "Bytes of whole lines in each file, at most, such as 64K or 1MiB; a longer line is cut",
           .others = "b",
           .set = set_line_bytes},
    option{.name = "number",
           .argument = "N",
           .help = "Make N files of whole lines, which start in equal parts of FILE, as -n l/N of GNU split",
           .others = "n",
           .set = set_number},
    option{.name = "header",
           .help = "Write the first line, or the first row, at the start of each file",
           .set = set_to<true, &split_arguments::header>},
    option{.name = "delimiter",
           .argument = "BYTE",
           .help = "Byte that ends a line: " RIFFLE_BYTE_SYNTAX,
           .preset = "\\n",
           .others = "t",
           .set = set_by<text::parse_byte, &split_arguments::delimiter>},
    option{.name = "csv",
           .help = "Keep rows of CSV whole: a newline in quotes ends none",
           .set = set_dialect<csv>},
    option{.name = "separator",
           .argument = "BYTE",
           .help = "Byte between the fields of a row",
           .preset = ",",
           .needs = "csv",
           .set = set_by<text::parse_byte, &split_arguments::separator>},
    option{.name = "quote",
           .argument = "BYTE",
           .help = "Byte around fields that may hold separators, newlines and the byte itself doubled",
           .preset = "\"",
           .needs = "csv",
           .set = set_by<text::parse_byte, &split_arguments::quote>},
    option{.name = "suffix-length",
           .short_form = 'a',
           .argument = "N",
           .help = "Letters after PREFIX in the name of each file",
           .preset = "2, and more if they do not suffice",
           .set = set_by<text::number_within<1, 255>, &split_arguments::suffix_length>},
    option{.name = "numeric-suffixes",
           .short_form = 'd',
           .help = "Count by digits, not by letters",
           .set = set_to<true, &split_arguments::numeric>},
    option{.name = "additional-suffix",
           .argument = "SUFFIX",
           .help = "End each name by SUFFIX, such as .csv",
           .set = set_by<parse_suffix, &split_arguments::suffix>},
    option{.name = "dry-run",
           .help = "Write no file; print the offset, bytes, lines and name of each",
           .set = set_to<true, &split_arguments::dry_run>}};
constexpr auto input_of_one = [] {
  std::array<option, input_options.size() - 1> others{};
  std::ranges::copy_if(input_options, others.begin(),
                       [](const option& each) { return std::string_view(each.name) != "files-from"; });
  return others;
}();
constexpr auto options = concatenated(own_options, thread_options, needing("dry-run", json_options),
                                      input_of_one, reading_options);

// Applies what the options mean together.
void settle(split_arguments& given) {
  decode_records(given);
  if (given.by_rows()) resolve(given, {}, true);
  if (given.number == 0) return;
  const std::size_t length = suffix_length_for(given.number, given.numeric);
  if (given.suffix_length == 0) given.suffix_length = length;
  if (suffix_of(given.number - 1, given.suffix_length, given.numeric).empty()) {
    throw text::usage_error(fmt::format("{} files need a --suffix-length of {}", given.number, length));
  }
}

// Throws if equal parts of the input are asked for, and its size is unknown.
void require_size(source& from, const split_arguments& given) {
  if (given.number == 0) return;
  if (from.seekable()) {
    if (from.size_hint() != 0 || from.next().empty()) return;  // files of /proc report no size
  }
  const bool decoded = from.kind() == input_kind::regular_file && !from.seekable();
  throw error(
      errc::invalid_argument, "split", from.name(), std::nullopt,
      fmt::format(
          "its {}size is unknown, which --number needs; save its bytes in a file, or use --line-bytes",
          decoded ? "decoded " : ""));
}

// The header at the start of a region; all of it if its end is missing.
std::string_view header_of(std::string_view region, char delimiter) {
  return region.substr(0, std::min(scan::find_byte(region, delimiter), region.size() - 1) + 1);
}

class line_splitter {
 public:
  line_splitter(source& from, const split_arguments& given, unsigned threads)
      : from_(from), given_(given), out_(given, from, threads) {}

  void split() {
    std::size_t kept = 0;
    for (bool ended = false; !ended;) {
      const block region = next(kept);
      ended = region.size() == kept;
      kept = split_region(region, ended);
    }
    if (out_.has_bytes() || (out_.files() == 0 && has_header_)) out_.end_file();
    while (given_.number != 0 && out_.files() != given_.number) out_.end_file();
    out_.finish();
  }

 private:
  // What is kept is at most a file of `--line-bytes`, or a header.
  block next(std::size_t kept) try { return from_.next(kept); } catch (const error& failure) {
    if (!cutter_ || kept == 0 || failure.code() != std::errc::not_enough_memory) throw;
    throw error(failure.code(), "read", from_.name(), failure.offset(), "use a smaller --line-bytes");
  }

  // Returns how many bytes at the end need those after them.
  std::size_t split_region(const block& region, bool ended) {
    std::string_view rest = region.bytes;
    if (!cutter_) {
      const std::string_view header =
          given_.header && !rest.empty() ? header_of(rest, given_.delimiter) : std::string_view();
      if (given_.header && !ended && (header.empty() || header.back() != given_.delimiter))
        return rest.size();
      begin(header, region.offset);
      rest.remove_prefix(header.size());
    }
    while (!rest.empty()) {
      const line_cutter::taken next = cutter_->take(rest, ended);
      out_.add(rest.substr(0, next.size));
      if (next.file_ends) out_.end_file();
      if (next.size == 0 && !next.file_ends) break;
      rest.remove_prefix(next.size);
    }
    return rest.size();
  }

  void begin(std::string_view header, std::uint64_t offset) {
    if (given_.line_bytes != 0 && header.size() >= given_.line_bytes) {
      throw error(errc::invalid_argument, "split", from_.name(), offset,
                  fmt::format("the header alone has {} bytes; use a larger --line-bytes", header.size()));
    }
    has_header_ = !header.empty();
    out_.set_header(header);
    offset += header.size();
    const std::uint64_t end = std::max(from_.size_hint(), offset);
    cutter_.emplace(given_, header.size(), offset, end - offset);
  }

  source& from_;
  const split_arguments& given_;
  split_output out_;
  std::optional<line_cutter> cutter_ = {};  // once the header was read
  bool has_header_ = false;
};

void split_input(source from, const split_arguments& given, unsigned threads) {
  require_size(from, given);
  if (given.by_rows()) return split_rows(std::move(from), given, threads);
  line_splitter(from, given, threads).split();
}

int run_split(split_arguments& given) {
  settle(given);
  const auto progress = shown_progress(given, given.dry_run);
  return for_each_file<no_result>(
      given, given.files, 1,
      {.read =
           [&](const std::string& name, source from, const auto&, auto&) {
             const unsigned writing =
                 splitting_for(from, given.threads, threads_for({&name, 1}, given.threads)).threads;
             split_input(std::move(from), given, writing);
           },
       .takes_text = true});
}

}  // namespace

std::string suffix_of(std::uint64_t index, std::size_t length, bool numeric) {
  if (length != 0) {
    std::string digits = digits_of(index, length, numeric);
    return index == 0 ? digits : std::string();
  }
  // The last letter as the first one says that the suffix is two longer.
  const std::uint64_t base = base_of(numeric);
  std::string longer;
  std::uint64_t here = (base - 1) * base;  // suffixes of this length
  for (; index >= here; here *= base) {
    index -= here;
    longer += numeric ? '9' : 'z';
  }
  return longer + digits_of(index, shortest + longer.size(), numeric);
}

std::size_t suffix_length_for(std::uint64_t files, bool numeric) noexcept {
  std::size_t length = 1;
  for (std::uint64_t last = (files - 1) / base_of(numeric); last != 0; last /= base_of(numeric)) ++length;
  return std::max(length, shortest);
}

constexpr command split_command{
    .name = "split",
    .summary = "Split a file into files of whole lines or rows",
    .options = options,
    .operands = {.name = "FILE",
                 .help = "File to split; '-' or no FILE: standard input",
                 .preset = "-",
                 .set = set_operand,
                 .second = "PREFIX",
                 .second_help = "Start of the names, which may name a directory; x unless given"},
    .notes =
        "The files are named as those of GNU split: xaa, xab and so on to xyz, then xzaaa. Existing files "
        "are replaced. riffle writes each file beside its place, under a name that begins with .riffle-, and "
        "renames it when it is whole. So no file is there in part if reading or writing fails, or a signal "
        "such as that of Ctrl-C ends riffle.\n"
        "With --line-bytes, a line longer than SIZE is cut, as by GNU split; such a row of --csv is an "
        "error. With --header, the header counts as bytes of each file, and not as a line.\n"
        "With --number, a line belongs to the equal part of FILE in which it starts, as with newer versions "
        "of GNU split. A file that gets no line is empty. FILE must have a known size.\n"
        "With --dry-run, the offset and the bytes are those of the input, decoded, without the repeated "
        "header.\n"
        "Several threads copy the files of a large file.",
    .examples =
        "  riffle split --lines 1000000 access.log part-\n"
        "  riffle split -C 64M --header --additional-suffix .csv prices.csv parts/\n"
        "  riffle split --csv --lines 100000 --header notes.csv\n"
        "  riffle split -z --lines 4000000 --numeric-suffixes reads.fastq.gz reads-\n"
        "  riffle split --number 8 --dry-run access.log\n",
    .run = run<split_arguments, run_split>};

}  // namespace riffle::cli
