/// Functions of riffle.h with any numbers in their structs and any sizes: a code, and records of the input.
#include <fuzzer/FuzzedDataProvider.h>
#include <riffle.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "fuzz/delivery.hpp"

namespace riffle::fuzz {
namespace {

// A struct, and what a newer version of it may have behind it.
template <class T>
struct newer {
  T first;
  unsigned char behind[4096];
};

// A struct as its init function leaves it, perhaps with another size, and with a few bytes changed.
template <class T, class Init>
newer<T> changed(FuzzedDataProvider& from, Init init) {
  newer<T> made{};
  init(&made.first, sizeof made.first);
  if (from.ConsumeBool())
    made.first.size = from.ConsumeIntegralInRange<std::size_t>(0, sizeof made.first + 8);
  for (std::size_t i = from.ConsumeIntegralInRange<std::size_t>(0, 4); i != 0; --i) {
    const auto at = from.ConsumeIntegralInRange<std::size_t>(0, sizeof made.first + 15);
    reinterpret_cast<unsigned char*>(&made)[at] = from.ConsumeIntegral<unsigned char>();
  }
  return made;
}

struct bytes {
  std::string text;
  std::size_t at = 0;
  std::size_t piece = 1;
  int stops = 0;
};

int read(void* user, char* into, std::size_t room, std::size_t* count) {
  auto& of = *static_cast<bytes*>(user);
  if (of.stops != 0 && of.stops-- % 2 == 1) return -1;
  *count = std::min({of.piece, room, of.text.size() - of.at});
  std::memcpy(into, of.text.data() + of.at, *count);
  of.at += *count;
  return 0;
}

int before_block(void* user, std::uint64_t) {
  if (user == nullptr) return 0;  // the size of the struct leaves it out
  auto& of = *static_cast<bytes*>(user);
  return of.stops != 0 && of.stops-- % 3 == 1 ? 2 : 0;
}

void check(riffle_code code, const riffle_error& error) {
  if (code == RIFFLE_OK) return;
  require(code == error.code, "the error has the code");
  const std::size_t size = ::strnlen(error.message, sizeof error.message);
  require(size != 0 && size < sizeof error.message, "the message ends");
  require(code != RIFFLE_EXCEPTION, error.message);
}

void go_through(riffle_records* records, std::size_t capacity, bool as_rows) {
  std::vector<riffle_string> views(capacity);
  std::vector<riffle_row> rows(capacity);
  riffle_error error;
  std::size_t sum = 0;
  const auto touch = [&sum](riffle_string text) {  // each byte that is handed out can be read
    for (std::size_t at = 0; at != text.size; ++at) sum += static_cast<unsigned char>(text.data[at]);
  };
  for (int failures = 0; failures < 20;) {
    std::size_t count = 99;
    const riffle_code code = as_rows ? riffle_rows_next(records, rows.data(), capacity, &count, &error)
                                     : riffle_records_next(records, views.data(), capacity, &count, &error);
    check(code, error);
    require(count <= capacity && (code == RIFFLE_OK || count == 0), "the count fits the code");
    if (code == RIFFLE_OK && count == 0) break;
    failures += code != RIFFLE_OK;
    for (std::size_t i = 0; i != count; ++i) {
      if (!as_rows) touch(views[i]);
      for (std::size_t field = 0; as_rows && field != rows[i].count; ++field) touch(rows[i].fields[field]);
    }
  }
  require(sum != 1, "no record is a byte of 1");  // so that the sum is used
}

}  // namespace
}  // namespace riffle::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace riffle::fuzz;
  FuzzedDataProvider from(data, size);
  auto whole = changed<riffle_read_options>(from, riffle_read_options_init);
  riffle_read_options& reading = whole.first;
  reading.block_size %= 1U << 20U;
  reading.queue_depth %= 8;
  reading.decode_threads %= 4;
  // A named method without use for them refuses them.
  if (reading.method >= RIFFLE_METHOD_READ && reading.method <= RIFFLE_METHOD_MMAP) reading.queue_depth = 0;
  if (reading.method != RIFFLE_METHOD_AUTOMATIC && reading.method != RIFFLE_METHOD_MMAP) {
    reading.populate = reading.fault_guard = 1;
    reading.shared = reading.whole_file = 0;
  }
  const auto lines = changed<riffle_line_options>(from, riffle_line_options_init);
  const auto what = changed<riffle_text_options>(
      from, [](riffle_text_options* to, std::size_t bytes) { riffle_text_options_init(to, bytes); });
  const auto dialect = changed<riffle_dialect>(from, [&](riffle_dialect* to, std::size_t bytes) {
    riffle_dialect_init(to, bytes, from.ConsumeIntegralInRange(-1, 3));
  });
  const auto kind = from.ConsumeIntegralInRange(0, 4);
  const auto capacity = from.ConsumeIntegralInRange<std::size_t>(0, 300);
  const bool in_memory = from.ConsumeBool();
  bytes of{.text = {},
           .piece = from.ConsumeIntegralInRange<std::size_t>(1, 5000),
           .stops = from.ConsumeIntegralInRange(0, 9)};
  of.text = from.ConsumeRemainingBytesAsString();
  std::ranges::replace(of.text, '\x01', '\x02');
  reading.before_block = of.stops % 2 == 0 ? nullptr : before_block;
  reading.user = &of;
  riffle_callbacks callbacks{};
  callbacks.size = sizeof callbacks;
  callbacks.user = &of;
  callbacks.read = read;
  riffle_input* input =
      in_memory ? riffle_input_memory(of.text.data(), of.text.size()) : riffle_input_callbacks(&callbacks);
  riffle_error error;
  riffle_records* records = nullptr;
  riffle_code code = RIFFLE_OK;
  riffle_text_counts counts;
  if (kind == 0) code = riffle_lines_open(input, &lines.first, &reading, &records, &error);
  if (kind == 1) code = riffle_words_open(input, lines.first.max_length, &reading, &records, &error);
  if (kind == 2) code = riffle_blocks_open(input, &reading, &records, &error);
  if (kind == 3) code = riffle_rows_open(input, &dialect.first, &reading, &records, &error);
  if (kind == 4) code = riffle_count_text(input, &what.first, &reading, &counts, &error);
  check(code, error);
  require((records != nullptr) == (code == RIFFLE_OK && kind != 4),
          "a handle is made, or a code says why not");
  if (records != nullptr) go_through(records, capacity, kind == 3);
  riffle_records_close(&records);
  riffle_input_close(&input);
  return 0;
}
