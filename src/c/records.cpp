/// Hands out words, blocks and lines to C, of lines an array of views made of the places of delimiters.
#include "c/records.hpp"

#include <riffle/blocks.hpp>
#include <riffle/detail/line_scan.hpp>
#include <riffle/words.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>

#include "source/source_state.hpp"

namespace riffle::inline v0::c {

template <>
riffle_line_options defaults() {
  riffle_line_options to{};
  to.size = sizeof to;
  to.max_length = std::numeric_limits<std::size_t>::max();
  to.delimiter = '\n';
  return to;
}

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

line_options options_of(const riffle_line_options* given) {
  const riffle_line_options own = taken(given);
  return {.delimiter = own.delimiter,
          .keep_delimiter = own.keep_delimiter != 0,
          .strip_cr = own.strip_cr != 0,
          .max_length = own.max_length};
}

class line_records final : public riffle_records {
 public:
  line_records(const riffle_input& input, const line_options& lines, const riffle_read_options* reading)
      : riffle_records(input, reading),
        source_(from.from, how.get()),
        rules_(lines),
        match_{lines.delimiter} {}

  std::size_t next(riffle_string* views, std::size_t capacity) override {
    while (left_ == found_) {
      if (rest_.empty() && !next_block()) return last(*views);
      batch_ = rest_.data();
      left_ = 0;
      found_ = match_(rest_.substr(0, detail::batch_size), places_.data());
      rest_.remove_prefix(std::min(rest_.size(), detail::batch_size));
    }
    const std::size_t most = std::min(capacity, found_ - left_);
    const std::size_t count = rules_.plain() ? most : adjustable(most);
    // Variables, as what is written could be a member; 10 bytes a line were 5 % slower by a loop of one each.
    const std::uint16_t* const places = places_.data() + left_;
    const char* const batch = batch_;
    const char* line = line_;
#pragma GCC unroll 4
    for (std::size_t i = 0; i != count; ++i) {
      const char* const end = batch + places[i];
      views[i] = {line, static_cast<std::size_t>(end - line)};
      line = end + 1;
    }
    line_ = line;
    left_ += count;
    if (!rules_.plain()) adjust(views, count, 1);
    return count;
  }
  const riffle::source& source() const override { return source_; }

 private:
  detail::source_state& state() { return detail::source_state::of(source_); }

  [[noreturn]] void fail() {
    detail::fail_too_long(source_.name(), offset_ + static_cast<std::uint64_t>(line_ - begin_), &state());
  }

  // Returns false at the end of the input.
  bool next_block() {
    const auto kept = static_cast<std::size_t>(end_ - line_);
    if (rules_.too_long_unfinished(kept)) fail();
    const block region = state().next(kept, {advice::set_max_length});
    offset_ = region.offset;
    begin_ = line_ = region.data();
    end_ = begin_ + region.size();
    rest_ = region.bytes.substr(kept);
    return !rest_.empty();
  }

  // Hands out the line that the end of the input ends, if there is one.
  std::size_t last(riffle_string& view) {
    if (line_ == end_) return 0;
    view = {line_, static_cast<std::size_t>(end_ - line_)};
    if (rules_.too_long({view.data, view.size})) fail();
    adjust(&view, 1, 0);
    line_ = end_;
    return 1;
  }

  // Returns how many of the next lines are not too long. Fails if the first one is.
  std::size_t adjustable(std::size_t most) {
    const char* line = line_;
    for (std::size_t i = 0; i != most; ++i) {
      const char* const end = batch_ + places_[left_ + i];
      if (rules_.too_long({line, static_cast<std::size_t>(end - line)})) {
        if (i == 0) fail();
        return i;
      }
      line = end + 1;
    }
    return most;
  }
  void adjust(riffle_string* views, std::size_t count, std::size_t delimiter) const noexcept {
    for (riffle_string* view = views; view != views + count; ++view) {
      view->size = rules_.record_size({view->data, view->size}, delimiter);
    }
  }

  riffle::source source_;
  detail::line_rules rules_;
  detail::match_delimiter match_;
  const char* begin_ = nullptr;  // of the block
  const char* end_ = nullptr;    // of the block
  const char* line_ = nullptr;   // where the next line starts
  std::uint64_t offset_ = 0;     // of the block in the input
  std::string_view rest_;        // of the block, after the batch
  const char* batch_ = nullptr;
  std::size_t left_ = 0;  // the index of the first delimiter that is left in the batch
  std::size_t found_ = 0;
  std::array<std::uint16_t, detail::batch_size + detail::place_slack> places_;
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

void riffle_line_options_init(riffle_line_options* options, size_t size) {
  c::init(options, size, c::defaults<riffle_line_options>());
}

riffle_code riffle_lines_open(const riffle_input* input, const riffle_line_options* lines,
                              const riffle_read_options* reading, riffle_records** opened,
                              riffle_error* error) {
  return c::open(opened, error,
                 [&] { return new c::line_records(c::required(input), c::options_of(lines), reading); });
}
