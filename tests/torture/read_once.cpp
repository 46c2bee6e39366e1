/// Reads a file by any method, record type and block size, in loops that stop, change threads and fork.
#include <riffle/riffle.hpp>

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <future>
#include <memory>
#include <optional>

#include "tests/support/support.hpp"
#include "tests/torture/torture.hpp"

namespace riffle::torture {

namespace {

using handle = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

std::uint64_t count_of(char byte, std::uint64_t size) {
  std::uint64_t count = 0;
  for (std::uint64_t at = 15; at < size; at += 16) count += content(0, at) == byte ? 1U : 0U;
  return count;
}

class reading {
 public:
  reading(const place& at, dice& random, bool large, const std::function<void()>& beat,
          std::atomic<std::uint64_t>& progress)
      : at_(at), random_(random), beat_(beat), what_(random.below(12)) {
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
    maps_ = options_.method == method::mmap || (options_.method == method::automatic && large);
    splitting_ = {
        .threads = static_cast<unsigned>(1 + random.below(4)),
        // no page's end
        .split_size = static_cast<std::size_t>((1U << (12 + random.below(9))) + random.below(4096))};
  }

  // How far zeros in place of lost pages may reach before the error; 0: the method gives none.
  std::uint64_t window() const {
    constexpr std::uint64_t part = 256U << 10U;  // is checked after its use, before the next one
    return what_ == map_all ? UINT64_MAX / 2 : maps_ ? part : 0;
  }

  std::string name() const {
    return std::string(name_of(options_.method)) + " " + std::to_string(options_.block_size) + " " +
           std::to_string(what_);
  }

  void run(witness& seen) {
    seen.stream = open();
    switch (what_) {
      case 0:
        return walk(blocks(*from_, options_), seen,
                    [&](const block& each) { seen.take(each.offset, each.bytes); });
      case 1:
        return walk(lines(*from_, {.keep_delimiter = true}, options_), seen,
                    [&](std::string_view line) { next(seen, line); });
      case 2:
        return walk(numbered_lines(*from_, {.keep_delimiter = true}, options_), seen,
                    [&](const numbered_line& line) { seen.take(line.offset, line.text); });
      case 3:
        return walk_words(seen);
      case 4:
        return walk(values<std::uint64_t>(*from_, options_), seen, [&](std::uint64_t value) {
          next(seen, {reinterpret_cast<const char*>(&value), sizeof value});
        });
      case 5:
        return walk(bytes(*from_, options_), seen, [&](char byte) { next(seen, {&byte, 1}); });
      case 6:
        return read_source(seen);
      case 7:
        return read_by_reader(seen);
      case map_all:
        // A thread that blocks SIGBUS is killed by a lost page of a mapped file.
        return seen.blocked ? seen.finish(0, false) : map_whole(seen);
      case 9:
        return seen.take(0, read_all(*from_, options_)), seen.finish();
      case 10:
        return reduce(seen);
      default:
        return count(seen);
    }
  }

 private:
  // The path, or a stream that was opened from it. Returns whether it is a stream.
  bool open() {
    const std::string path = at_.path().string();
    const std::uint64_t how = options_.method == method::automatic ? random_.below(6) : 0;
    if (how == 3) stream_.open(path, std::ios::binary);
    if (how == 4) file_.reset(std::fopen(path.c_str(), "rb"));
    from_ = how == 3 && stream_ ? input(stream_) : how == 4 && file_ ? input(file_.get()) : input(path);
    const bool opened = (how == 3 && stream_) || (how == 4 && file_);
    if (opened) maps_ = false;
    // A stream's position is shared with children, and so is that of a file without a size.
    own_position_ = !opened && !at_.can_be_empty() && options_.method != method::stdio &&
                    options_.method != method::iostream;
    return opened;
  }

  void next(witness& seen, std::string_view record) {
    seen.take(place_, record);
    place_ += record.size();
  }

  void pause() {
    beat_();
    if (random_.below(4) == 0) ::usleep(static_cast<useconds_t>(random_.below(400)));
  }

