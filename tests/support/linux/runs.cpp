/// The table of runs: ways to read a file, a few of them of other inputs, and what only files have.
#include "tests/support/faults.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>
#include <riffle/riffle.hpp>

namespace riffle::test::runs {

const std::string& text() {
  static const std::string lines = [] {
    std::string made;
    for (std::size_t i = 0; made.size() < 10'000; ++i)
      made += std::to_string(i * i) + (i % 5 == 0 ? "\n" : " ");
    return made + std::string(8 - made.size() % 8, '\n');
  }();
  return lines;
}

namespace {

// The automatic choice maps a file of this size.
const std::string& large_text() {
  static const std::string bytes = patterned_bytes((std::size_t{8} << 20U) + 5000);
  return bytes;
}

const std::string& nothing() {
  static const std::string empty;
  return empty;
}

void read_many(const inputs& from, delivery& got) {
  const std::vector<std::filesystem::path> files(3, from.file.path());
  std::optional<error> first;
  std::size_t next = 0;
  bool whole = true;
  parallel_files(
      files, std::string(), [](std::string_view split) { return std::string(split); }, std::plus<>(),
      [&](std::size_t index, std::string&& found, const error* failure) {
        if (index != next++) got.wrong = "files out of order";
        if (!got.truth.starts_with(found)) got.wrong = "no prefix of a file";
        if (failure == nullptr && found != got.truth) got.wrong = "a file that is neither whole nor failed";
        if (failure != nullptr && !first) first = *failure;
        whole = whole && found == got.truth;
        if (index == 0) got.bytes = std::move(found);
      },
      {.threads = 3, .split_size = block_size}, got.reading);
  if (first) throw error(*first);
  if (next != files.size()) got.wrong = "a file is missing";
  if (!whole) got.wrong = "short without a failure";
}

void seek_about(const inputs& from, delivery& got) {
  source in(from.file.path(), got.reading);
  std::string tail;
  in.seek(9000);
  for (block next = in.next(); !next.empty(); next = in.next()) tail += next.bytes;
  if (tail != got.truth.substr(9000)) got.wrong = "another tail";
  in.seek(0);
  for (block next = in.next(); !next.empty(); next = in.next()) got.bytes += next.bytes;
}

void read_uncached(const inputs& from, delivery& got) {
  got.reading.keep_cache = false;
  got.reading.sequential = got.reading.will_need = true;
  way_named("blocks").read(from.file.path(), got);
}

void read_large(const inputs& from, delivery& got) {
  got.reading.block_size = 0;
  way_named("blocks").read(from.large->path(), got);
}

void map(const inputs& from, delivery& got) {
  const mapped_file file(from.file.path(), {.sequential = true, .will_need = true, .populate = true});
  const mapped_file part = file.share({.offset = 4096, .length = 100});
  way_named("whole_lines").read(file, got);
  if (part.view() != text().substr(4096, 100)) got.wrong = "another part";
  part.check();
}

// A failed resize leaves the file and the mapping as they were.
void write_mapped(const inputs& from, delivery& got) {
  mapped_file file(from.scratch.path(), {.mode = mapping_mode::shared, .create = true});
  for (const std::size_t size : {got.truth.size() + 9000, got.truth.size()}) {
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
  file.writable()[0] = got.truth[0];
  file.flush();
  got.bytes = file.view();
}

const std::vector<run>& table() {
  static const std::vector<run> rows = [] {
    using enum input_kind;
    std::vector<run> all;
    for (const char* const name :
         {"blocks", "whole_lines", "words", "bytes", "values", "reader", "read_all", "count_lines",
          "parallel_reduce", "blocks_of_c", "lines_of_c", "words_of_c", "rows_of_c", "parallel_of_c"})
      all.push_back({name, name});
    const std::vector<run> others{
        {"uncached_blocks", "blocks", read_uncached},
        {"seek", nullptr, seek_about},
        {"parallel_files", nullptr, read_many},
        {"descriptor", "blocks", nullptr, text, regular_file, &inputs::open},
        {"pipe", "whole_lines", nullptr, text, stream, &inputs::filled_pipe},
        {"pipe_of_c", "lines_of_c", nullptr, text, stream, &inputs::filled_pipe},
        {"pipe_by_three", "parallel_reduce", nullptr, text, stream, &inputs::filled_pipe},
        {"slow_pipe", "whole_lines", nullptr, text, stream, &inputs::slow_pipe},
        {"device", "blocks", [](const inputs&, delivery& got) { way_named("blocks").read("/dev/null", got); },
         nothing, stream},
        {"large", "blocks", read_large, large_text, memory, &inputs::make_large},
        {"mapped_file", "whole_lines", map, text, memory},
        {"written_mapped_file", nullptr, write_mapped, text, memory, &inputs::rewritten},
    };
    all.insert(all.end(), others.begin(), others.end());
    for (run& each : all)
      each.expected = each.way == nullptr ? each.bytes() : way_named(each.way).truth(each.bytes());
    return all;
  }();
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
        what.kind == input_kind::memory ? std::vector{method::automatic} : usable_methods(what.kind);
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
  }
  result.got = {.reading = {.method = used, .block_size = block_size, .queue_depth = queued(used, 2)},
                .truth = what.truth()};
  result.got.bytes.reserve(what.truth().size());  // so that nothing fails here
  start();
  try {
    if (what.read != nullptr) {
      what.read(from, result.got);
    } else {
      way_named(what.way).read(given ? input(given->get()) : input(from.file.path()), result.got);
    }
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
