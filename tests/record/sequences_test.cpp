/// Records of FASTQ and FASTA are those of plain loops over the lines, by every method and block size; so are
/// the errors, and the records before them.
#include <riffle/sequences.hpp>
#include <riffle/splits.hpp>

#include <ranges>

#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

static_assert(std::ranges::input_range<fastq_range> && std::movable<fastq_range>);
static_assert(std::ranges::input_range<fasta_range> && !std::copyable<fasta_range>);

struct copied {
  std::string name;
  std::string sequence;
  std::string quality;
  std::uint64_t offset = 0;
  friend bool operator==(const copied&, const copied&) = default;
};

copied copy_of(const fastq_record& from) {
  return {std::string(from.name), std::string(from.sequence), std::string(from.quality), from.offset};
}
copied copy_of(const fasta_record& from) {
  return {std::string(from.name), std::string(from.sequence), {}, from.offset};
}

struct seen {
  std::vector<copied> records = {};
  std::optional<std::uint64_t> failed_at = {};
  std::error_code code = {};
  friend bool operator==(const seen&, const seen&) = default;
  friend std::ostream& operator<<(std::ostream& out, const seen& all) {
    for (const copied& each : all.records) {
      out << '[' << each.name << '|' << each.sequence << '|' << each.quality << '|' << each.offset << ']';
    }
    return all.failed_at ? out << *all.failed_at << all.code.message() : out;
  }
};

// Also goes on after an error, which comes again.
template <class Range>
seen read_all(Range records) {
  seen all;
  for (int again = 0; again != 2; ++again) {
    const auto failure = error_of([&] {
      for (const auto& each : records) {
        EXPECT_EQ(again, 0);
        all.records.push_back(copy_of(each));
        EXPECT_EQ(each.number, all.records.size());
      }
    });
    if (again == 1) {
      EXPECT_EQ(failure.has_value(), all.failed_at.has_value());
    } else if (failure) {
      all.failed_at = failure->offset();
      all.code = failure->code();
      EXPECT_EQ(failure->operation(), "read");
    }
  }
  return all;
}

struct placed_line {
  std::string text;  // without its end
  std::uint64_t offset = 0;
};

// A byte order mark is no line, nor a part of one.
std::vector<placed_line> lines_of(const std::string& text) {
  std::vector<placed_line> all;
  const std::size_t mark = size_of_mark(text);
  std::uint64_t offset = mark;
  for (const std::string& line : naive_lines(text.substr(mark))) {
    all.push_back({line.ends_with('\r') ? line.substr(0, line.size() - 1) : line, offset});
    offset += line.size() + 1;
  }
  return all;
}

bool ends_too_far(const placed_line& line, std::uint64_t start, std::size_t most) {
  return line.offset + line.text.size() - start > most;
}

// Where the record of four lines is wrong in its last one, if it is.
std::optional<std::uint64_t> wrong_in_last(const std::vector<placed_line>& record) {
  const placed_line& last = record.back();
  const std::string& line = last.text;
  if (record.size() == 1 && line.front() != '@') return last.offset;
  if (record.size() == 3 && line != "+" && line != "+" + record[0].text.substr(1)) return last.offset;
  if (record.size() != 4) return std::nullopt;
  if (line.size() != record[1].text.size()) return last.offset;
  for (std::size_t i = 0; i != line.size(); ++i) {
    if (line[i] < 33 || line[i] > 126) return last.offset + i;
  }
  return std::nullopt;
}

seen naive_fastq(const std::string& text, std::size_t most) {
  seen all;
  std::vector<placed_line> record;
  for (const placed_line& line : lines_of(text)) {
    if (record.empty() && line.text.empty()) continue;
    record.push_back(line);
    const std::uint64_t start = record.front().offset;
    if (ends_too_far(line, start, most)) {
      all.failed_at = start;
      all.code = errc::record_too_long;
      return all;
    }
    if ((all.failed_at = wrong_in_last(record))) {
      all.code = errc::bad_value;
      return all;
    }
    if (record.size() != 4) continue;
    all.records.push_back({record[0].text.substr(1), record[1].text, record[3].text, start});
    record.clear();
  }
  if (record.empty()) return all;
  all.failed_at = record.front().offset;
  all.code = errc::unexpected_end;
  return all;
}