  // In loops that stop after some records, each perhaps in another thread, with forks in between.
  template <class Range, class Take>
  void walk(Range range, witness& seen, Take take, bool exact = true) {
    bool ended = false;
    while (!ended) {
      const auto step = [&] {
        std::uint64_t left = 1 + random_.below(2000);
        ended = true;
        for (auto&& record : range) {
          take(record);
          if (--left != 0) continue;
          ended = false;
          break;
        }
      };
      if (random_.below(8) == 0) {
        std::async(std::launch::async, step).get();
      } else {
        step();
      }
      if (!ended && random_.below(64) == 0) fork_with(range);
      pause();
    }
    if (exact) seen.finish();
  }

  // The words of a file stand one byte apart.
  void walk_words(witness& seen) {
    walk(
        words(*from_, options_), seen,
        [&](std::string_view word) {
          seen.take(place_, word);
          place_ += word.size() + 1;
        },
        false);
    seen.finish(place_, false);
  }

  // A child reads on, or destroys what it inherited. Neither may disturb the parent.
  template <class Range>
  void fork_with(Range& range) {
    const bool reads = own_position_ && random_.below(2) == 0;
    beat_();
    const pid_t child = ::fork();
    if (child < 0) throw std::runtime_error("cannot fork");
    if (child == 0) {
      ::alarm(5);  // a child that hangs is told from a reading that does
      try {
        Range taken = std::move(range);
        if (reads) for_each(taken, [](const auto&) {});
      } catch (const error&) {
      }
      ::_exit(0);
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (!WIFEXITED(status)) throw wrong("the child died of signal " + std::to_string(WTERMSIG(status)));
  }

  void read_source(witness& seen) {
    source opened(*from_, options_);
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

  void read_by_reader(witness& seen) {
    reader opened(*from_, options_);
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

  void map_whole(witness& seen) {
    const mapped_file mapped(at_.path(), {.populate = random_.below(2) == 0});
    const std::string bytes(mapped.begin(), mapped.end());
    pause();
    mapped.check();
    seen.take(0, bytes);
    seen.finish(bytes.size());
  }

  // What is combined was checked, so it holds no zeros in place of data.
  void reduce(witness& seen) {
    std::string whole;
    const auto map = [&](const block& split) { return std::pair(split.offset, std::string(split.bytes)); };
    const auto join = [](std::string&& all, const auto& split) {
      if (split.first != all.size())
        throw wrong("a gap at " + std::to_string(all.size()) + " to " + std::to_string(split.first));
      return std::move(all += split.second);
    };
    if (random_.below(2) == 0) splitting_.delimiter = std::nullopt;
    try {
      parallel_reduce_into(whole, source(*from_, options_), map, join, splitting_);
    } catch (const error&) {
      seen.take(0, whole);
      throw;
    }
    seen.take(0, whole);
    seen.finish(whole.size());
  }

  void count(witness& seen) {
    const count_options counting{.threads = splitting_.threads};
    if (random_.below(2) == 0) {
      const std::uint64_t found = count_lines(*from_, counting, options_);
      return seen.finish_count(found, [](std::uint64_t size) { return count_of('\n', size); });
    }
    const std::uint64_t found = count_words(*from_, counting, options_);
    seen.finish_count(found, [](std::uint64_t size) { return (size + 15) / 16; });
  }

  const place& at_;
  dice& random_;
  const std::function<void()>& beat_;
  static constexpr std::uint64_t map_all = 8;
  std::uint64_t what_;
  read_options options_;
  parallel_options splitting_;
  bool maps_;
  bool own_position_ = false;
  std::ifstream stream_;
  handle file_{nullptr, std::fclose};
  std::optional<input> from_;
  std::uint64_t place_ = 0;
};

// All signals are blocked while it lives, if it is told to.
class signal_mask {
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
  signal_mask(const signal_mask&) = delete;
  signal_mask& operator=(const signal_mask&) = delete;

 private:
  sigset_t before_{};
  bool blocks_;
};

}  // namespace

std::string read_once(const place& at, dice& random, bool large, bool few_descriptors,
                      const std::function<void()>& beat, std::atomic<std::uint64_t>& progress) {
  const bool blocked = random.below(8) == 0;
  const signal_mask mask(blocked);
  reading one(at, random, large, beat, progress);
  witness seen(at, one.window());
  seen.beat = beat;
  seen.blocked = blocked;
  seen.few_descriptors = few_descriptors;
  try {
    one.run(seen);
  } catch (const error& failure) {
    seen.fail(failure);
    return failure.code().message();
  } catch (const wrong& found) {
    throw wrong(one.name() + ": " + found.what());
  }
  return {};
}

}  // namespace riffle::torture
