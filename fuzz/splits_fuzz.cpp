/// The splits of any file hold each record once, in the split where it starts, whatever reads them.
#include "fuzz/support/delivery.hpp"
#include "tests/support/oracles.hpp"

namespace riffle::fuzz {
namespace {

// Where the first record at or behind `from` starts; the end of the text if there is none.
std::size_t start_of_record(std::string_view text, std::size_t from, const record_options& records) {
  const std::size_t size = std::max<std::size_t>(records.record_size, 1);
  const auto starts = [&](std::size_t at) {
    if (at == 0) return true;
    return records.delimiter ? text[at - 1] == *records.delimiter : at % size == 0;
  };
  while (from < text.size() && !starts(from)) ++from;
  return from;
}

// A split, and the bytes that it should give.
class given_split {
 public:
  given_split(const file_split& split, const record_options& records, std::string_view text)
      : input_(read_split(split, records)),
        records_(records),
        start_(start_of_record(text, split.begin, records)) {
    expected_ = text.substr(start_, start_of_record(text, split.end, records) - start_);
  }

  // By a way of the tests. Numbered lines take the place of rows, and of lines that end at another byte than
  // the records of the split. A reader of nothing stands where it likes.
  void check(std::size_t what, const read_options& reading) const {
    const test::way& how = test::ways()[what % test::ways().size()];
    const bool lines = how.name.find("line") != how.name.npos && !how.name.starts_with("count");
    if (how.name.starts_with("row") || (lines && records_.delimiter != '\n')) return check_lines(reading);
    if (how.name == "reader") check_reader(reading);
    if (how.name != "reader" || !expected_.empty()) check_way(how, input_, reading, expected_, start_);
  }

 private:
  void check_lines(const read_options& reading) const {
    const line_options options{.delimiter = records_.delimiter.value_or('\n'), .keep_delimiter = true};
    if (!records_.delimiter) {
      return require(test::code_of([&] { static_cast<void>(lines(input_, options, reading)); }) ==
                         errc::invalid_argument,
                     "lines of a split without a delimiter are refused");
    }
    std::size_t place = 0;
    std::uint64_t number = 0;
    for (const numbered_line line : numbered_lines(input_, options, reading)) {
      const std::size_t end = std::min(expected_.find(options.delimiter, place), expected_.size() - 1) + 1;
      require(line.text == expected_.substr(place, end - place), "a line is one of the split");
      require(line.offset == start_ + place && line.number == ++number, "a line knows its place");
      place = end;
    }
    require(place == expected_.size(), "every line of the split is found");
  }

  // The end of the split is the end of the reader, wherever it was moved to.
  void check_reader(const read_options& reading) const {
    reader in(input_, reading);
    const std::size_t half = expected_.size() / 2;
    in.skip(half);
    require(expected_.empty() || in.offset() == start_ + half, "a reader counts from the start of the file");
    require(in.bytes(expected_.size() - half) == expected_.substr(half),
            "a reader gives the bytes of the split");
    require(in.at_end(), "a reader ends with the split");
    require(test::code_of([&] { in.skip(1); }) == errc::unexpected_end, "nothing is behind the end");
  }

  input input_;
  record_options records_;
  std::size_t start_;
  std::string_view expected_;
};

// A split that no longer fits its file is refused before a byte of it is read.
void check_refused(const file_split& split, unsigned what) {
  file_split other = split;
  errc expected = errc::changed;
  switch (what % 5) {
    case 0:
      other.end = other.size + 1;
      expected = errc::invalid_argument;
      break;
    case 1:
      other.begin = other.end + 1;
      expected = errc::invalid_argument;
      break;
    case 2:
      ++other.size;
      break;
    case 3:
      ++other.mtime_ns;
      break;
    default:
      ++other.inode;
  }
  require(test::code_of([&] { static_cast<void>(read_all(read_split(other))); }) == expected,
          "a split of another file is refused");
}

record_options records_of(FuzzedDataProvider& from) {
  record_options records;
  const unsigned kind = from.ConsumeIntegralInRange<unsigned>(0, 2);
  if (kind == 1) records.delimiter = from.ConsumeIntegral<char>();
  if (kind == 2) {
    records.delimiter = std::nullopt;
    records.record_size = from.ConsumeIntegralInRange<std::size_t>(0, 5000);
  }
  return records;
}

read_options reading_of(FuzzedDataProvider& from) {
  const std::vector<method> usable = test::usable_methods();
  constexpr std::size_t sizes[] = {1, 7, 64, 4096, 5000, 0};
  return {.method = usable[from.ConsumeIntegral<std::uint8_t>() % usable.size()],
          .block_size = from.PickValueInArray(sizes)};
}

void check(FuzzedDataProvider& from) {
  constexpr std::uint64_t sizes[] = {1, 2, 3, 7, 64, 100, 4096, 5000, 16'384, 16'385, 0};
  const std::uint64_t size = from.PickValueInArray(sizes);
  const record_options records = records_of(from);
  const read_options reading = reading_of(from);
  const auto what = from.ConsumeIntegral<std::uint8_t>();
  const std::pair own{from.ConsumeIntegral<std::uint16_t>(), from.ConsumeIntegral<std::uint16_t>()};
  // So many splits at most that a run stays short.
  const std::string text = text_of(from, size == 0 ? 40'000 : std::min<std::uint64_t>(40'000, size * 40));
  static const scratch_file file;
  file.write(text);

  const std::vector<file_split> all = splits(file.path(), {.split_size = size});
  std::uint64_t end = 0;
  for (const file_split& split : all) {
    require(split.begin == end && split.end > split.begin, "each byte lies in one split");
    end = split.end;
    given_split(split, records, text).check(what, reading);
  }
  require(end == text.size(), "the splits cover the file");
  if (all.empty()) return;
  check_refused(all.back(), what);
  file_split chosen = all.front();  // by another program than `splits`
  chosen.begin = own.first % (text.size() + 1);
  chosen.end = chosen.begin + own.second % (text.size() - chosen.begin + 1);
  given_split(chosen, records, text).check(what, reading);
}

}  // namespace
}  // namespace riffle::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FuzzedDataProvider from(data, size);
  riffle::fuzz::check(from);
  return 0;
}
