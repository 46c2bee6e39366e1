/// The table of ways to read: each record type and each function that reads an input by itself.
#include "tests/support/runs.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>
#include <riffle/riffle.hpp>

#include <cstring>

namespace riffle::test::runs {

const std::string& text() {
  static const std::string lines = [] {
    std::string made;
    for (std::size_t i = 0; made.size() < 10'000; ++i)
      made += std::to_string(i * i) + (i % 5 == 0 ? "\n" : " ");
    return made + std::string(4 - made.size() % 4, '\n');
  }();
  return lines;
}

namespace {

// The automatic choice maps a file of this size.
const std::string& large_text() {
  static const std::string bytes = patterned_bytes((std::size_t{8} << 20U) + 5000);
  return bytes;
}

// Reads on after the first failure: the next step fails again, or goes on without a gap.
template <class Step>
void to_the_end(delivery& got, std::string_view truth, Step step) {
  try {
    while (step()) {
    }
    return;
  } catch (const std::exception&) {
    const std::size_t before = got.bytes.size();
    try {
      while (step()) {
      }
      if (got.bytes != truth) got.wrong = "ends early after a failure at " + std::to_string(before);
    } catch (const std::exception&) {
    }
    if (!truth.starts_with(got.bytes)) got.wrong = "a gap after a failure";
    throw;
  }
}

template <class Range, class Append>
void all_of(delivery& got, std::string_view truth, Range&& range, Append append) {
  to_the_end(got, truth, [&] {
    for (auto&& record : range) append(record);
    return false;
  });
}

std::string words_of_text() {
  std::string all;
  for (const std::string& word : naive_words(text())) all += word + ' ';
  return all;
}

const std::string& words_truth() {
  static const std::string all = words_of_text();
  return all;
}
const std::string& nothing() {
  static const std::string empty;
  return empty;
}
const std::string& newlines_truth() {
  static const std::string all(naive_lines(text()).size(), '\n');
  return all;
}

void read_blocks(const input& from, delivery& got, std::string_view truth) {
  all_of(got, truth, blocks(from, got.reading), [&](const block& next) {
    if (next.offset != got.bytes.size()) got.wrong = "a block with a wrong offset";
    got.bytes += next.bytes;
  });
}
void read_lines(const input& from, delivery& got, std::string_view truth) {
  all_of(got, truth, lines(from, {.keep_delimiter = true}, got.reading),
         [&](std::string_view line) { got.bytes += line; });
}
void count_all(const input& from, delivery& got) {
  std::uint64_t count = 0;
  const auto failure =
      error_of([&] { static_cast<void>(count_lines(from, {.threads = 0, .counted = &count}, got.reading)); });
  got.bytes.assign(count, '\n');
  if (failure) throw error(*failure);
}
void reduce(const input& from, delivery& got) {
  parallel_reduce_into(
      got.bytes, from, [](std::string_view split) { return std::string(split); }, std::plus<>(),
      {.threads = 3, .split_size = block_size}, got.reading);
}

void read_many(const inputs& from, delivery& got, std::string_view truth) {
  const std::vector<std::filesystem::path> files(3, from.file.path());
  std::optional<error> first;
  std::size_t next = 0;
  bool whole = true;
  parallel_files(
      files, std::string(), [](std::string_view split) { return std::string(split); }, std::plus<>(),
      [&](std::size_t index, std::string&& found, const error* failure) {
        if (index != next++) got.wrong = "files out of order";
        if (!truth.starts_with(found)) got.wrong = "no prefix of a file";
        if (failure == nullptr && found != truth) got.wrong = "a file that is neither whole nor failed";
        if (failure != nullptr && !first) first = *failure;
        whole = whole && found == truth;
        if (index == 0) got.bytes = std::move(found);
      },
      {.threads = 3, .split_size = block_size}, got.reading);
  if (first) throw error(*first);
  if (next != files.size()) got.wrong = "a file is missing";
  if (!whole) got.wrong = "short without a failure";
}

void map(const inputs& from, delivery& got, std::string_view truth) {
  const mapped_file file(from.file.path(), {.sequential = true, .will_need = true, .populate = true});
  const mapped_file part = file.share({.offset = 4096, .length = 100});
  read_lines(file, got, truth);
  if (part.view() != truth.substr(4096, 100)) got.wrong = "another part";
  part.check();
}

// A failed resize leaves the file and the mapping as they were.
void write_mapped(const inputs& from, delivery& got, std::string_view truth) {
  mapped_file file(from.scratch.path(), {.mode = mapping_mode::shared, .create = true});
  for (const std::size_t size : {truth.size() + 9000, truth.size()}) {
    const std::size_t before = file.size();
    try {
      file.resize(size);
    } catch (const std::exception&) {
      if (file.size() != before || std::filesystem::file_size(from.scratch.path()) != before)
        got.wrong = "a failed resize changed the size";
      throw;
    }
    file.writable()[0] = 'x';
    file.flush();
  }
  file.writable()[0] = truth[0];
  file.flush();
  got.bytes = file.view();
}

void read_values(const inputs& from, delivery& got, std::string_view truth) {
  all_of(got, truth, values<std::uint32_t>(from.file.path(), got.reading), [&](std::uint32_t value) {
    got.bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
  });
}

void read_mixed(const inputs& from, delivery& got, std::string_view truth) {
  reader in(from.file.path(), got.reading);
  to_the_end(got, truth, [&] {
    if (in.offset() != got.bytes.size()) got.wrong = "the reader stands elsewhere";
    if (in.at_end()) return false;
    if (const auto line = in.line({.keep_delimiter = true})) got.bytes += *line;
    if (in.at_end()) return false;
    got.bytes += in.bytes(1);
    if (truth.size() - got.bytes.size() > 100) {
      const auto taken = in.take<std::uint32_t>(10);
      got.bytes.append(reinterpret_cast<const char*>(taken.data()), taken.size_bytes());
    }
    return true;
  });
}

void seek_about(const inputs& from, delivery& got, std::string_view truth) {
  source in(from.file.path(), got.reading);
  std::string tail;
  in.seek(9000);
  for (block next = in.next(); !next.empty(); next = in.next()) tail += next.bytes;
  if (tail != truth.substr(9000)) got.wrong = "another tail";
  in.seek(0);
  for (block next = in.next(); !next.empty(); next = in.next()) got.bytes += next.bytes;
}

const std::vector<run>& table() {
  static const std::vector<run> rows{
      {"blocks", [](const inputs& from, delivery& got,
                    std::string_view truth) { read_blocks(from.file.path(), got, truth); }},
      {"uncached_blocks",
       [](const inputs& from, delivery& got, std::string_view truth) {
         got.reading.keep_cache = false;
         got.reading.sequential = got.reading.will_need = true;
         read_blocks(from.file.path(), got, truth);
       }},
      {"lines", [](const inputs& from, delivery& got,
                   std::string_view truth) { read_lines(from.file.path(), got, truth); }},
      {"words",
       [](const inputs& from, delivery& got, std::string_view truth) {
         all_of(got, truth, words(from.file.path(), {}, got.reading),
                [&](std::string_view word) { got.bytes.append(word).append(" "); });
       },
       words_truth},
      {"bytes",
       [](const inputs& from, delivery& got, std::string_view truth) {
         all_of(got, truth, bytes(from.file.path(), got.reading), [&](char byte) { got.bytes += byte; });
       }},
      {"values", read_values},
      {"reader", read_mixed},
      {"seek", seek_about},
      {"read_all", [](const inputs& from, delivery& got,
                      std::string_view) { got.bytes = riffle::read_all(from.file.path(), got.reading); }},
      {"count_lines",
       [](const inputs& from, delivery& got, std::string_view) { count_all(from.file.path(), got); },
       newlines_truth},
      {"parallel_reduce",
       [](const inputs& from, delivery& got, std::string_view) { reduce(from.file.path(), got); }},
      {"parallel_files", read_many},
      {"descriptor",
       [](const inputs&, delivery& got, std::string_view truth) { read_blocks(got.descriptor, got, truth); },
       text, input_kind::regular_file, &inputs::open},
      {"pipe",
       [](const inputs&, delivery& got, std::string_view truth) { read_lines(got.descriptor, got, truth); },
       text, input_kind::stream, &inputs::filled_pipe},
      {"pipe_by_three", [](const inputs&, delivery& got, std::string_view) { reduce(got.descriptor, got); },
       text, input_kind::stream, &inputs::filled_pipe},
      {"slow_pipe",
       [](const inputs&, delivery& got, std::string_view truth) { read_lines(got.descriptor, got, truth); },
       text, input_kind::stream, &inputs::slow_pipe},
      {"device",
       [](const inputs&, delivery& got, std::string_view truth) { read_blocks("/dev/null", got, truth); },
       nothing, input_kind::stream},
      {"large",
       [](const inputs& from, delivery& got, std::string_view truth) {
         got.reading.block_size = 0;
         read_blocks(from.large->path(), got, truth);
       },
       large_text, input_kind::memory, &inputs::make_large, false},
      {"mapped_file", map, text, input_kind::memory, nullptr, false},
      {"written_mapped_file", write_mapped, text, input_kind::memory, &inputs::rewritten, false},
  };
  return rows;
}

}  // namespace

int inputs::open() const {
  return ::open(file.path().c_str(), O_RDONLY | O_CLOEXEC);
}
int inputs::make_large() const {
  if (!large) large.emplace(large_text());
  return open();
}
int inputs::rewritten() const {
  scratch.write(text());
  return open();
}
int inputs::filled_pipe() const {
  return pipe(0);
}
int inputs::slow_pipe() const {
  return pipe(O_NONBLOCK);
}
int inputs::pipe(int flags) const {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return -1;
  ::signal(SIGPIPE, SIG_IGN);  // the reader may go first
  ::fcntl(ends[0], F_SETFL, flags);
  writer = std::jthread([write_end = ends[1]] {
    const owned_descriptor owned(write_end);
    write_slowly(write_end, text(), 1500);
  });
  if (flags == 0) writer.join();
  return ends[0];
}

std::vector<std::tuple<const run*, method>> all() {
  std::vector<std::tuple<const run*, method>> pairs;
  for (const run& what : table()) {
    const std::vector<method> methods =
        what.every_method ? usable_methods(what.kind) : std::vector{method::automatic};
    for (const method used : methods) pairs.emplace_back(&what, used);
  }
  return pairs;
}

ending carry_out(const run& what, method used, const inputs& from, const std::function<void()>& start,
                 const std::function<void()>& stop) {
  ending result;
  std::unique_ptr<owned_descriptor> given;
  if (what.open != nullptr) {
    given = std::make_unique<owned_descriptor>((from.*what.open)());
    result.got.descriptor = given->get();
  }
  result.got.reading = {.method = used, .block_size = block_size, .queue_depth = 2};
  const std::string& truth = what.truth();
  result.got.bytes.reserve(truth.size());  // so that nothing fails here
  start();
  try {
    what.read(from, result.got, truth);
    stop();
  } catch (const error& failure) {
    stop();
    result.failure = failure;
  } catch (const std::bad_alloc&) {
    stop();
    result.out_of_memory = true;
  } catch (const std::exception& failure) {
    stop();
    result.other = failure.what();
  }
  given.reset();
  from.writer = {};
  return result;
}

std::string fault_of(const ending& found, const run& what) {
  const std::string& truth = what.truth();
  if (!found.got.wrong.empty()) return found.got.wrong;
  if (!found.other.empty()) return "another exception: " + found.other;
  if (!truth.starts_with(found.got.bytes)) return "what was delivered is no prefix of the truth";
  if (!found.failure) return found.out_of_memory || found.got.bytes == truth ? "" : "short without an error";
  const error& failure = *found.failure;
  const std::string told = failure.what();
  if (failure.operation().empty() || failure.path().empty()) return "no operation or path: " + told;
  // A thread may look for records in a split behind the end.
  const std::size_t most = std::max(truth.size(), text().size()) + std::size_t{5} * block_size;
  if (failure.offset().value_or(0) > most) return "an offset behind the end: " + told;
  return {};
}

std::size_t open_descriptors() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(all, std::filesystem::directory_iterator()));
}

std::size_t mapped_ranges() {
  static std::vector<char> bytes(1 << 18);
  const owned_descriptor file(::open("/proc/self/maps", O_RDONLY | O_CLOEXEC));
  std::size_t lines = 0;
  for (ssize_t count = 0; (count = ::read(file.get(), bytes.data(), bytes.size())) > 0;) {
    lines += scan::count_lines({bytes.data(), static_cast<std::size_t>(count)});
  }
  return lines;
}

}  // namespace riffle::test::runs
