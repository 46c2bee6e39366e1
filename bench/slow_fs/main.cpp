/// Far storage on this machine: a FUSE file system with a latency a request, so many at once, and faults on
/// demand.
#define FUSE_USE_VERSION 312
#include <fcntl.h>
#include <fuse3/fuse_lowlevel.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cinttypes>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <functional>
#include <iterator>
#include <limits>
#include <mutex>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "text/typed.hpp"

namespace riffle::slow_fs {
namespace {

// No offset, no number of reads, no size of one's own.
constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();

// As the table below says.
struct options {
  std::string file, directory;
  std::uint64_t latency = 0, served = 10, bandwidth = none, direct_io = 0, async_dio = 1, no_seek = 0,
                attached = 0, files = 1, eio_at = none, estale_at = none, eintr_at = none, stall_at = none,
                short_reads = none, size = none, shrink_to = none, shrink_after = 0;
};

// One table for the help and the parser; every value is a number.
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

options parse(std::span<char*> arguments) {
  options wanted;
  std::vector<std::string> operands;
  for (const std::string_view argument : arguments) {
    if (argument.starts_with("--")) {
      set(wanted, argument);
    } else {
      operands.emplace_back(argument);
    }
  }
  if (operands.size() < 2) throw text::usage_error("FILE or DIRECTORY is missing; see --help");
  if (operands.size() > 2) throw text::usage_error("one FILE and one DIRECTORY, please; see --help");
  wanted.file = operands[0];
  wanted.directory = operands[1];
  return wanted;
}

using steady = std::chrono::steady_clock;

// What is served, and what was asked for. One object, that the calls of libfuse are given.
struct served_file {
  options wanted;
  struct stat status{};
  std::string_view bytes;
  fuse_session* session = nullptr;
  std::atomic<std::uint64_t> requests{0}, interruptions{0}, reads{0}, in_flight{0}, most_in_flight{0},
      bytes_read{0};
  std::mutex line_lock;
  steady::time_point line_free{};  // when the line has carried all replies so far

  bool shrunk() const { return wanted.shrink_to != none && reads.load() > wanted.shrink_after; }
  std::uint64_t size() const {
    if (shrunk()) return wanted.shrink_to;
    return wanted.size == none ? bytes.size() : wanted.size;
  }
  // Where the bytes end, whatever the size says.
  std::uint64_t end() const {
    return shrunk() ? std::min<std::uint64_t>(wanted.shrink_to, bytes.size()) : bytes.size();
  }
};

served_file& of(fuse_req_t request) {
  return *static_cast<served_file*>(fuse_req_userdata(request));
}

// Counts a request as long as it lives, and takes the time that it shall take.
class slow_request {
 public:
  explicit slow_request(fuse_req_t request) : file_(of(request)) {
    ++file_.requests;
    const std::uint64_t now = ++file_.in_flight;
    for (std::uint64_t most = file_.most_in_flight; most < now;) {
      if (file_.most_in_flight.compare_exchange_weak(most, now)) break;
    }
    if (file_.wanted.latency != 0) {
      std::this_thread::sleep_for(std::chrono::microseconds(file_.wanted.latency));
    }
  }
  ~slow_request() { --file_.in_flight; }
  slow_request(const slow_request&) = delete;
  slow_request& operator=(const slow_request&) = delete;

