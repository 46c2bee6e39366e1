/// A thread that is cancelled while it reads ends as POSIX says, and takes nothing else with it.
#include <pthread.h>
#include <unistd.h>
#include <riffle/riffle.hpp>

#include "tests/support/compress.hpp"
#include "tests/support/posix/ways.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

void read_files(const input& from, delivery& got) {
  parallel_files(std::vector<input>{from, from},
                 {.read =
                      [](std::size_t, source opened, unsigned) {
                        while (!opened.next().empty()) continue;
                      },
                  .finish = [](std::size_t, const std::exception_ptr&) {}},
                 2, got.reading);
}

// Those of the table, and one of files.
const std::vector<way>& all_ways() {
  static const std::vector<way> all = [] {
    std::vector<way> made(ways().begin(), ways().end());
    made.push_back({"parallel_files", read_files});
    return made;
  }();
  return all;
}

// A way may fail at what a cancelled writer has left half.
void read_by_way(const way& how, const input& from, const read_options& reading) {
  delivery got{.reading = reading, .tries_again = false};
  (void)error_of([&] { how.read(from, got); });
}

class a_cancelled_thread : public testing::Test {
  void SetUp() override {
    if (build::instrumented) GTEST_SKIP() << "a sanitizer loses track of a stack that a cancellation unwinds";
  }
};

// Reads again and again in a thread, and calls `cancel` with it, which ends a wait for the input too.
template <class Cancel>
void cancel_by(const std::function<void()>& read, Cancel cancel) {
  const auto run = [](void* given) -> void* {
    while (true) {
      (*static_cast<const std::function<void()>*>(given))();
      pthread_testcancel();
    }
  };
  pthread_t thread{};
  ASSERT_EQ(pthread_create(&thread, nullptr, run, const_cast<std::function<void()>*>(&read)), 0);
  cancel(thread);
  void* result = nullptr;
  ASSERT_EQ(pthread_join(thread, &result), 0);
  EXPECT_EQ(result, PTHREAD_CANCELED);
}

// The same, of a thread that is cancelled after a while.
template <class LetGo>
void cancel_while(const std::function<void()>& read, unsigned microseconds, LetGo let_go) {
  cancel_by(read, [&](pthread_t thread) {
    usleep(microseconds);
    ASSERT_EQ(pthread_cancel(thread), 0);
    let_go();
  });
}

// Cancels its own thread before one of the steps, and closes the source at once, or goes through all others.
void read_in_steps(const input& from, const read_options& how, int cancelled, bool leaves) {
  int step = 0;
  const auto ends = [&] {
    if (step++ != cancelled) return false;
    pthread_cancel(pthread_self());
    return leaves;
  };
  ends();
  source in(from, how);
  if (ends()) return;
  in.next();
  if (ends()) return;
  in.next();
  if (ends()) return;
  if (in.seekable()) in.seek(0);
  while (!in.next().empty()) continue;
  ends();
}

void cancel_at_each_step(const input& from, const read_options& how) {
  for (int step = 0; step != 5; ++step) {
    for (const bool leaves : {false, true}) {
      SCOPED_TRACE("step " + std::to_string(step) + (leaves ? ", then closed" : ""));
      bool closed = false;
      const auto read = [&] {
        read_in_steps(from, how, step, leaves);
        closed = true;
      };
      cancel_by(read, [](pthread_t) {});
      EXPECT_TRUE(closed || step == 0 || (step != 4 && !leaves)) << "it was cancelled in a destructor";
    }
  }
}

// 32 KiB, as docs/guide.md says, of which the C library takes a part; and what a way has beside what it
// calls.
TEST(a_thread_with_little_stack, reads_by_every_function_and_method) {
  if (build::instrumented) GTEST_SKIP() << "a sanitizer needs more stack";
  const temporary_file file(numbered_lines(20'000).substr(0, 208'888));  // whole values
  for (const way& each : all_ways()) {
    for (const method how : usable_methods()) {
      SCOPED_TRACE(std::string(each.name) + " by " + std::string(name_of(how)));
      expect_in_child([&] {
        std::function<void()> read = [&] {  // what it throws ends the child
          delivery got{.reading = {.method = how}, .tries_again = false};
          each.read(file.path(), got);
        };
        const auto run = [](void* given) -> void* {
          (*static_cast<std::function<void()>*>(given))();
          return given;
        };
        pthread_attr_t small;
        pthread_attr_init(&small);
        pthread_attr_setstacksize(&small, (32 + 8) << 10);
        pthread_t thread{};
        void* result = nullptr;
        return pthread_create(&thread, &small, run, &read) == 0 && pthread_join(thread, &result) == 0 &&
               result == &read;
      });
    }
  }
}