seen naive_fasta(const std::string& text, std::size_t most) {
  seen all;
  const std::vector<placed_line> lines = lines_of(text);
  for (const placed_line& line : lines) {
    if (line.text.empty()) continue;
    const bool starts = line.text.front() == '>';
    const bool ends_all = &line == &lines.back() && !text.ends_with('\n');
    const std::size_t cr = line.text.find('\r');
    if (starts && ends_all && all.records.empty() && cr != std::string::npos &&
        !ends_too_far(line, line.offset, most)) {
      all.failed_at = line.offset + cr;
      all.code = errc::bad_value;
      return all;
    }
    if (starts) all.records.push_back({line.text.substr(1), {}, {}, line.offset});
    const bool fits_alone = line.text.size() <= most;
    if (all.records.empty() && fits_alone) {
      all.failed_at = line.offset;
      all.code = errc::bad_value;
      return all;
    }
    const std::uint64_t start = all.records.empty() ? line.offset : all.records.back().offset;
    if (ends_too_far(line, start, most)) {
      if (!all.records.empty()) all.records.pop_back();
      all.failed_at = start;
      all.code = errc::record_too_long;
      return all;
    }
    if (!starts) all.records.back().sequence += line.text;
  }
  return all;
}

// Records of few bytes, half of the texts with a few wrong ones.
std::string random_records(std::mt19937& random, bool fastq) {
  const std::string end = random() % 3 == 0 ? "\r\n" : "\n";
  std::string text = random() % 5 == 0 ? "\xEF\xBB\xBF" : "";
  for (std::size_t records = random() % 8; records != 0; --records) {
    const std::size_t size = random() % 4 == 0 ? random() % 200 : random() % 8;
    const std::string name = random_text(random() % 9, static_cast<unsigned>(random()), "ab >@+\r");
    const std::string bases = random_text(size, static_cast<unsigned>(random()), "ACGTN ");
    if (fastq) {
      text += '@' + name + end + bases + end + '+' + (random() % 2 == 0 ? "" : name) + end +
              random_text(size, static_cast<unsigned>(random()), "!#@+>~I") + end;
    } else {
      text += '>' + name + end;
      for (std::size_t at = 0; at < bases.size(); at += 7) text += bases.substr(at, 7) + end;
    }
    if (random() % 4 == 0) text += end;
  }
  if (random() % 2 == 0 && !text.empty()) text.pop_back();
  for (std::size_t wrong = random() % 6; wrong > 3 && !text.empty(); --wrong) {
    const std::size_t at = random() % text.size();
    constexpr std::string_view bytes("\n\r@>+ A\0\x7F\xFF", 10);
    random() % 3 == 0 ? text.erase(at, 1) : text.insert(at, 1, bytes[random() % bytes.size()]);
  }
  return text;
}

seen found_in(const input& from, bool fastq, const sequence_options& options, const read_options& reading) {
  return fastq ? read_all(riffle::fastq(from, options, reading))
               : read_all(riffle::fasta(from, options, reading));
}

TEST(sequences, are_those_of_plain_loops_by_every_block_size) {
  std::mt19937 random(5);
  for (int round = 0; round != 1500; ++round) {
    const bool fastq = round % 2 == 0;
    const std::string text = random_records(random, fastq);
    const std::size_t most = random() % 3 == 0 ? random() % 60 : SIZE_MAX;
    const seen expected = fastq ? naive_fastq(text, most) : naive_fasta(text, most);
    ASSERT_EQ(found_in(memory(text), fastq, {.max_length = most}, {}), expected)
        << testing::PrintToString(text) << most;
    bytes_in_order object{.all = {.bytes = text, .piece = random() % 9 + 1}};
    const std::size_t size = random() % 2 == 0 ? random() % 9 + 1 : random() % 200 + 1;
    ASSERT_EQ(found_in(input(object), fastq, {.max_length = most}, {.block_size = size}), expected)
        << testing::PrintToString(text) << ' ' << most << ' ' << size;
  }
}

