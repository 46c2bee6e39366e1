/// Objects are read by their own functions, by several requests at once if they make riffle wait.
#include <riffle/line_index.hpp>
#include <riffle/methods.hpp>
#include <riffle/parallel.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include "tests/support/object.hpp"
#include "tests/support/reading.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

const std::string text = numbered_lines(100000);

TEST(an_object, is_read_by_any_block_piece_and_depth) {
  for (const std::size_t block : {1U, 13U, 4096U, 0U}) {
    const std::string some = text.substr(0, block % 4096 != 0 ? 500 : text.size());
    for (const std::size_t piece : {std::size_t{7}, std::size_t{5000}, SIZE_MAX}) {
      bytes_in_order in_order{{some, piece}};
      EXPECT_TRUE(all_of(in_order, {.block_size = block}) == some);
      for (const unsigned depth : {0U, 1U, 2U, 9U}) {
        const bytes_at_offsets at_offsets{some, piece};
        EXPECT_TRUE(all_of(at_offsets, {.block_size = block, .queue_depth = depth}) == some) << depth;
      }
    }
  }
  const bytes_at_offsets empty{""};
  EXPECT_EQ(all_of(empty), "");
}

TEST(an_object, is_refused_by_methods_that_take_descriptors) {
  const bytes_at_offsets object{text};
  for (const method_info& each : methods()) {
    const auto refused = error_of([&] { all_of(object, {.method = each.id}); });
    EXPECT_EQ(refused.has_value(), each.id != method::read) << each.name;
    if (!refused) continue;
    EXPECT_EQ(refused->code(), errc::method_unavailable);
    EXPECT_EQ(refused->remedy().what, advice::use_method);
  }
}

// Notes how many calls run at once, each of which takes a while.
struct crowd {
  std::atomic<int> now = 0;
  std::atomic<int> most = 0;

  void operator()() {
    const int inside = ++now;
    for (int before = most; before < inside && !most.compare_exchange_weak(before, inside);) continue;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    --now;
  }
};

struct crowd_case {
  unsigned depth;
  unsigned threads;
  int least;
  int most;
};

TEST(an_object, that_makes_riffle_wait_is_asked_for_several_blocks_at_once) {
  const std::string bytes = text + text + text + text + text + text + text + text;
  for (const crowd_case& each :
       {crowd_case{0, 1, 8, 64}, {1, 1, 1, 1}, {4, 1, 2, 4}, {0, 4, 2, 4}, {2, 2, 2, 4}}) {
    crowd inside;
    const bytes_at_offsets object{bytes, SIZE_MAX, std::ref(inside)};
    std::uint64_t lines = 0;
    const auto count = [](std::string_view split) {
      return static_cast<std::uint64_t>(std::ranges::count(split, '\n'));
    };
    if (each.threads == 1) {
      lines = count(all_of(object, {.block_size = 65536, .queue_depth = each.depth}));
    } else {
      lines = parallel_reduce(object, lines, count, {}, {.threads = each.threads, .split_size = 1U << 18U},
                              {.queue_depth = each.depth});
    }
    EXPECT_EQ(lines, 800000U);
    EXPECT_GE(inside.most, each.least) << each.depth << ", " << each.threads;
    EXPECT_LE(inside.most, each.most) << each.depth << ", " << each.threads;
  }
}

// A loop that is left, or seeks, waits for what was asked for ahead.
TEST(an_object, is_not_called_after_its_reading) {
  crowd inside;
  const bytes_at_offsets object{text, SIZE_MAX, std::ref(inside)};
  {
    source from(object, {.block_size = 4096, .queue_depth = 16});
    EXPECT_EQ(from.next().bytes, text.substr(0, 4096));
    from.seek(text.size() - 10);
    EXPECT_EQ(from.next().bytes, text.substr(text.size() - 10));
    from.seek(text.size() + 10);
    EXPECT_EQ(from.next().bytes, "");
    from.seek(5000);
    EXPECT_EQ(from.next().bytes, text.substr(5000, 4096));
  }
  EXPECT_EQ(inside.now, 0);
}

struct wrong_object {
  std::uint64_t length;
  std::size_t answer;

  std::size_t read_at(std::uint64_t offset, std::span<char> into) const {
    if (offset >= length && offset < length + 10) return answer;
    into = into.first(offset < length ? std::min<std::size_t>(into.size(), length - offset) : into.size());
    std::ranges::fill(into, 'x');
    return into.size();
  }
  std::uint64_t size() const { return 1000; }
};

TEST(an_object, that_answers_wrong_is_an_error_after_the_bytes_before) {
  struct row {
    wrong_object object;
    std::uint64_t offset;
    errc code;
  };
  for (const unsigned depth : {0U, 1U, 8U}) {
    for (const row& each : {row{{450, 0}, 450, errc::truncated},
                            {{0, 0}, 0, errc::truncated},
                            {{300, 101}, 300, errc::invalid_argument},
                            {{1000, 0}, 1000, {}},
                            {{0, SIZE_MAX}, 0, errc::invalid_argument}}) {
      const read_outcome found = read_blocks(each.object, {.block_size = 100, .queue_depth = depth});
      EXPECT_EQ(found.bytes, std::string(each.offset, 'x'));
      EXPECT_EQ(found.failure.has_value(), each.offset != 1000);
      if (!found.failure) continue;
      EXPECT_EQ(found.failure->code(), each.code);
      EXPECT_EQ(found.failure->offset(), each.offset);
      EXPECT_EQ(found.failure->path(), "object");
    }
  }
  struct too_many {
    std::size_t read(std::span<char> into) { return into.size() + 1; }
    const char* name() const { return "too many"; }
  } object;
  const error wrong = thrown_by([&] { all_of(object, {.block_size = 9}); });
  EXPECT_EQ(
      std::string(wrong.what()),
      "cannot read 'too many' at byte 0: the object returned 10 for a span of 9 bytes; return how many it "
      "wrote");
}

TEST(an_object, has_an_index_of_its_lines) {
  bytes_at_offsets object{text, 1000};
  const line_index index(object, {.every = 64});
  ASSERT_EQ(index.size(), 100000U);
  for (const std::uint64_t line : {0U, 77U, 99999U}) {
    EXPECT_EQ(index[line] + "\n",
              text.substr(index.offset(line), index.offset(line + 1) - index.offset(line)));
  }
  object.bytes += "\n";
  EXPECT_EQ(thrown_by([&] { return index[5]; }).code(), errc::changed);
}

}  // namespace
}  // namespace riffle::test
