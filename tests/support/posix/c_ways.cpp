/// The ways to read through riffle.h. What fails there is thrown again as it is in C++.
#include "tests/support/posix/c_ways.hpp"

#include <riffle.h>
#include <riffle/error.hpp>

#include <algorithm>
#include <cstring>
#include <exception>
#include <istream>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <streambuf>
#include <utility>
#include <variant>

#include "c/input.hpp"

namespace riffle::test {

namespace {

// The arguments of a reading in C. Exceptions of the user's own become a number, and are kept.
class c_reading {
 public:
  c_reading(const input& from, const read_options& how) : before_block_(how.before_block) {
    riffle_callbacks callbacks{};
    callbacks.size = sizeof callbacks;
    callbacks.user = this;
    if (const auto* const object = std::get_if<detail::user_object>(&from.where())) {
      object_ = *object;
      name_ = object->name(object->object);
      callbacks.name = name_.c_str();
      if (object->read_at != nullptr) {
        callbacks.read_at = read_at;
        callbacks.length = object->size(object->object);
      } else {
        callbacks.read = read;
      }
      input_ = riffle_input_callbacks(&callbacks);
    } else if (std::istream* const* const stream = std::get_if<std::istream*>(&from.where())) {
      stream_ = (*stream)->rdbuf();
      callbacks.read = read_stream;
      input_ = riffle_input_callbacks(&callbacks);
    } else {
      input_ = new riffle_input(from);  // also of kinds that C has no name for
    }
    riffle_read_options_init(&options_, sizeof options_);
    options_.method = static_cast<std::int32_t>(how.method);
    options_.decode = static_cast<std::int32_t>(how.decode);
    options_.block_size = how.block_size;
    options_.queue_depth = how.queue_depth;
    options_.decode_threads = how.decode_threads;
    options_.max_size = how.max_size;
    options_.sequential = how.sequential;
    options_.will_need = how.will_need;
    options_.populate = how.populate;
    options_.shared = how.shared;
    options_.whole_file = how.whole_file;
    options_.keep_cache = how.keep_cache;
    options_.fault_guard = how.fault_guard;
    if (stream_ != nullptr) options_.method = RIFFLE_METHOD_AUTOMATIC;  // it is an object here
    if (how.before_block) options_.before_block = before_block;
    options_.user = this;
  }
  c_reading(const c_reading&) = delete;
  c_reading& operator=(const c_reading&) = delete;
  ~c_reading() {
    riffle_records_close(&records_);
    riffle_input_close(&input_);
  }

  const riffle_input* from() const {
    if (input_ == nullptr) throw std::bad_alloc();
    return input_;
  }
  const riffle_read_options* options() const noexcept { return &options_; }
  riffle_records** opened() noexcept { return &records_; }
  riffle_error* error() noexcept { return &error_; }

  // Throws what a code stands for in C++.
  void require(riffle_code code) {
    if (code == RIFFLE_OK) return;
    if (code != error_.code) throw std::logic_error("another code than in the error");
    if (code == RIFFLE_STOPPED && error_.returned == 17) std::rethrow_exception(thrown_);
    if (code == RIFFLE_NO_MEMORY && error_.system_error == 0) throw std::bad_alloc();
    if (code == RIFFLE_STOPPED || code == RIFFLE_EXCEPTION) throw std::logic_error(error_.message);
    const std::string_view message = error_.message;
    const std::size_t quote = message.find('\'');
    const std::size_t end = std::max(quote + 1, std::min(message.rfind('\''), message.find("': ")));
    throw riffle::error(code < RIFFLE_SYSTEM ? make_error_code(static_cast<errc>(code))
                                             : std::error_code(error_.system_error, std::generic_category()),
                        message.substr(7, quote - 8), message.substr(quote + 1, end - quote - 1),
                        error_.offset == RIFFLE_NO_OFFSET ? std::nullopt : std::optional(error_.offset),
                        message);
  }

 private:
  template <class F>
  int kept(F f) {
    try {
      f();
      return 0;
    } catch (...) {
      const std::lock_guard lock(mutex_);
      thrown_ = std::current_exception();
      return 17;
    }
  }
  static c_reading& of(void* user) noexcept { return *static_cast<c_reading*>(user); }

  static int read(void* user, char* into, std::size_t room, std::size_t* count) {
    return of(user).kept([&] { *count = of(user).object_.read(of(user).object_.object, {into, room}); });
  }
  static int read_at(void* user, std::uint64_t offset, char* into, std::size_t room, std::size_t* count) {
    const auto& object = of(user).object_;
    return of(user).kept([&] { *count = object.read_at(object.object, offset, {into, room}); });
  }
  static int read_stream(void* user, char* into, std::size_t room, std::size_t* count) {
    std::streambuf& stream = *of(user).stream_;
    return of(user).kept([&] {
      if (stream.sgetc() == std::streambuf::traits_type::eof()) return;
      const std::streamsize most = std::min(stream.in_avail(), static_cast<std::streamsize>(room));
      *count = static_cast<std::size_t>(stream.sgetn(into, most));
    });
  }
  static int before_block(void* user, std::uint64_t /*bytes*/) {
    return of(user).kept([&] { of(user).before_block_(); });
  }

