/// Keeps an array of structs in a file, by `riffle::mapped_file`. Two processes use it in place, with a mutex
/// and a condition variable in the file. Each run appends 10 elements.
#include <sys/wait.h>
#include <unistd.h>
#include <riffle/mapped_file.hpp>

#include <array>
#include <boost/interprocess/sync/interprocess_condition.hpp>
#include <boost/interprocess/sync/interprocess_mutex.hpp>
#include <boost/interprocess/sync/scoped_lock.hpp>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <new>
#include <stdexcept>

namespace ipc = boost::interprocess;

namespace {

struct measurement {
  std::int64_t number;
  std::int64_t square;
  std::int64_t taken_by;  // process id of the consumer; 0: not taken yet
};

struct measurements {
  ipc::interprocess_mutex mutex;
  ipc::interprocess_condition changed;
  std::uint64_t size;
  std::uint64_t taken;  // number of elements that the consumer has taken
  std::array<measurement, 1000> all;
};

using lock = ipc::scoped_lock<ipc::interprocess_mutex>;
constexpr std::uint64_t per_run = 10;

void produce(measurements& shared, std::uint64_t end) {
  while (true) {
    const lock locked(shared.mutex);
    if (shared.size == end) return;
    const auto number = static_cast<std::int64_t>(shared.size);
    shared.all[shared.size++] = {number, number * number, 0};
    shared.changed.notify_one();
  }
}

void consume(measurements& shared, std::uint64_t end) {
  lock locked(shared.mutex);
  while (shared.taken < end) {
    while (shared.taken == shared.size) shared.changed.wait(locked);
    shared.all[shared.taken++].taken_by = getpid();
  }
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) throw std::invalid_argument("usage: persistent_array FILE");
  if (std::filesystem::exists(argv[1]) && std::filesystem::file_size(argv[1]) != sizeof(measurements))
    throw std::runtime_error("the file is no such array");
  riffle::mapped_file file(argv[1], {.mode = riffle::mapping_mode::shared,
                                     .length = sizeof(measurements),
                                     .create = true,
                                     .minimum_size = sizeof(measurements)});
  measurements& shared = file.writable_as<measurements>().front();
  if (shared.size > shared.all.size() - per_run || shared.taken != shared.size)
    throw std::runtime_error("the array is full, or no such array");

  // The array stays; the mutex and the condition variable are new in every run.
  new (&shared.mutex) ipc::interprocess_mutex;
  new (&shared.changed) ipc::interprocess_condition;
  const std::uint64_t end = shared.size + per_run;
  const pid_t producer = fork();
  if (producer < 0) return 1;
  if (producer == 0) {
    produce(shared, end);
    _exit(0);
  }
  consume(shared, end);
  waitpid(producer, nullptr, 0);
  file.flush();
  file.check();
  std::cout << shared.size << " measurements; the last: " << shared.all[shared.size - 1].square << '\n';
} catch (const std::exception& failure) {
  std::cerr << "persistent_array: " << failure.what() << '\n';
  return 1;
}
