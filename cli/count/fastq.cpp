/// Checks each record before it counts, so that what is printed after an error is right.
#include "cli/count/fastq.hpp"

#include <fmt/core.h>
#include <riffle/error.hpp>
#include <riffle/numbered_lines.hpp>

#include <cstring>
#include <string>
#include <string_view>

namespace riffle::cli {

namespace {

// Eight bytes at a time: whether all are qualities.
bool all_qualities(std::string_view text) {
  constexpr std::uint64_t ones = 0x0101010101010101;
  std::uint64_t wrong = 0;
  std::size_t at = 0;
  for (; text.size() - at >= 8; at += 8) {
    std::uint64_t bytes;
    std::memcpy(&bytes, text.data() + at, 8);
    // One of the sums has the top bit of the first byte that is above '~' or below '!'. Bytes before it do
    // not carry into it.
    wrong |= (bytes + ones) | (bytes - '!' * ones);
  }
  for (; at != text.size(); ++at) {
    if (text[at] < '!' || text[at] > '~') return false;
  }
  return (wrong & ones << 7U) == 0;
}

class fastq_counter {
 public:
  fastq_counter(std::string input, read_counts& counts, sequence_stats* stats)
      : input_(std::move(input)), counts_(counts), stats_(stats) {}

  void add(const numbered_line& line) {
    switch (next_) {
      case part::header:
        if (without_byte_order_mark(line).empty()) return;
        require(without_byte_order_mark(line).front() == '@', line.offset, "does not start with '@'");
        record_ = line.offset;
        next_ = part::bases;
        return;
      case part::bases:
        bases_ = line.text.size();
        in_record_ = {};
        if (stats_ != nullptr) in_record_.add(line.text);
        next_ = part::plus;
        return;
      case part::plus:
        require(line.text.starts_with('+'), line.offset, "has no '+' after one line of bases");
        next_ = part::qualities;
        return;
      case part::qualities:
        add_qualities(line);
        next_ = part::header;
    }
  }
  void finish() const { require(next_ == part::header, record_, "is cut by the end of the file"); }

 private:
  enum class part : std::uint8_t { header, bases, plus, qualities };

  static std::string_view without_byte_order_mark(const numbered_line& line) {
    const bool has_one = line.offset == 0 && line.text.starts_with(byte_order_mark);
    return line.text.substr(has_one ? byte_order_mark.size() : 0);
  }
  void add_qualities(const numbered_line& line) {
    if (line.text.size() != bases_) {
      fail(line.offset, fmt::format("has {} {} for {} {}", line.text.size(),
                                    line.text.size() == 1 ? "quality" : "qualities", bases_,
                                    bases_ == 1 ? "base" : "bases"));
    }
    if (!all_qualities(line.text)) fail_at_quality(line);
    ++counts_.reads;
    counts_.bases += bases_;
    if (stats_ == nullptr) return counts_.add_qualities(line.text);
    stats_->add(bases_, in_record_);
  }

  [[noreturn]] void fail_at_quality(const numbered_line& line) const {
    std::size_t at = 0;
    while (all_qualities(line.text.substr(at, 1))) ++at;
    fail(line.offset + at, "has a quality that is not from '!' to '~'");
  }
  void require(bool right, std::uint64_t offset, std::string_view otherwise) const {
    if (!right) fail(offset, otherwise);
  }
  [[noreturn]] void fail(std::uint64_t offset, std::string_view what) const {
    throw error(errc::invalid_argument, "count", input_, offset,
                fmt::format("record {} {}", counts_.reads + 1, what));
  }

  std::string input_;
  read_counts& counts_;
  sequence_stats* stats_;  // null: qualities are counted
  base_counts in_record_;
  part next_ = part::header;
  std::uint64_t record_ = 0;  // the offset of its header
  std::size_t bases_ = 0;     // of this record
};

}  // namespace

std::uint64_t read_counts::of_quality(std::size_t quality) const {
  std::uint64_t sum = 0;
  for (const auto& table : tables) sum += table['!' + quality];
  return sum;
}

void read_counts::add_qualities(std::string_view text) {
  const auto byte = [text](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  std::size_t at = 0;
  for (; text.size() - at >= 4; at += 4) {
    ++tables[0][byte(at)];
    ++tables[1][byte(at + 1)];
    ++tables[2][byte(at + 2)];
    ++tables[3][byte(at + 3)];
  }
  for (; at != text.size(); ++at) ++tables[0][byte(at)];
}

void read_counts::add(const read_counts& other) {
  reads += other.reads;
  bases += other.bases;
  for (std::size_t i = 0; i != qualities; ++i) tables[0]['!' + i] += other.of_quality(i);
}

void count_reads(source from, read_counts& counts, sequence_stats* stats) {
  numbered_line_range lines(std::move(from), {.strip_cr = true});
  fastq_counter counter(lines.from().name(), counts, stats);
  try {
    for (const numbered_line line : lines) counter.add(line);
    counter.finish();
  } catch (const error&) {
    lines.from().check();  // bytes that were lost are zeros
    throw;
  }
}

}  // namespace riffle::cli