TEST(sequences, are_those_of_plain_loops_by_every_method) {
  std::mt19937 random(7);
  for (int round = 0; round != 20; ++round) {
    const bool fastq = round % 2 == 0;
    const std::string text = random_records(random, fastq);
    const temporary_file file(text);
    const seen expected = fastq ? naive_fastq(text, SIZE_MAX) : naive_fasta(text, SIZE_MAX);
    for (const method used : usable_methods()) {
      for (const std::size_t size : {0U, 1U, 2U, 3U, 5U, 64U, 4096U}) {
        ASSERT_EQ(found_in(file.path(), fastq, {}, {.method = used, .block_size = size}), expected)
            << testing::PrintToString(text) << name_of(used) << size;
      }
    }
  }
}

TEST(sequences, find_a_byte_that_is_no_quality_at_every_place) {
  for (std::size_t size = 1; size != 70; ++size) {
    for (std::size_t at = 0; at != size; ++at) {
      std::string qualities(size, at % 2 == 0 ? '!' : '~');
      qualities[at] = at % 3 == 0 ? ' ' : at % 3 == 1 ? '\x7F' : '\xFF';
      const std::string text = "@\n" + std::string(size, 'A') + "\n+\n" + qualities + "\n";
      ASSERT_EQ(read_all(fastq(memory(text))).failed_at, 2 + size + 3 + at) << size;
    }
  }
}

TEST(sequences, before_one_that_is_too_long_are_handed_out) {
  const std::string fasta = ">a\nA\n>bcdefgh\nA\n";
  const std::string fastq = "@a\nA\n+\n!\n@bcdefgh\nA\n+\n!\n";
  for (std::size_t most = 0; most != 20; ++most) {
    ASSERT_EQ(found_in(memory(fasta), false, {.max_length = most}, {}), naive_fasta(fasta, most)) << most;
    ASSERT_EQ(found_in(memory(fastq), true, {.max_length = most}, {}), naive_fastq(fastq, most)) << most;
  }
}

// Of which several blocks hold one record, or one block several.
TEST(sequences, are_as_long_as_they_are) {
  const std::string bases = random_text(3'000'000, 1, "ACGT");
  const std::string qualities(bases.size(), 'I');
  const temporary_file fastq("@a\nA\n+\n!\n@b c\n" + bases + "\n+\n" + qualities + "\n@d\n\n+\n\n");
  const temporary_file fasta(">a\nA\n>b c\n" + bases + "\n" + bases + "\n>d");
  for (const std::size_t size : {0U, 4097U, 65536U}) {
    const seen reads = found_in(fastq.path(), true, {}, {.method = method::read, .block_size = size});
    ASSERT_EQ(reads.records.size(), 3U);
    EXPECT_TRUE(reads.records[1] == (copied{"b c", bases, qualities, 9}));
    EXPECT_TRUE(reads.records[2] == (copied{"d", "", "", 2 * bases.size() + 18}));
    const seen joined = found_in(fasta.path(), false, {}, {.method = method::read, .block_size = size});
    ASSERT_EQ(joined.records.size(), 3U);
    EXPECT_TRUE(joined.records[1] == (copied{"b c", bases + bases, "", 5}));
    EXPECT_FALSE(joined.failed_at);
  }
}

TEST(sequences, go_on_after_a_break_and_stay_valid_in_a_moved_range) {
  const std::string text = ">first\nAC\nGT\n>b\nA\n>c\n";
  fasta_range all = fasta(memory(text));
  auto at = all.begin();
  const fasta_record first = *at;
  fasta_range moved = std::move(all);
  EXPECT_EQ(first.name, "first");
  EXPECT_EQ(first.sequence, "ACGT");
  EXPECT_EQ(code_of([&] { all.begin(); }), errc::invalid_argument);
  EXPECT_EQ(code_of([&] { (void)all.from(); }), errc::invalid_argument);
  EXPECT_EQ((*moved.begin()).name, "b");

  fasta_range rest = fasta(memory(text));
  for (const fasta_record& each : rest) {
    EXPECT_EQ(each.number, 1U);
    break;
  }
  for (const fasta_record& each : rest) {
    EXPECT_EQ(each.name, "b");
    break;
  }
  fastq_range reads = fastq(memory(std::string_view("@a\nA\n+\n!\n@b\nC\n+\n~\n")));
  for_each(reads, [](const fastq_record& each) { return each.name != "a"; });
  for_each(reads, [](const fastq_record& each) { EXPECT_EQ(each.quality, "~"); });
  EXPECT_EQ(reads.from().kind(), input_kind::memory);
}