 private:
  served_file& file_;
};

// Waits until a line of the wanted bandwidth has carried so many bytes, after those of the other requests.
void carry(served_file& file, std::size_t count) {
  if (file.wanted.bandwidth == none) return;
  const std::chrono::duration<double> taken(static_cast<double>(count) /
                                            static_cast<double>(file.wanted.bandwidth));
  std::unique_lock held(file.line_lock);
  file.line_free =
      std::max(file.line_free, steady::now()) + std::chrono::duration_cast<steady::duration>(taken);
  const auto until = file.line_free;
  held.unlock();
  std::this_thread::sleep_until(until);
}

struct stat status_of(const served_file& file, fuse_ino_t node) {
  struct stat status = file.status;
  status.st_ino = node;
  status.st_mode = node == FUSE_ROOT_ID ? S_IFDIR | 0555U : S_IFREG | 0444U;
  status.st_nlink = node == FUSE_ROOT_ID ? 2 : 1;
  status.st_size = node == FUSE_ROOT_ID ? 0 : static_cast<off_t>(file.size());
  status.st_mtim.tv_sec += file.shrunk() ? 1 : 0;
  return status;
}

// Seconds for which the OS kernel need not ask for the attributes again.
double attributes_last(const served_file& file) {
  return file.wanted.shrink_to == none ? 3600 : 0;
}

// The files are called 1, 2, 3: each one's node is its number and one.
fuse_ino_t node_of(const served_file& file, const char* name) {
  const std::string_view text = name;
  if (text.empty() || text.size() > 9 || text.find_first_not_of("0123456789") != text.npos || text[0] == '0')
    return 0;
  const std::uint64_t number = std::stoull(name);
  return number <= file.wanted.files ? number + FUSE_ROOT_ID : 0;
}

void start(void* data, fuse_conn_info* connection) {
  const options& wanted = static_cast<served_file*>(data)->wanted;
  connection->max_background = static_cast<unsigned>(wanted.served);
  connection->congestion_threshold = connection->max_background;
  connection->want &= ~static_cast<unsigned>(FUSE_CAP_READDIRPLUS_AUTO);  // a list of all, not of the first
  if (wanted.async_dio == 0) connection->want &= ~static_cast<unsigned>(FUSE_CAP_ASYNC_DIO);
}

fuse_entry_param entry_of(const served_file& file, fuse_ino_t node) {
  fuse_entry_param entry{};
  entry.ino = node;
  entry.attr = status_of(file, node);
  entry.attr_timeout = attributes_last(file);
  entry.entry_timeout = 3600;
  return entry;
}

// With libfuse 3.14 the OS kernel looks up one name of a directory at a time.
void lookup(fuse_req_t request, fuse_ino_t, const char* name) {
  const slow_request counted(request);
  const fuse_ino_t node = node_of(of(request), name);
  if (node == 0) {
    fuse_reply_err(request, ENOENT);
    return;
  }
  const fuse_entry_param entry = entry_of(of(request), node);
  fuse_reply_entry(request, &entry);
}

void get_attributes(fuse_req_t request, fuse_ino_t node, fuse_file_info*) {
  const slow_request counted(request);
  const struct stat status = status_of(of(request), node);
  fuse_reply_attr(request, &status, attributes_last(of(request)));
}

void open(fuse_req_t request, fuse_ino_t, fuse_file_info* opened) {
  const slow_request counted(request);
  opened->keep_cache = true;
  opened->direct_io = of(request).wanted.direct_io != 0;
  opened->nonseekable = of(request).wanted.no_seek != 0;
  fuse_reply_open(request, opened);
}

// `plus`: with what a lookup tells, as NFS does: who has listed the directory needs none.
template <bool plus>
void read_directory(fuse_req_t request, fuse_ino_t, std::size_t size, off_t offset, fuse_file_info*) {
  const slow_request counted(request);
  const served_file& file = of(request);
  std::vector<char> entries(size);
  std::size_t used = 0;
  for (auto number = static_cast<std::uint64_t>(offset) + 1; number <= file.wanted.files; ++number) {
    const fuse_entry_param entry = entry_of(file, number + FUSE_ROOT_ID);
    const std::string name = std::to_string(number);
    char* const at = entries.data() + used;
    const std::size_t room = size - used;
    const std::size_t needed =
        plus ? fuse_add_direntry_plus(request, at, room, name.c_str(), &entry, static_cast<off_t>(number))
             : fuse_add_direntry(request, at, room, name.c_str(), &entry.attr, static_cast<off_t>(number));
    if (needed > room) break;
    used += needed;
  }
  fuse_reply_buf(request, entries.data(), used);
}

// Until the reader is interrupted, or this program is.
void stall(fuse_req_t request) {
  while (fuse_req_interrupted(request) == 0 && fuse_session_exited(of(request).session) == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  fuse_reply_err(request, EINTR);
}

// The OS kernel asks again, page by page, for what failed, so that the pages before the fault are read.
void read(fuse_req_t request, fuse_ino_t, std::size_t size, off_t at, fuse_file_info*) {
  const slow_request counted(request);
  served_file& file = of(request);
  ++file.reads;
  const auto offset = static_cast<std::uint64_t>(at);
  const auto touches = [&](std::uint64_t byte) { return byte >= offset && byte - offset < size; };
  if (touches(file.wanted.stall_at)) return stall(request);
  int code = 0;
  if (touches(file.wanted.eio_at)) code = EIO;
  if (touches(file.wanted.estale_at)) code = ESTALE;
  if (touches(file.wanted.eintr_at) && file.interruptions++ < 3) code = EINTR;
  if (code != 0) {
    fuse_reply_err(request, code);
    return;
  }
  const std::uint64_t end = file.end();
  const std::uint64_t most = std::min<std::uint64_t>(size, file.wanted.short_reads);
  const auto count = static_cast<std::size_t>(offset < end ? std::min(most, end - offset) : 0);
  carry(file, count);
  file.bytes_read += count;
  fuse_reply_buf(request, file.bytes.data() + std::min<std::uint64_t>(offset, end), count);
}

// Mapped, so that libfuse copies from the page cache.
bool load(served_file& file) {
  const int descriptor = ::open(file.wanted.file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0 || ::fstat(descriptor, &file.status) != 0) return false;
  const auto size = static_cast<std::size_t>(file.status.st_size);
  void* const bytes = size == 0 ? nullptr : ::mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor, 0);
  ::close(descriptor);
  file.bytes = {static_cast<const char*>(bytes), size};
  return bytes != MAP_FAILED;
}

int fail(const std::string& what, const std::string& why) {
  std::fprintf(stderr, "riffle-slow-fs: %s: %s\n", what.c_str(), why.c_str());
  return 1;
}

// Ends the loop for certain. libfuse looks whether a signal came, and then waits for the next one: one that
// comes in between would be lost. So this thread sends another. It also looks whether the output is still
// read.
void remind(const std::stop_token& ended, const served_file& file, pthread_t loop) {
  sigset_t all{};
  sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
  while (!ended.stop_requested()) {
    pollfd output{.fd = STDOUT_FILENO, .events = 0, .revents = 0};
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    if (file.wanted.attached != 0 && ::poll(&output, 1, 0) > 0) fuse_session_exit(file.session);
    if (fuse_session_exited(file.session) != 0)
      ::pthread_kill(loop, SIGTERM);  // NOLINT(bugprone-bad-signal-to-kill-thread): libfuse handles it
  }
}

int serve(served_file& file) {
  for (const int signal : {SIGINT, SIGHUP}) {  // of the terminal of who started it
    if (file.wanted.attached != 0) ::signal(signal, SIG_IGN);
  }
  ::prctl(PR_SET_TIMERSLACK, 1000UL);  // of the threads that it starts too: by default 50 us
  fuse_loop_config* const loop = fuse_loop_cfg_create();
  fuse_loop_cfg_set_max_threads(loop, static_cast<unsigned>(file.wanted.served));
  fuse_loop_cfg_set_idle_threads(loop, static_cast<unsigned>(file.wanted.served));
  std::printf("riffle-slow-fs: %s/1: %" PRIu64 " us a request, %" PRIu64 " at once\n",
              file.wanted.directory.c_str(), file.wanted.latency, file.wanted.served);
  std::fflush(stdout);
  std::jthread reminder(remind, std::cref(file), ::pthread_self());
  const int result = fuse_session_loop_mt(file.session, loop);
  reminder = {};
  fuse_loop_cfg_destroy(loop);
  fuse_session_unmount(file.session);
  std::printf("riffle-slow-fs: %" PRIu64 " requests, %" PRIu64 " at once at most, %" PRIu64 " bytes\n",
              file.requests.load(), file.most_in_flight.load(), file.bytes_read.load());
  return result < 0 ? 1 : 0;
}

int run(const options& wanted) {
  served_file file;
  file.wanted = wanted;
  if (!load(file)) return fail(wanted.file, std::strerror(errno));
  fuse_lowlevel_ops calls{};
  calls.init = start;
  calls.lookup = lookup;
  calls.getattr = get_attributes;
  calls.open = open;
  calls.readdir = read_directory<false>;
  calls.readdirplus = read_directory<true>;
  calls.read = read;
  char* arguments[] = {const_cast<char*>("riffle-slow-fs"), const_cast<char*>("-oro,fsname=riffle-slow-fs"),
                       nullptr};
  fuse_args given = FUSE_ARGS_INIT(2, arguments);
  file.session = fuse_session_new(&given, &calls, sizeof calls, &file);
  if (file.session == nullptr) return fail("libfuse", "refuses the session");
  int result = 1;
  if (fuse_set_signal_handlers(file.session) == 0 &&
      fuse_session_mount(file.session, wanted.directory.c_str()) == 0) {
    result = serve(file);
  } else {
    fail(wanted.directory,
         "cannot mount there; it takes an empty directory, /dev/fuse, and root or fusermount3 (Debian: "
         "fuse3)");
  }
  fuse_remove_signal_handlers(file.session);
  fuse_session_destroy(file.session);
  fuse_opt_free_args(&given);
  return result;
}

}  // namespace
}  // namespace riffle::slow_fs

int main(int count, char** arguments) {
  if (count == 2 && std::string_view(arguments[1]) == "--help") {
    std::fputs(riffle::slow_fs::help().c_str(), stdout);
    return 0;
  }
  try {
    return riffle::slow_fs::run(
        riffle::slow_fs::parse(std::span(arguments, static_cast<std::size_t>(count)).subspan(1)));
  } catch (const riffle::text::usage_error& wrong) {
    std::fprintf(stderr, "riffle-slow-fs: %s\n", wrong.what());
    return 2;
  }
}
