/// The table of runs: all ways to read a file, a few of them of each other input, and what only files have.
#include "tests/support/faults.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <riffle/riffle.hpp>

#include "tests/support/inputs.hpp"

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

std::string nothing(std::string_view) {
  return {};
}

void read_many(const input& from, delivery& got) {
  std::optional<error> first;
  std::size_t next = 0;
  bool whole = true;
  parallel_files(
      std::vector<input>(3, from), std::string(), [](std::string_view split) { return std::string(split); },
      std::plus<>(),
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
  if (next != 3) got.wrong = "a file is missing";
  if (!whole) got.wrong = "short without a failure";
}

void seek_about(const input& from, delivery& got) {
  source in(from, got.reading);
  in.seek(9000);
  if (rest_of(in) != got.truth.substr(9000)) got.wrong = "another tail";
  in.seek(0);
  read_on(in, got.bytes);
}

void read_uncached(const input& from, delivery& got) {
  got.reading.keep_cache = false;
  got.reading.sequential = got.reading.will_need = true;
  way_named("blocks").read(from, got);
}

void read_in_large_blocks(const input& from, delivery& got) {
  got.reading.block_size = 0;
  way_named("blocks").read(from, got);
}

void map(const input& from, delivery& got) {
  const mapped_file file(std::filesystem::path(from.name()),
                         {.sequential = true, .will_need = true, .populate = true});
  const mapped_file part = file.share({.offset = 4096, .length = 100});
  way_named("whole_lines").read(file, got);
  if (part.view() != text().substr(4096, 100)) got.wrong = "another part";
  part.check();
}

// A failed resize leaves the file and the mapping as they were.
void write_mapped(const input& from, delivery& got) {
  mapped_file file(std::filesystem::path(from.name()), {.mode = mapping_mode::shared, .create = true});
  for (const std::size_t size : {got.truth.size() + 9000, got.truth.size()}) {
    const std::size_t before = file.size();
    try {
      file.resize(size);
    } catch (const std::exception&) {
      if (file.size() != before || std::filesystem::file_size(from.name()) != before)
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

// What only files have.
const way of_files[] = {
    {"uncached_blocks", read_uncached},
    {"seek", seek_about},
    {"parallel_files", read_many},
    {"device", [](const input&, delivery& got) { way_named("blocks").read("/dev/null", got); }, nothing},
    {"large", read_in_large_blocks},
    {"mapped_file", map, way_named("whole_lines").truth},
    {"written_mapped_file", write_mapped},
};

// Each way reads a file, and the other kinds of input are read by a few ways. The streams of a user's may
// give what they like for a failure.
const std::vector<run>& table() {
  static const std::vector<run> rows = [] {
    std::vector<run> all;
    const kind_of_input* const path = kinds_of_input().data();
    for (const way& how : of_files) {
      const bool large = how.name == "large";
      const input_kind kind = how.name == "device"                         ? input_kind::stream
                              : large || how.name.ends_with("mapped_file") ? input_kind::memory
                                                                           : path->kind;
      all.push_back({std::string(how.name), &how, path, kind, large ? large_text() : text()});
    }
    for (const way& how : ways()) all.push_back({std::string(how.name), &how, path});
    for (const kind_of_input& kind : kinds_of_input()) {
      if (&kind == path || kind.kind == input_kind::istream) continue;
      for (const char* const name : {"whole_lines", "lines_of_c", "parallel_reduce"})
        all.push_back({std::string(name) + " of " + std::string(kind.name), &way_named(name), &kind});
    }
    return all;
  }();
  return rows;
}

}  // namespace

std::vector<std::tuple<const run*, method>> all() {
  std::vector<std::tuple<const run*, method>> pairs;
  std::size_t number = 0;
  for (const run& what : table()) {
    const std::vector<method> methods = usable_methods(what.kind);
    // Each of the ways after the first by some methods, and each method by some of the ways.
    const bool every = methods.size() == 1 || number < std::size(of_files) || what.how->name == "blocks" ||
                       what.kind == input_kind::stream;
    for (std::size_t i = 0; i != methods.size(); ++i) {
      if (every || (number + i) % 3 == 0) pairs.emplace_back(&what, methods[i]);
    }
    ++number;
  }
  return pairs;
}

const temporary_file& inputs::file_of(const run& what) const {
  if (what.bytes.size() != text().size()) {
    if (!large_) large_.emplace(what.bytes);
    return *large_;
  }
  if (what.kind != input_kind::memory || what.from->kind != input_kind::regular_file) return file_;
  scratch_.write(what.bytes);
  return scratch_;
}

ending carry_out(const run& what, method used, const inputs& from, const std::function<void()>& start,
                 const std::function<void()>& stop) {
  ending result;
  delivery wanted =
      expecting(*what.how, what.bytes,
                {.reading = {.method = used, .block_size = block_size, .queue_depth = queued(used, 2)}});
  const contents made{.bytes = what.bytes, .front = {}, .file = from.file_of(what).path(), .pieces{1500}};
  what.from->open(made, [&](const input& opened, std::uint64_t) {
    result = read_by(*what.how, opened, std::move(wanted), start, stop);
  });
  return result;
}

std::string fault_of(const ending& found) {
  if (std::string fault = test::fault_of(found); !fault.empty() || !found.failure) return fault;
  const error& failure = *found.failure;
  const std::string told = failure.what();
  if (failure.operation().empty() || failure.path().empty()) return "no operation or path: " + told;
  // A thread may look for records in a split behind the end.
  const std::size_t most = std::max(found.got.truth.size(), text().size()) + std::size_t{5} * block_size;
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
