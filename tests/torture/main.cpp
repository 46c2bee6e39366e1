/// riffle-torture [SECONDS] [SEED]: reads files while they change, and holds each byte against what they
/// held.
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "tests/support/support.hpp"
#include "tests/torture/torture.hpp"
#include "tests/torture/witness.hpp"

namespace riffle::torture {

namespace {

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
  static_cast<void>(riffle::error(riffle::errc::truncated, "read", "a file", 0, "with a detail"));
  const std::uint64_t seed = count > 2 ? std::strtoull(words[2], nullptr, 10) : std::random_device()();
  return riffle::torture::run(seconds, seed);
}