// A loop has no other point to be cancelled at, but for the methods that make system calls.
TEST_F(a_cancelled_thread, ends_between_the_blocks_that_it_decodes) {
  for (const container& format : containers()) {
    if (missing(format)) continue;
    const temporary_file file(in_members(format, numbered_lines(300'000), 20'000'000));
    const auto read = [&](const read_options& how) {
      for (const std::string_view line : lines(file.path(), {}, how)) {
        if (line == "line 1000") pthread_cancel(pthread_self());
        if (line == "line 299999") std::_Exit(3);
      }
    };
    SCOPED_TRACE(format.name);
    cancel_while([&] { read({.decode = format.format, .decode_threads = 1}); }, 0, [] {});
  }
}

TEST_F(a_cancelled_thread, ends_at_each_step) {
  const std::string text = numbered_lines(20'000);
  const temporary_file file(text);
  const owned_descriptor opened(open_to_read(file.path()));
  bytes_at_offsets object{.bytes = text};
  for (const method how : usable_methods()) {
    SCOPED_TRACE(name_of(how));
    cancel_at_each_step(file.path(), {.method = how, .block_size = 4096});
    cancel_at_each_step(opened.get(), {.method = how});
  }
  cancel_at_each_step(object, {.block_size = 4096, .queue_depth = 4});
  for (const container& format : containers()) {
    if (missing(format)) continue;
    SCOPED_TRACE(format.name);
    const temporary_file compressed(in_members(format, text, 120'000));
    for (const unsigned threads : {0U, 1U, 3U})
      cancel_at_each_step(compressed.path(), {.decode = format.format, .decode_threads = threads});
  }
}

TEST_F(a_cancelled_thread, ends_by_every_method) {
  const temporary_file file(numbered_lines(20'000));
  for (const way& each : all_ways()) {
    for (const method how : usable_methods()) {
      SCOPED_TRACE(std::string(each.name) + " by " + std::string(name_of(how)));
      for (const unsigned wait : {50U, 700U, 1500U}) {
        const read_options reading{.method = how, .block_size = 4096};
        cancel_while([&] { read_by_way(each, file.path(), reading); }, wait, [] {});
      }
    }
  }
}

TEST_F(a_cancelled_thread, ends_if_it_decodes) {
  for (const container& format : containers()) {
    if (missing(format)) continue;
    const temporary_file file(in_members(format, numbered_lines(20'000), 20'000));
    for (const way& each : all_ways()) {
      SCOPED_TRACE(std::string(each.name) + " of " + std::string(format.name));
      for (const unsigned threads : {1U, 3U}) {
        const read_options reading{.decode = format.format, .decode_threads = threads};
        cancel_while([&] { read_by_way(each, file.path(), reading); }, 900, [] {});
      }
    }
  }
}

TEST_F(a_cancelled_thread, ends_on_a_pipe_when_its_call_does) {
  for (const way& each : all_ways()) {
    SCOPED_TRACE(each.name);
    for (const method how : usable_methods(input_kind::stream)) {
      for (const bool blocks : {true, false}) {
        for (const unsigned wait : {50U, 2000U}) {
          open_pipe pipe;
          ASSERT_TRUE(blocks || never_wait(pipe.reading.get()));
          ASSERT_EQ(write_some(pipe.writing.get(), "a,b\n"), 4);
          cancel_while([&] { read_by_way(each, pipe.reading.get(), {.method = how}); }, wait,
                       [&] { pipe.writing.close(); });
        }
      }
    }
  }
}

}  // namespace
}  // namespace riffle::test
