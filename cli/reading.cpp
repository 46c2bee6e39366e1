/// Finds methods, formats and inputs by their names, decides how many threads read, draws the progress, and
/// notes what a file is.
#include "cli/reading.hpp"

#include <riffle/error.hpp>
#include <riffle/input.hpp>
#include <riffle/lines.hpp>
#include <riffle/methods.hpp>
#include <riffle/parallel.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <exception>
#include <filesystem>
#include <new>
#include <string_view>
#include <system_error>

#include "cli/command_line.hpp"
#include "cli/os/system.hpp"
#include "text/os/system.hpp"
#include "text/shown.hpp"
#include "text/typed.hpp"

namespace riffle::cli {

namespace {

constexpr unsigned most_threads_unasked = 4;
constexpr std::size_t all_splits = std::size_t{8} << 20U;
// Below these, threads win less than they cost: docs/choosing.md has the curves.
constexpr std::uint64_t large = std::uint64_t{32} << 20U;
constexpr std::size_t many = 256;

// To find the number of processors takes longer than to count a small file.
unsigned threads_unasked() {
  return std::min(thread_count(), most_threads_unasked);
}

// To look at a file takes a tenth of the time to count a small one.
bool are_large(std::span<const std::string> files) {
  std::uint64_t sizes = 0;
  for (const std::string& name : files) {
    if (name == "-") return true;  // it may be
    std::error_code failure;
    const std::uintmax_t size = std::filesystem::file_size(detail::path_of(name), failure);
    if (!failure) sizes += size;
    if (sizes >= large) return true;
  }
  return false;
}

using namespace std::chrono_literals;

using clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds first_line = 1s;  // no line before
constexpr std::chrono::milliseconds between_lines = 200ms;
constexpr std::size_t longest_line = 100;
constexpr std::size_t echo = 2;  // columns that the terminal needs after the text: "^C"

// There is one terminal.
std::mutex terminal;
std::atomic<bool> shown = false;

// Some terminals wrap in the last column.
std::size_t columns_for_line() noexcept {
  return std::min(os::columns_of_terminal(stderr) - 1, longest_line);
}

// A signal handler may call it.
void remove_line() {
  if (!shown) return;
  const std::size_t columns = columns_for_line();
  std::array<char, longest_line + 2> blanks;
  blanks.fill(' ');
  blanks[0] = blanks[columns + 1] = '\r';
  os::write_to_terminal({blanks.data(), columns + 2});
  shown = false;
}

// 0 if it is unknown, as with a pipe, or takes long to find out: of many files on high-latency storage.
std::uint64_t size_of(std::span<const std::string> files) {
  const clock::time_point late = clock::now() + 50ms;
  std::uint64_t all = 0;
  for (const std::string& name : files) {
    std::error_code failure;
    const std::filesystem::path path(detail::path_of(name == "-" ? "/dev/stdin" : name));
    all += std::filesystem::file_size(path, failure);
    if (failure || (clock::now() > late && &name != &files.back())) return 0;
  }
  return all;
}

std::string quoted(const std::string& name) {
  return fmt::format("'{}'", name == "-" ? "standard input" : name);
}

// It can be read from its start.
std::filesystem::path path_of(const std::string& name) {
  return name == "-" ? "/dev/stdin" : name;
}

constexpr std::array<std::string_view, 12> endings{".gz", ".tgz", ".bgz", ".Z",    ".zip", ".bz2",
                                                   ".xz", ".lz",  ".zst", ".lzma", ".lz4", ".tzst"};

bool is_named_so(std::string_view name) {
  for (const std::string_view ending : endings) {
    if (name.ends_with(ending)) return true;
  }
  return false;
}

bool begins_as_utf_16(std::string_view text) {
  return text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF");
}

// What to say of the end of an input that is decoded; empty: nothing.
std::string note_of_end(const std::string& name, const source& opened) {
  if (opened.descriptor() < 0) return {};
  try {
    if (!detail::lacks_end_marker(opened.descriptor())) return {};
  } catch (const error&) {
    return {};  // reading it tells
  }
  return fmt::format("{} ends without the marker of BGZF: it may be cut", quoted(name));
}

void require_compressed(const std::string& name, const source& opened) {
  if (opened.kind() != input_kind::regular_file || opened.size_hint() == 0) return;
  if (!is_named_so(name) || decoding_of(opened.descriptor()) != decoding::none) return;
  throw error(
      errc::invalid_argument, "decode", opened.name(), std::nullopt,
      "its name says that it is compressed, but it does not begin as a compressed file does; leave -z "
      "out to read it as it is");
}

}  // namespace

unsigned threads_for(std::span<const std::string> files, std::optional<unsigned> asked) {
  if (asked) return *asked;
  if (files.size() == 1) return most_threads_unasked;
  return files.size() >= many || are_large(files) ? threads_unasked() : 1;
}

riffle::thread_options splitting_for(const source& opened, std::optional<unsigned> asked, unsigned granted) {
  riffle::thread_options splitting{.threads = granted};
  if (asked) return splitting;
  const bool splits = opened.size_hint() >= opened.start() + large && opened.seekable();
  // Queues of several threads read ahead over the ends of their splits.
  const bool shared = splits && !find_method(opened.method())->queues;
  splitting.threads = shared ? std::min(granted, threads_unasked()) : 1;
  splitting.split_size = all_splits / splitting.threads;
  return splitting;
}

std::vector<std::string_view> method_names() {
  std::vector<std::string_view> names{name_of(method::automatic)};
  for (const method_info& info : methods()) names.push_back(info.name);
  return names;
}

std::vector<std::string_view> decoding_names() {
  std::vector<std::string_view> names{name_of(decoding::none), name_of(decoding::automatic)};
  for (const decoder_info& info : decoders()) names.push_back(info.name);
  return names;
}

method parse_method(std::string_view name) {
  if (const auto found = method_named(name)) return *found;
  throw no_such("method", method_names());
}

decoding parse_decoding(std::string_view name) {
  if (const auto found = decoding_named(name)) return *found;
  throw no_such("format", decoding_names());
}

void set_decompress(arguments& given, std::string_view /*typed*/) {
  set_decode(given, name_of(decoding::automatic));
}

void set_decode(arguments& given, std::string_view value) {
  auto& reading = static_cast<reading_arguments&>(given);
  reading.options.decode = parse_decoding(value);
  reading.decode_typed = true;
}

void decode_records(reading_arguments& given) {
  if (!given.decode_typed) given.options.decode = decoding::automatic;
}

void set_threads(arguments& given, std::string_view value) {
  auto& reading = static_cast<reading_arguments&>(given);
  reading.options.decode_threads = static_cast<unsigned>(text::parse_number(value, 0, most_threads));
  reading.threads = reading.options.decode_threads;
}

void add_listed_files(reading_arguments& given) {
  std::vector<std::string> listed;
  for (const std::string& list : given.lists) {
    for (const std::string_view name : lines(input_of(list))) {
      if (!name.empty()) listed.emplace_back(name);
    }
  }
  given.files.insert(given.files.begin(), listed.begin(), listed.end());
}

bool are_files_listed(const arguments& given) {
  return !static_cast<const reading_arguments&>(given).lists.empty();
}

input input_of(const std::string& name) {
  if (name == "-") return input(0);
  return input(name);
}

std::string progress_text(std::uint64_t bytes, std::uint64_t total, double seconds, std::size_t columns) {
  const double rate = static_cast<double>(bytes) / seconds;
  const bool known = total != 0 && bytes <= total;  // else a file grew
  std::string line = text::human_size(bytes);
  if (known) {
    const double share = static_cast<double>(bytes) / static_cast<double>(total);
    line += fmt::format(" of {} ({:.0f} %)", text::human_size(total), 100 * share);
  }
  line += fmt::format(", {}/s", text::human_size(static_cast<std::uint64_t>(rate)));
  if (known && bytes != 0) {
    const double left = std::round(static_cast<double>(total - bytes) / rate);
    line += fmt::format(", {:.0f}:{:02.0f} left", std::floor(left / 60), std::fmod(left, 60));
  }
  while (line.size() > columns) line.resize(line.find(',') == line.npos ? 0 : line.rfind(','));
  return line;
}

std::unique_ptr<reading_progress> shown_progress(reading_arguments& given, bool writes_as_it_reads) {
  if (!text::shows_progress(given.progress, writes_as_it_reads)) return nullptr;
  return std::make_unique<reading_progress>(given.options, size_of(given.files));
}

reading_progress::reading_progress(read_options& reading, std::uint64_t total) : total_(total) {
  os::call_before_the_end(remove_line);
  try {
    thread_ = std::thread([this] { show(); });
    os::take_end_signals(false);
    reading.watch.compressed_progress = &bytes_;
  } catch (const std::system_error&) {
    return;  // the command does without
  }
}

reading_progress::~reading_progress() {
  if (!thread_.joinable()) return;
  os::take_end_signals(true);
  stop_ = true;
  static_cast<void>(removed());  // the thread draws no more: it waits, or looks at `stop_` before it does
  stopped_.notify_all();
  thread_.join();
}

std::unique_lock<std::mutex> reading_progress::removed() {
  std::unique_lock lock(terminal);
  remove_line();
  return lock;
}

void reading_progress::show() {
  const clock::time_point start = clock::now();
  const auto is_stopped = [this] { return stop_.load(); };
  std::unique_lock lock(terminal);
  try {
    for (auto wait = first_line; !stopped_.wait_for(lock, wait, is_stopped); wait = between_lines) {
      const std::chrono::duration<double> time = clock::now() - start;
      const std::size_t columns = columns_for_line();
      const std::string text = progress_text(bytes_, total_, time.count(), columns - std::min(columns, echo));
      shown = true;
      os::write_to_terminal(fmt::format("\r{:{}}\r{}", text, columns, text));
    }
  } catch (const std::bad_alloc&) {  // the command does without
    stopped_.wait(lock, is_stopped);
  }
}

bool look_at(const std::string& name, const source& opened, const reading_arguments& given, bool takes_text,
             std::string& note) {
  const decoding decode = given.options.decode;
  if (given.decode_typed && decode == decoding::automatic) require_compressed(name, opened);
  // An input that is decoded is not seekable, so nothing is looked at to tell.
  if (decode != decoding::none && !opened.seekable()) {
    note = note_of_end(name, opened);
    return takes_text;
  }
  char front[2] = {};
  return takes_text && os::read_front(opened.descriptor(), front) == 2 && begins_as_utf_16({front, 2});
}

std::string note_of_format(const std::string& name, bool failed, const reading_arguments& given) {
  if (given.decode_typed || given.options.decode != decoding::none) return {};
  if (!failed && !(is_named_so(name) && os::is_terminal(stderr)))
    return {};  // a look takes as long as a small file
  try {
    const decoding format = decoding_of(path_of(name));
    if (format == decoding::none) return {};
    return fmt::format("{} is compressed by {}; use -z to decode it", quoted(name), name_of(format));
  } catch (const std::exception&) {
    return {};  // reading it tells
  }
}

std::string note_of_encoding(const std::string& name, const read_options& reading) {
  const std::filesystem::path path = path_of(name);
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return {};
  try {
    source again(path, {.method = method::read,
                        .block_size = reading.block_size,
                        .keep_cache = reading.keep_cache,
                        .decode = reading.decode,
                        .decode_threads = 1,
                        .max_size = reading.max_size});
    const std::string_view front = again.next().bytes;
    const bool utf32 = front.starts_with(std::string_view("\xFF\xFE\0\0", 4));
    if (utf32 || !begins_as_utf_16(front)) return {};
  } catch (const std::exception&) {
    return {};
  }
  return fmt::format("{} is UTF-16; convert it by iconv -f UTF-16 -t UTF-8", quoted(name));
}

}  // namespace riffle::cli
