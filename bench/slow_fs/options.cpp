/// One table for the help and the parser; every value is a number.
#include "bench/slow_fs/options.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "text/numbers.hpp"

namespace riffle::slow_fs {

namespace {

struct setting {
  std::string_view name;
  std::uint64_t options::* field;
  std::uint64_t least;
  std::uint64_t most;
  std::string_view text;
};

constexpr std::uint64_t any = none - 1;

constexpr setting settings[] = {
    {"latency", &options::latency, 0, 1'000'000'000, "microseconds that each request takes (0)"},
    {"served", &options::served, 1, 1024, "requests served at once (10)"},
    {"bandwidth", &options::bandwidth, 1, any, "bytes a second, over all requests (unlimited)"},
    {"direct-io", &options::direct_io, 0, 1, "1: every read passes the page cache (0)"},
    {"async-dio", &options::async_dio, 0, 1, "0: the OS kernel waits for each read past the page cache (1)"},
    {"no-seek", &options::no_seek, 0, 1, "1: a file is read in order alone, at no position (0)"},
    {"attached", &options::attached, 0, 1, "1: it ends when nobody reads its output, and not by Ctrl-C (0)"},
    {"files", &options::files, 1, 10'000'000, "names with the same bytes (1)"},
    {"eio-at", &options::eio_at, 0, any, "a read of this byte fails with EIO"},
    {"estale-at", &options::estale_at, 0, any, "a read of this byte fails with ESTALE"},
    {"eintr-at", &options::eintr_at, 0, any, "the first 3 reads of this byte fail with EINTR"},
    {"stall-at", &options::stall_at, 0, any, "a read of this byte waits until it is interrupted"},
    {"short-reads", &options::short_reads, 1, any, "the most bytes a read gives; with --direct-io=1"},
    {"size", &options::size, 0, any / 2, "the size reported, whatever FILE holds"},
    {"shrink-to", &options::shrink_to, 0, any / 2, "the size, and the end, after some reads"},
    {"shrink-after", &options::shrink_after, 0, any, "the number of these reads (0)"},
};

void set(options& wanted, std::string_view argument) {
  const std::string_view name = argument.substr(2, argument.find('=') - 2);
  const auto found = std::find_if(std::begin(settings), std::end(settings),
                                  [name](const setting& each) { return each.name == name; });
  if (found == std::end(settings) || argument.size() < name.size() + 3) {
    throw text::usage_error("unknown option '" + std::string(argument) + "'; see --help");
  }
  wanted.*(found->field) = text::parse_size(argument.substr(name.size() + 3), found->least, found->most);
}

}  // namespace

std::string help() {
  std::string text =
      "usage: riffle-slow-fs [--OPTION=NUMBER ...] FILE DIRECTORY\n\n"
      "Serves FILE, read-only, as DIRECTORY/1 by FUSE: as high-latency storage, with faults on demand.\n"
      "Ctrl-C and SIGTERM unmount it, as does fusermount3 -u DIRECTORY. At its end it prints the number of\n"
      "requests and how many of them were in flight at once.\n\n";
  for (const setting& each : settings) {
    std::string option = "  --" + std::string(each.name) + "=N";
    option.resize(20, ' ');
    text += option + std::string(each.text) + "\n";
  }
  return text + "  --help            this text\n\nN may have a unit: 128K, 1M, 5G.\n";
}

options parse(int count, const char* const* arguments) {
  options wanted;
  for (int index = 1; index < count; ++index) {
    const std::string_view argument = arguments[index];
    if (argument.starts_with("--")) {
      set(wanted, argument);
    } else if (wanted.file.empty()) {
      wanted.file = argument;
    } else if (wanted.directory.empty()) {
      wanted.directory = argument;
    } else {
      throw text::usage_error("one FILE and one DIRECTORY, please; see --help");
    }
  }
  if (wanted.directory.empty()) throw text::usage_error("FILE or DIRECTORY is missing; see --help");
  return wanted;
}

}  // namespace riffle::slow_fs
