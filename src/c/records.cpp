/// Hands out words and blocks to C.
#include "c/records.hpp"

#include <riffle/blocks.hpp>
#include <riffle/words.hpp>

#include <string_view>
#include <utility>

namespace riffle::inline v0::c {

namespace {

class word_records final : public riffle_records {
 public:
  word_records(const riffle_input& input, std::size_t max_length, const riffle_read_options* reading)
      : riffle_records(input, reading), batches_(from.from, word_options{max_length}, how.get()) {}

  std::size_t next(riffle_string* views, std::size_t capacity) override {
    return batches_.next(capacity, [views](std::string_view word, std::size_t index) {
      views[index] = {word.data(), word.size()};
      return true;
    });
  }
  const riffle::source& source() const override { return batches_.range().from(); }

 private:
  batches<word_range> batches_;
};

class block_records final : public riffle_records {
 public:
  block_records(const riffle_input& input, const riffle_read_options* reading)
      : riffle_records(input, reading), source_(from.from, how.get()) {}

  std::size_t next(riffle_string* views, std::size_t /*capacity*/) override {
    const std::string_view next = rest_.empty() ? source_.next() : std::exchange(rest_, {});
    *views = {next.data(), next.size()};
    return next.empty() ? 0 : 1;
  }
  std::size_t read_some(std::span<char> into) override {
    if (into.empty()) return 0;
    if (rest_.empty()) rest_ = source_.next();
    const std::size_t count = rest_.copy(into.data(), into.size());
    source_.check();  // a mapped file may have shrunk before it was copied
    rest_.remove_prefix(count);
    return count;
  }
  const riffle::source& source() const override { return source_; }

 private:
  riffle::source source_;
  std::string_view rest_;  // of the block, after what `read_some` copied
};

}  // namespace

}  // namespace riffle::inline v0::c

using namespace riffle;

riffle_code riffle_words_open(const riffle_input* input, size_t max_length,
                              const riffle_read_options* reading, riffle_records** opened,
                              riffle_error* error) {
  return c::open(opened, error, [&] { return new c::word_records(c::required(input), max_length, reading); });
}

riffle_code riffle_blocks_open(const riffle_input* input, const riffle_read_options* reading,
                               riffle_records** opened, riffle_error* error) {
  return c::open(opened, error, [&] { return new c::block_records(c::required(input), reading); });
}

riffle_code riffle_open(const char* path, riffle_records** opened, riffle_error* error) {
  return c::open(opened, error, [&] {
    c::require(path != nullptr, "the path is NULL");
    riffle_read_options decoded;
    riffle_read_options_init(&decoded, sizeof decoded);
    decoded.decode = RIFFLE_DECODE_AUTOMATIC;
    return new c::block_records(riffle_input(input(path)), &decoded);
  });
}

riffle_code riffle_records_next(riffle_records* records, riffle_string* views, size_t capacity, size_t* count,
                                riffle_error* error) {
  if (count != nullptr) *count = 0;
  return c::guarded(error, [&] {
    c::require(views != nullptr && capacity != 0, "the views are NULL, or their capacity is 0");
    c::require(count != nullptr, "the pointer for the count is NULL");
    *count = c::required(records).next(views, capacity);
  });
}

riffle_code riffle_read(riffle_records* blocks, void* into, size_t capacity, size_t* count,
                        riffle_error* error) {
  size_t some = 0;
  size_t all = 0;
  riffle_code code = RIFFLE_OK;
  do {
    void* const rest = into == nullptr ? nullptr : static_cast<char*>(into) + all;
    code = riffle_read_some(blocks, rest, capacity - all, count == nullptr ? nullptr : &some, error);
    all += some;
  } while (some != 0 && all != capacity);
  if (count != nullptr) *count = all;
  return code;
}

riffle_code riffle_read_some(riffle_records* blocks, void* into, size_t capacity, size_t* count,
                             riffle_error* error) {
  if (count != nullptr) *count = 0;
  return c::guarded(error, [&] {
    c::require(into != nullptr || capacity == 0, "the buffer is NULL");
    c::require(count != nullptr, "the pointer for the count is NULL");
    *count = c::required(blocks).read_some({static_cast<char*>(into), capacity});
  });
}

riffle_code riffle_records_check(const riffle_records* records, riffle_error* error) {
  return c::guarded(error, [&] { c::required(records).source().check(); });
}

uint64_t riffle_records_start(const riffle_records* records) {
  return records == nullptr ? 0 : records->source().start();
}

int32_t riffle_records_method(const riffle_records* records) {
  return records == nullptr ? RIFFLE_METHOD_AUTOMATIC : static_cast<int32_t>(records->source().method());
}

riffle_string riffle_records_reason(const riffle_records* records) {
  if (records == nullptr) return {nullptr, 0};
  const std::string& reason = records->source().reason();
  return {reason.data(), reason.size()};
}

void riffle_records_close(riffle_records** records) {
  c::close(records);
}