// A binding takes the records of a block, and reads on without its lock.
TEST(sequences, can_be_taken_from_a_block_alone) {
  const std::string text = ">a\nAC\nGT\n>b\nA\n>c\nG";
  for (std::size_t size = 1; size != text.size() + 2; ++size) {
    const temporary_file file(text);
    fasta_range all = fasta(file.path(), {.method = method::read, .block_size = size});
    auto at = detail::steps::resume(all);
    std::string found;
    while (detail::steps::advance_in_block(all, at) || detail::steps::advance(all, at))
      found += std::string(at.record.name) + '=' + std::string(at.record.sequence) + ' ';
    EXPECT_EQ(found, "a=ACGT b=A c=G ") << size;
  }
}

TEST(sequences, of_a_malformed_file_say_what_is_wrong) {
  struct row {
    const char* text;  // after a record of 14 bytes
    std::uint64_t offset;
    const char* said;
  };
  const std::string before = "@r\nACG\n+r\n#II\n";
  for (const row& each : {row{"a\nAC\n+\nII\n", 14, "record 2 does not start with '@'"},
                          {">a\nAC\n", 14, "record 2 starts with '>', as FASTA does, and not with '@'"},
                          {"@a\nAC\nGT\n+\nIIII\n", 20, "record 2 has no '+' after one line of bases"},
                          {"@a\nAC\n+b\nII\n", 20, "record 2 has another name after its '+'"},
                          {"@a\nAC\n+\nIII\n", 22, "record 2 has 3 qualities for 2 bases"},
                          {"@a\nA\n+\nI!\n", 21, "record 2 has 2 qualities for 1 base"},
                          {"@a\nAC\n+\nI", 22, "record 2 has 1 quality for 2 bases"},
                          {"@a\nAC\n+\nI \n", 23, "record 2 has a quality that is not from '!' to '~'"},
                          {"@a\nAC\n+\n", 14, "unexpected end of the input; record 2 is cut"}}) {
    const std::string text = before + each.text;
    const error failure = thrown_by([&] {
      for (const fastq_record& record : fastq(memory(text))) EXPECT_EQ(record.name, "r");
    });
    EXPECT_EQ(failure.what(),
              "cannot read 'memory' at byte " + std::to_string(each.offset) + ": " + each.said);
  }
  const auto of_fasta = [](const std::string& text) {
    return std::string(thrown_by([&] { (void)fasta(memory(text)).begin(); }).what());
  };
  EXPECT_EQ(of_fasta("\n@a\nA\n"),
            "cannot read 'memory' at byte 1: record 1 starts with '@', as FASTQ does, and not with '>'");
  EXPECT_EQ(of_fasta("ACGT"), "cannot read 'memory' at byte 0: record 1 does not start with '>'");
  EXPECT_EQ(of_fasta(">a\rACGT\r"),
            "cannot read 'memory' at byte 2: no LF ends the first line, and it has a CR");
}

TEST(sequences, are_not_read_from_a_split_of_lines) {
  const temporary_file file("@a\nA\n+\n!\n");
  for (const file_split& split : splits(file.path(), {.size = 4})) {
    EXPECT_THAT(thrown_by([&] { (void)fastq(read_split(split)); }),
                is_error(errc::invalid_argument, {}, "a split of lines cuts records of FASTQ and FASTA"));
    EXPECT_EQ(code_of([&] { (void)fasta(read_split(split)); }), errc::invalid_argument);
  }
}

}  // namespace
}  // namespace riffle::test
