/// riffle-torture [SECONDS] [SEED]: changes files while it reads them, and holds each byte against what they
/// held.
#include <riffle/riffle.hpp>

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "tests/support/compress.hpp"
#include "tests/support/support.hpp"
#include "tests/torture/torture.hpp"

namespace riffle::torture {

namespace {

class writer : test::not_copied {
 public:
  writer(place& at, dice& random, std::uint64_t largest) : place_(at), random_(random), largest_(largest) {
    replace();
  }
  ~writer() { ::close(descriptor_); }

  void step() {
    switch (random_.below(7)) {
      case 0:
        return cut(random_.below(size_ + 1));
      case 1:
        cut(random_.below(size_ + 1));
        if (random_.below(2) == 0) pause();
        return write(size_, random_.below(largest_ + 1));
      case 2:
        return write(size_, size_ + random_.below(largest_));
      case 3: {
        const std::uint64_t begin = random_.below(size_ + 1);
        return write(begin, std::min(size_, begin + random_.below(largest_)));
      }
      case 4:
        return zeros(size_ + random_.below(20'000));
      case 5:
        place_.removed = true;
        std::filesystem::remove(place_.path());
        pause();
        return replace();
      default:
        return replace();
    }
  }
  void pause() { ::usleep(static_cast<useconds_t>(random_.below(random_.below(4) == 0 ? 3000 : 200))); }

 private:
  void cut(std::uint64_t size) {
    if (size == 0 && !place_.can_be_empty()) size = 1;
    note({change::kind::cut, size, size, 0},
         [&] { return ::ftruncate(descriptor_, static_cast<off_t>(size)) == 0; });
  }
  void zeros(std::uint64_t end) {
    note({change::kind::zeros, size_, end, 0},
         [&] { return ::ftruncate(descriptor_, static_cast<off_t>(end)) == 0; });
  }
  void write(std::uint64_t begin, std::uint64_t end) {
    if (begin >= end) return;
    const unsigned generation = ++generation_;
    std::string bytes;
    for (std::uint64_t at = begin; at != end; ++at) bytes += content(generation, at);
    note({change::kind::write, begin, end, generation}, [&] {
      return ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(begin)) ==
             static_cast<ssize_t>(bytes.size());
    });
  }
  template <class F>
  void note(const change& next, F apply) {
    file_->begin(next);
    if (!apply()) throw std::runtime_error("cannot change the file");
    size_ = next.size_after(size_);
    file_->end();
  }
  // Another file under the same name.
  void replace() {
    const std::filesystem::path other = place_.path().string() + ".new";
    if (descriptor_ >= 0) ::close(descriptor_);
    // While descriptors are few, the readers may hold all of them.
    while ((descriptor_ = ::open(other.c_str(), O_CREAT | O_TRUNC | O_RDWR | O_CLOEXEC, 0600)) < 0) pause();
    file_ = place_.add();
    size_ = 0;
    write(0, 1 + random_.below(largest_));
    std::filesystem::rename(other, place_.path());
    place_.added();
  }

  place& place_;
  dice& random_;
  std::uint64_t largest_;
  std::shared_ptr<history> file_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  unsigned generation_ = 0;
};

constexpr std::uint64_t member_size = 20'000;
constexpr std::uint64_t members = 40;

// The content is the same in every format, so that a file may be replaced by one of another.
const std::string& whole() {
  static const std::string all = [] {
    std::string made;
    for (std::uint64_t at = 0; at != members * member_size; ++at) made += content(1, at);
    return made;
  }();
  return all;
}

const std::vector<std::string>& compressed() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> made;
    for (const test::container& each : test::containers()) {
      if (!test::missing(each) && each.format != decoding::zlib)
        made.push_back(test::in_members(each, whole(), member_size));
    }
    return made;
  }();
  return all;
}

// Creates the file at `at`, calls `ready`, and changes it some times. Signals the process in between.
void mutate(place& at, dice& random, std::uint64_t largest, const std::function<void()>& ready) {
  writer file(at, random, largest);
  ready();
  for (std::uint64_t left = random.below(12); left != 0; --left) {
    file.pause();
    if (random.below(3) == 0) ::kill(::getpid(), SIGUSR1);
    file.step();
  }
}

// Puts a compressed file in the place of that at `path`. Returns false if there is no library for one.
bool place_compressed(const std::filesystem::path& path, dice& random) {
  if (compressed().empty()) return false;
  const std::filesystem::path other = path.string() + ".new";
  std::ofstream(other, std::ios::binary) << compressed()[random.below(compressed().size())];
  std::filesystem::rename(other, path);
  return true;
}

// Cuts and replaces the compressed file some times.
void mutate_compressed(const std::filesystem::path& path, dice& random) {
  for (std::uint64_t left = random.below(12); left != 0; --left) {
    ::usleep(static_cast<useconds_t>(random.below(random.below(4) == 0 ? 3000 : 200)));
    if (random.below(3) == 0) {
      place_compressed(path, random);
    } else {
      std::filesystem::resize_file(path, random.below(std::filesystem::file_size(path) + 1));
    }
  }
}

// Decodes the compressed file once, as `read_once` reads others.
std::string decode_once(const std::filesystem::path& path, dice& random, const std::function<void()>& beat) {
  const std::vector<method> usable = test::usable_methods();
  constexpr std::size_t sizes[] = {0, 4096, 65'536};
  const read_options options{.method = usable[random.below(usable.size())],
                             .block_size = sizes[random.below(3)],
                             .decode = decoding::automatic,
                             .decode_threads = static_cast<unsigned>(random.below(4))};
  test::read_outcome outcome;
  auto& [found, failure] = outcome;
  try {
    for (const block& each : blocks(path, options)) {
      beat();
      found += each.bytes;
      if (random.below(8) == 0) ::usleep(static_cast<useconds_t>(random.below(400)));
      if (random.below(200) == 0) return {};
    }
  } catch (const error& raised) {
    failure = raised;
  }
  const std::string how = std::string(name_of(options.method)) + " " + std::to_string(options.decode_threads);
  const std::uint64_t right = failure ? verified(outcome) : found.size();
  constexpr std::size_t no_magic = 64;  // what is left of a file may show no format
  if (found.size() >= no_magic && !whole().starts_with(std::string_view(found).substr(0, right)))
    throw wrong(how + ": the first " + std::to_string(right) + " bytes are wrong");
  if (!failure) {
    if (found.size() >= no_magic && found.size() % member_size != 0)
      throw wrong(how + ": ended at " + std::to_string(found.size()) + ", inside a member, without an error");
    return {};
  }
  const std::error_code code = failure->code();
  if (code != errc::truncated && code != errc::bad_compression && code != errc::unexpected_end &&
      !(code == errc::method_unavailable && options.method != method::automatic))
    throw wrong(how + ": an error without a cause: " + failure->what());
  return code.message();
}

using clock = std::chrono::steady_clock;

constexpr unsigned most_readers = 4;

struct tally {
  std::mutex mutex;
  std::map<std::string, std::uint64_t> errors;  // by their text
  std::uint64_t readings = 0;
  std::uint64_t wrong = 0;
  void add(const std::string& failure) {
    const std::lock_guard lock(mutex);
    ++readings;
    if (!failure.empty()) ++errors[failure];
  }
};

// When each reader was seen last; 0: it is not at work.
std::array<std::atomic<clock::rep>, most_readers> beats{};

void beat(unsigned reader) {
  beats.at(reader) = clock::now().time_since_epoch().count();
}

// How many bytes each reader has read. A count of a file gives no records, and a busy disk is no hang.
std::array<std::atomic<std::uint64_t>, most_readers> progress{};

[[noreturn]] void watch(std::uint64_t seed) {
  std::array<std::uint64_t, most_readers> known{};
  std::array<clock::rep, most_readers> moved{};
  while (true) {
    std::this_thread::sleep_for(std::chrono::seconds(1));
    const clock::rep now = clock::now().time_since_epoch().count();
    for (unsigned i = 0; i != most_readers; ++i) {
      const std::uint64_t bytes = progress.at(i);
      if (std::exchange(known.at(i), bytes) != bytes) moved.at(i) = now;
      const clock::rep last = beats.at(i);
      if (last == 0 || clock::duration(now - std::max(last, moved.at(i))) < std::chrono::seconds(10))
        continue;
      std::printf("a reading hangs for 10 s; seed %llu\n", static_cast<unsigned long long>(seed));
      std::fflush(stdout);
      std::abort();
    }
  }
}

rlim_t descriptors(rlim_t wanted) {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  const rlim_t before = std::exchange(limit.rlim_cur, std::min(wanted, limit.rlim_max));
  setrlimit(RLIMIT_NOFILE, &limit);
  return before;
}

// Several threads read at the same time, each some times.
void read_beside(std::uint64_t seed, tally& counted,
                 const std::function<std::string(unsigned, dice&)>& read) {
  std::vector<std::jthread> readers;
  for (auto left = static_cast<unsigned>(1 + dice(seed).below(most_readers)); left-- != 0;) {
    readers.emplace_back([&, i = left] {
      dice own(seed * 8 + 2 + i);
      for (unsigned times = 0; times != 3; ++times) {
        beat(i);
        try {
          counted.add(read(i, own));
        } catch (const std::exception& found) {
          const std::lock_guard lock(counted.mutex);
          ++counted.wrong;
          std::printf("round %llu: %s\n", static_cast<unsigned long long>(seed), found.what());
        }
      }
      beats.at(i) = 0;
    });
  }
}

void run_compressed_round(const std::filesystem::path& directory, std::uint64_t seed, tally& counted) {
  dice random(seed);
  const std::filesystem::path file = directory / "compressed";
  if (!place_compressed(file, random)) return;
  const std::jthread writing([&] { mutate_compressed(file, random); });
  read_beside(seed, counted, [&](unsigned i, dice& own) { return decode_once(file, own, [i] { beat(i); }); });
}

void run_round(const std::filesystem::path& directory, std::uint64_t seed, tally& counted) {
  dice random(seed);
  const bool large = random.below(40) == 0;
  const std::uint64_t largest = large ? 12U << 20U : 1U << (8 + random.below(12));
  const bool few = random.below(20) == 0;
  place at(directory / "file", random.below(2) == 0);
  std::atomic<bool> ready = false;
  std::jthread writing([&] {
    dice own(seed + 1);
    mutate(at, own, largest, [&] {
      ready = true;
      ready.notify_all();
    });
  });
  ready.wait(false);
  const rlim_t before = few ? descriptors(8 + random.below(12)) : 0;
  read_beside(seed, counted, [&](unsigned i, dice& own) {
    return read_once(at, own, large, few, [i] { beat(i); }, progress.at(i));
  });
  writing.join();
  if (few) descriptors(before);
}

int run(double seconds, std::uint64_t seed) {
  struct sigaction interrupt{};
  interrupt.sa_handler = [](int) {};
  sigaction(SIGUSR1, &interrupt, nullptr);  // without SA_RESTART: calls end in EINTR
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  std::thread(watch, seed).detach();
  const test::temporary_directory directory;
  tally counted;
  std::uint64_t rounds = 0;
  const auto end = clock::now() + std::chrono::duration<double>(seconds);
  for (; clock::now() < end; ++rounds) {
    const auto round = rounds % 4 == 3 ? run_compressed_round : run_round;
    round(directory.path(), seed + rounds * 100, counted);
  }
  for (const auto& [text, count] : counted.errors)
    std::printf("%8llu %s\n", static_cast<unsigned long long>(count), text.c_str());
  std::printf("%llu rounds, %llu readings, %llu wrong\n", static_cast<unsigned long long>(rounds),
              static_cast<unsigned long long>(counted.readings),
              static_cast<unsigned long long>(counted.wrong));
  return counted.wrong == 0 ? 0 : 1;
}

}  // namespace

}  // namespace riffle::torture

int main(int count, char** words) {
  const double seconds = count > 1 ? std::atof(words[1]) : 60;
  // UBSan looks at a type it has not met by a pipe, and takes a refusal for a wrong object.
  (void)riffle::error(riffle::errc::truncated, "read", "a file", 0, "with a detail");
  const std::uint64_t seed = count > 2 ? std::strtoull(words[2], nullptr, 10) : std::random_device()();
  return riffle::torture::run(seconds, seed);
}
