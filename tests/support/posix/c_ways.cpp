/// The ways to read through riffle.h. What fails there is thrown again as it is in C++.
#include "tests/support/posix/ways.hpp"

#include <riffle.h>
#include <riffle/error.hpp>
#include <riffle/riffle17.hpp>

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
  c_reading(const input& from, const read_options& how) : before_block_(how.watch.before_block) {
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
    options_.populate = how.mapping.populate;
    options_.shared = how.mapping.shared;
    options_.whole_file = how.mapping.whole_file;
    options_.keep_cache = how.keep_cache;
    options_.fault_guard = how.mapping.fault_guard;
    if (stream_ != nullptr) options_.method = RIFFLE_METHOD_AUTOMATIC;  // it is an object here
    if (how.watch.before_block) options_.before_block = before_block;
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
    if (code == RIFFLE_STOPPED && error_.returned != 17) throw std::logic_error(error_.message);
    fail(code, error_.system_error, error_.offset, error_.message);
  }
  // Calls `f(input, options)` of riffle17, and throws what its error stands for.
  template <class F>
  void by_17(F f) {
    static_cast<void>(from());
    riffle17::read_options how;
    static_cast<riffle_read_options&>(how) = options_;
    try {
      f(riffle17::input(std::exchange(input_, nullptr), "named"), how);
    } catch (const riffle17::error& failure) {
      fail(failure.code(), failure.system_error(), failure.offset().value_or(RIFFLE_NO_OFFSET),
           failure.what());
    }
  }
  // Where a reading starts in C, which knows no stream.
  std::uint64_t start(const delivery& got) const noexcept { return stream_ == nullptr ? got.start : 0; }

 private:
  [[noreturn]] void fail(riffle_code code, std::int32_t system_error, std::uint64_t offset,
                         std::string_view message) const {
    if (code == RIFFLE_STOPPED && thrown_ != nullptr) std::rethrow_exception(thrown_);
    if (code == RIFFLE_NO_MEMORY && system_error == 0) throw std::bad_alloc();
    if (code == RIFFLE_STOPPED || code == RIFFLE_EXCEPTION) throw std::logic_error(std::string(message));
    const std::size_t quote = message.find('\'');
    const std::size_t end = std::max(quote + 1, std::min(message.rfind('\''), message.find("': ")));
    throw riffle::error(code < RIFFLE_SYSTEM ? make_error_code(static_cast<errc>(code))
                                             : std::error_code(system_error, std::generic_category()),
                        message.substr(7, quote - 8), message.substr(quote + 1, end - quote - 1),
                        offset == RIFFLE_NO_OFFSET ? std::nullopt : std::optional(offset), message);
  }

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

void c_read(const input& from, delivery& got) {
  c_reading reading(from, got.reading);
  reading.require(riffle_blocks_open(reading.from(), reading.options(), reading.opened(), reading.error()));
  if (riffle_records_start(*reading.opened()) != reading.start(got)) got.wrong = "it starts elsewhere";
  to_the_end(got, [&] {
    char bytes[1000];
    const std::size_t room = 1 + got.step % sizeof bytes;
    std::size_t count = 0;
    const riffle_code code = riffle_read(*reading.opened(), bytes, room, &count, reading.error());
    got.bytes.append(bytes, count);
    reading.require(code);
    std::size_t after = 0;
    if (count != room) reading.require(riffle_read(*reading.opened(), bytes, 1, &after, reading.error()));
    if (after != 0) got.wrong = "fewer bytes before the end";
    return count != 0;
  });
}

void lines_of_17(const input& from, delivery& got) {
  c_reading reading(from, got.reading);
  reading.by_17([&](const riffle17::input& opened, const riffle17::read_options& how) {
    riffle17::record_range lines = riffle17::lines(opened, how);
    to_the_end(got, [&] {
      std::size_t left = got.step;
      for (const std::string_view line : lines) {
        got.bytes.append(line).push_back('\0');
        if (--left != 0) continue;
        riffle17::record_range moved = std::move(lines);
        lines = std::move(moved);
        return true;
      }
      return false;
    });
  });
}

void read_of_17(const input& from, delivery& got) {
  c_reading reading(from, got.reading);
  reading.by_17([&](const riffle17::input& opened, const riffle17::read_options& how) {
    riffle17::reader in(opened, how);
    fill_to_the_end(in, reading.start(got), got,
                    [&](char* into, std::size_t room) { return in.read(into, room); });
  });
}

void reader_of_17(const input& from, delivery& got) {
  c_reading reading(from, got.reading);
  reading.by_17([&](const riffle17::input& opened, const riffle17::read_options& how) {
    riffle17::reader in(opened, how);
    to_the_end(got, [&] {
      riffle17::reader moved = std::move(in);
      in = std::move(moved);
      if (in.offset() != reading.start(got) + got.bytes.size()) got.wrong = "the reader stands elsewhere";
      if (in.at_end()) return false;
      got.bytes += in.bytes(1);
      if (got.truth.size() - got.bytes.size() > 100) {
        const auto value = in.get<std::uint64_t>();
        got.bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
      }
      return true;
    });
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
      if (found[i].offset != reading.start(got) + got.bytes.size()) got.wrong = "a row with a wrong offset";
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
  for (const auto& [offset, bytes] : all.by_offset) {
    if (offset != reading.start(got) + got.bytes.size()) got.wrong = "a split with a wrong offset";
    got.bytes += bytes;
  }
}

}  // namespace riffle::test
