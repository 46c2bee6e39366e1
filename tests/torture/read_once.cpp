/// Reads a file by any method, record type and block size, in loops that stop, change threads and fork.
#include <riffle/riffle.hpp>

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <future>
#include <memory>
#include <optional>

#include "tests/support/inputs.hpp"
#include "tests/support/posix/ways.hpp"
#include "tests/support/support.hpp"
#include "tests/torture/torture.hpp"

namespace riffle::torture {

namespace {

using test::delivery;
using test::kind_of_input;
using test::way;

// In a child that has done what it was forked for.
struct child_ends {};

// Each line and word is one of the file, and so is what was between them.
bool marks_ends(const way& how) {
  return how.truth == test::lines_in || how.truth == test::words_in;
}
bool counts_lines(const way& how) {
  return how.truth == test::newlines_counted;
}
bool counts_words(const way& how) {
  return how.truth == test::words_counted;
}

// Those of which the bytes tell where they stand, or how many there were.
std::vector<const way*> ways_with_places() {
  std::vector<const way*> all;
  for (const way& how : test::ways()) {
    if (how.truth == test::same || marks_ends(how) || counts_lines(how) || counts_words(how))
      all.push_back(&how);
  }
  return all;
}

std::uint64_t newlines_of(std::uint64_t size) {
  std::uint64_t count = 0;
  for (std::uint64_t at = 15; at < size; at += 16) count += content(0, at) == '\n' ? 1U : 0U;
  return count;
}

class reading {
 public:
  reading(const place& at, dice& random, bool large, bool blocked, const std::function<void()>& beat,
          std::atomic<std::uint64_t>& progress)
      : at_(at), random_(random), beat_(beat) {
    const std::vector<method> usable = test::usable_methods();
    constexpr std::size_t sizes[] = {0, 512, 4096, 8192, 65'536, 1 << 20};
    options_ = {.method = usable[random.below(usable.size())],
                .block_size = sizes[random.below(large ? 1 : 6)],
                .queue_depth = static_cast<unsigned>(random.below(5)),
                .keep_cache = random.below(8) != 0,
                .mapping = {.populate = random.below(4) != 0,
                            .shared = random.below(2) == 0,
                            .whole_file = random.below(8) == 0},
                .watch = {.progress = &progress}};
    const method_info* named = find_method(options_.method);
    if (named != nullptr && !named->queues) options_.queue_depth = 0;
    if (named != nullptr && !named->maps) options_.mapping = {};
    splitting_ = {
        .threads = static_cast<unsigned>(1 + random.below(4)),
        // no page's end
        .split_size = static_cast<std::size_t>((1U << (12 + random.below(9))) + random.below(4096))};
    choose_input(blocked);
    maps_ = options_.method == method::mmap || (options_.method == method::automatic && large && !stream());
    // A stream's position is shared with children, and so is that of a descriptor and of a file without a
    // size.
    own_position_ = from_ == test::kinds_of_input().data() && !at_.can_be_empty() &&
                    options_.method != method::stdio && options_.method != method::iostream;
    static const std::vector<const way*> ways = ways_with_places();
    if (const std::uint64_t chosen = random_.below(ways.size() + 6); chosen < ways.size())
      how_ = ways[chosen];
    else
      special_ = chosen - ways.size();
  }

  // How far zeros in place of lost pages may reach before the error; 0: the method gives none.
  std::uint64_t window() const {
    constexpr std::uint64_t part = 256U << 10U;  // is checked after its use, before the next one
    return from_->kind == input_kind::memory ? UINT64_MAX / 2 : maps_ ? part : 0;
  }
  // A FILE* or std::istream, which has no size that could shrink.
  bool stream() const {
    return from_->kind == input_kind::file_pointer || from_->kind == input_kind::istream;
  }
  std::string name() const {
    return std::string(name_of(options_.method)) + " " + std::to_string(options_.block_size) + " " +
           std::string(from_->name) + " " +
           (how_ != nullptr ? std::string(how_->name) : std::to_string(special_));
  }

  void run(witness& seen) {
    from_->open({.file = at_.path()}, [&](const input& from, std::uint64_t) {
      if (how_ != nullptr) return read_by_way(from, seen);
      if (special_ < 2) return read_source(from, seen);
      if (special_ < 4) return read_by_reader(from, seen);
      reduce(from, seen);
    });
  }

 private:
  // A method that was named reads some kinds of input. A thread that blocks SIGBUS is killed by a lost page
  // of a mapped file.
  void choose_input(bool blocked) {
    std::vector<const kind_of_input*> all;
    for (const kind_of_input& each : test::kinds_of_input()) {
      const method_info* named = find_method(options_.method);
      if (each.made_of != kind_of_input::a_file || (named != nullptr && !named->takes(each.kind))) continue;
      if (!blocked || each.kind != input_kind::memory) all.push_back(&each);
    }
    from_ = all[random_.below(2) == 0 ? 0 : random_.below(all.size())];  // mostly a path
  }

  void pause() {
    beat_();
    if (random_.below(4) == 0) ::usleep(static_cast<useconds_t>(random_.below(400)));
  }

  // In loops that stop after some records, each perhaps in another thread, with forks in between.
  void read_by_way(const input& from, witness& seen) {
    delivery got{.reading = options_, .tries_again = false};
    std::size_t taken = 0;
    seen.marks = marks_ends(*how_);
    got.carry_out = [&](const std::function<bool()>& step) {
      got.step = 1 + random_.below(2000);
      const bool more = random_.below(8) == 0 ? std::async(std::launch::async, step).get() : step();
      take_new(got, taken, seen);
      if (more && random_.below(64) == 0) fork_with(step);
      pause();
      return more;
    };
    try {
      how_->read(from, got);
    } catch (const error&) {
      take_new(got, taken, seen);
      throw;
    }
    if (!got.wrong.empty()) throw wrong(got.wrong);
    if (counts_lines(*how_)) return seen.finish_count(got.bytes.size(), newlines_of);
    if (counts_words(*how_))
      return seen.finish_count(got.bytes.size(), [](std::uint64_t size) { return (size + 15) / 16; });
    // The end of the last record, which the file may have or not.
    const bool marked = seen.marks && got.bytes.ends_with('\0');
    const std::size_t end = got.bytes.size() - (marked ? 1 : 0);
    got.bytes.resize(end);
    take_new(got, taken, seen);
    seen.finish(end, how_->truth != test::words_in, marked ? 1 : 0);
  }

  // The last mark is held back.
  void take_new(const delivery& got, std::size_t& taken, witness& seen) const {
    if (counts_lines(*how_) || counts_words(*how_)) return;
    const bool held = seen.marks && got.bytes.size() > taken && got.bytes.back() == '\0';
    const std::size_t end = got.bytes.size() - (held ? 1 : 0);
    seen.take(taken, std::string_view(got.bytes).substr(taken, end - taken));
    taken = end;
  }

  // A child reads on, and destroys what it inherited. Neither may disturb the parent.
  void fork_with(const std::function<bool()>& step) {
    const bool reads = own_position_ && random_.below(2) == 0;
    beat_();
    const pid_t child = ::fork();
    if (child < 0) throw std::runtime_error("cannot fork");
    if (child == 0) {
      ::alarm(5);  // a child that hangs is told from a reading that does
      try {
        while (reads && step()) {
        }
      } catch (...) {  // an error, by whichever class
      }
      throw child_ends();
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (!WIFEXITED(status)) throw wrong("the child died of signal " + std::to_string(WTERMSIG(status)));
  }

  void read_source(const input& from, witness& seen) {
    source opened(from, options_);
    block last = opened.next();
    for (std::uint64_t jumps = 0; !last.empty();) {
      seen.take(last.offset, last.bytes);
      pause();
      if (opened.seekable() && random_.below(16) == 0 && ++jumps < 20) {
        opened.seek(random_.below(last.offset + last.size() + 1));
        last = opened.next();
        continue;
      }
      const std::size_t keep = random_.below(std::min<std::size_t>(last.size(), 100) + 1);
      const std::uint64_t end = last.offset + last.size();
      last = opened.next(keep);
      if (last.size() == keep) return seen.finish(end);
      if (last.offset != end - keep) throw wrong("a block stands at another offset than the one before ends");
    }
    opened.check();
  }

  void read_by_reader(const input& from, witness& seen) {
    reader opened(from, options_);
    while (!opened.at_end()) {
      const std::uint64_t offset = opened.offset();
      switch (random_.below(4)) {
        case 0:
          if (const auto line = opened.line({.keep_delimiter = true})) seen.take(offset, *line);
          break;
        case 1:
          seen.take(offset, {&*std::make_unique<char>(opened.get<char>()), 1});
          break;
        case 2:
          seen.take(offset, opened.bytes(1));
          break;
        default:
          if (random_.below(50) == 0) opened.skip(1);
      }
      if (random_.below(100) == 0) pause();
    }
    seen.finish(opened.offset());
  }

  // What is combined was checked, so it holds no zeros in place of data.
  void reduce(const input& from, witness& seen) {
    std::string whole;
    const auto map = [&](const block& split) { return std::pair(split.offset, std::string(split.bytes)); };
    const auto join = [](std::string&& all, const auto& split) {
      if (split.first != all.size())
        throw wrong("a gap at " + std::to_string(all.size()) + " to " + std::to_string(split.first));
      return std::move(all += split.second);
    };
    if (random_.below(2) == 0) splitting_.delimiter = std::nullopt;
    try {
      parallel_reduce_into(whole, source(from, options_), map, join, splitting_);
    } catch (const error&) {
      seen.take(0, whole);
      throw;
    }
    seen.take(0, whole);
    seen.finish(whole.size());
  }

  const place& at_;
  dice& random_;
  const std::function<void()>& beat_;
  read_options options_;
  parallel_options splitting_;
  const kind_of_input* from_ = nullptr;
  const way* how_ = nullptr;
  std::uint64_t special_ = 0;  // if there is no way
  bool maps_ = false;
  bool own_position_ = false;
};

// All signals are blocked while it lives, if it is told to.
class signal_mask : test::not_copied {
 public:
  explicit signal_mask(bool block) {
    sigset_t all;
    sigfillset(&all);
    if (block) pthread_sigmask(SIG_SETMASK, &all, &before_);
    blocks_ = block;
  }
  ~signal_mask() {
    if (blocks_) pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t before_{};
  bool blocks_;
};

}  // namespace

std::string read_once(const place& at, dice& random, bool large, bool few_descriptors,
                      const std::function<void()>& beat, std::atomic<std::uint64_t>& progress) {
  const bool blocked = random.below(8) == 0;
  const signal_mask mask(blocked);
  reading one(at, random, large, blocked, beat, progress);
  witness seen(at, one.window());
  seen.stream = one.stream();
  seen.beat = beat;
  seen.blocked = blocked;
  seen.few_descriptors = few_descriptors;
  try {
    one.run(seen);
  } catch (const child_ends&) {
    ::_exit(0);
  } catch (const error& failure) {
    seen.fail(failure);
    return failure.code().message();
  } catch (const std::system_error& failure) {  // of the test's own opening
    seen.fail(error(failure.code(), "open", at.path().string()));
    return failure.code().message();
  } catch (const wrong& found) {
    throw wrong(one.name() + ": " + found.what());
  }
  return {};
}

}  // namespace riffle::torture