  callback before_block_;
  detail::user_object object_{};
  std::streambuf* stream_ = nullptr;
  std::string name_;
  riffle_input* input_ = nullptr;
  riffle_records* records_ = nullptr;
  riffle_read_options options_;
  riffle_error error_{};
  std::mutex mutex_;
  std::exception_ptr thrown_;
};

constexpr std::size_t most = 100;  // records at a time

bool deliver_next(c_reading& reading, delivery& got, bool whole) {
  riffle_string views[most];
  std::size_t count = 0;
  reading.require(
      riffle_records_next(*reading.opened(), views, std::min(most, got.step), &count, reading.error()));
  for (std::size_t i = 0; i != count; ++i) {
    got.bytes.append(views[i].data, views[i].size);
    if (!whole) got.bytes.push_back('\0');
  }
  return count != 0;
}

// Reads on after the first failure, as the ways of C++ do.
template <class Step>
void to_the_end(delivery& got, Step step) {
  got.goes_on = true;
  try {
    while (step()) {
    }
  } catch (...) {
    bool ended = true;
    try {
      while (step()) {
      }
    } catch (...) {
      ended = false;
    }
    if (ended && got.bytes != got.truth) got.wrong = "ends early after a failure";
    if (!got.truth.starts_with(got.bytes)) got.wrong = "a gap after a failure";
    throw;
  }
}

}  // namespace

void c_lines(const input& from, delivery& got) {
  c_reading reading(from, got.reading);
  reading.require(
      riffle_lines_open(reading.from(), nullptr, reading.options(), reading.opened(), reading.error()));
  to_the_end(got, [&] { return deliver_next(reading, got, false); });
}

void c_words(const input& from, delivery& got) {
  c_reading reading(from, got.reading);
  reading.require(
      riffle_words_open(reading.from(), SIZE_MAX, reading.options(), reading.opened(), reading.error()));
  to_the_end(got, [&] { return deliver_next(reading, got, false); });
}

void c_blocks(const input& from, delivery& got) {
  c_reading reading(from, got.reading);
  reading.require(riffle_blocks_open(reading.from(), reading.options(), reading.opened(), reading.error()));
  to_the_end(got, [&] { return deliver_next(reading, got, true); });
}

void c_read_some(const input& from, delivery& got) {
  c_reading reading(from, got.reading);
  reading.require(riffle_blocks_open(reading.from(), reading.options(), reading.opened(), reading.error()));
  to_the_end(got, [&] {
    char bytes[1000];
    std::size_t count = 0;
    reading.require(
        riffle_read_some(*reading.opened(), bytes, 1 + got.step % sizeof bytes, &count, reading.error()));
    got.bytes.append(bytes, count);
    return count != 0;
  });
}

void c_rows(const input& from, delivery& got) {
  c_reading reading(from, got.reading);
  riffle_dialect rows;
  riffle_dialect_init(&rows, sizeof rows, RIFFLE_PLAIN);
  rows.skip_bom = 0;
  reading.require(
      riffle_rows_open(reading.from(), &rows, reading.options(), reading.opened(), reading.error()));
  to_the_end(got, [&] {
    riffle_row found[most];
    std::size_t count = 0;
    reading.require(
        riffle_rows_next(*reading.opened(), found, std::min(most, got.step), &count, reading.error()));
    for (std::size_t i = 0; i != count; ++i) {
      const riffle_string* const last = found[i].fields + found[i].count - 1;
      const char* const start = found[i].fields->data;  // a separator is a byte between fields
      got.bytes.append(start, static_cast<std::size_t>(last->data + last->size - start)).push_back('\0');
    }
    return count != 0;
  });
}

void c_count_lines(const input& from, delivery& got) {
  c_reading reading(from, got.reading);
  std::uint64_t count = 0;
  const riffle_code code = riffle_count_lines(reading.from(), 3, reading.options(), &count, reading.error());
  got.bytes.assign(count, '\n');
  reading.require(code);
}

void c_parallel(const input& from, delivery& got) {
  struct all_splits {
    std::mutex mutex;
    std::map<std::uint64_t, std::string> by_offset;
  } all;
  c_reading reading(from, got.reading);
  riffle_parallel_options splitting;
  riffle_parallel_options_init(&splitting, sizeof splitting);
  splitting.threads = 3;
  splitting.split_size = 4096;
  const auto each = [](void* user, riffle_string split, std::uint64_t offset) {
    auto& to = *static_cast<all_splits*>(user);
    try {
      std::string bytes(split.data, split.size);
      const std::lock_guard lock(to.mutex);
      to.by_offset.emplace(offset, std::move(bytes));
      return 0;
    } catch (const std::bad_alloc&) {
      return 1;
    }
  };
  const riffle_code code =
      riffle_parallel(reading.from(), each, &all, &splitting, reading.options(), reading.error());
  if (code == RIFFLE_STOPPED && reading.error()->returned == 1) throw std::bad_alloc();
  reading.require(code);
  for (const auto& [offset, bytes] : all.by_offset) got.bytes += bytes;
}

}  // namespace riffle::test
