/// The ways to read through riffle.h. What fails there is thrown again as it is in C++.
#include "tests/support/posix/ways.hpp"

#include <riffle.h>
#include <riffle/error.hpp>
#include <riffle/riffle17.hpp>

#include <algorithm>
#include <array>
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
#include "tests/support/reading.hpp"
#include "tests/support/system.hpp"

namespace riffle::test {

namespace {

// The arguments of a reading in C. Exceptions of the user's own become a number, and are kept.
class c_reading : not_copied {
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
    } else if (const auto* const path = std::get_if<path_string>(&from.where())) {
      input_ = riffle_input_path(path->c_str());
    } else if (const int* const descriptor = std::get_if<int>(&from.where())) {
      input_ = riffle_input_descriptor(*descriptor);
    } else if (std::FILE* const* const file = std::get_if<std::FILE*>(&from.where())) {
      input_ = riffle_input_file(*file);
    } else if (const auto* const bytes = std::get_if<memory>(&from.where())) {
      input_ = riffle_input_memory(bytes->bytes().data(), bytes->bytes().size());
    } else {
      input_ = new riffle_input(from);  // of kinds that C has no name for
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
    (void)from();
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
      const auto most = std::clamp<std::streamsize>(stream.in_avail(), 1, static_cast<std::streamsize>(room));
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

template <class... T, class... Given>
void open(c_reading& reading, riffle_code (*by)(const riffle_input*, T...), Given... records) {
  reading.require(by(reading.from(), records..., reading.options(), reading.opened(), reading.error()));
}

// By the function that opens records of a kind.
template <auto by, bool ends, class... Given>
void read_records(const input& from, delivery& got, Given... records) {
  c_reading reading(from, got.reading);
  open(reading, by, records...);
  to_the_end(got, [&] {
    riffle_string views[most];
    std::size_t count = 0;
    reading.require(
        riffle_records_next(*reading.opened(), views, std::min(most, got.step), &count, reading.error()));
    for (std::size_t i = 0; i != count; ++i) got.add({views[i].data, views[i].size}, ends);
    return count != 0;
  });
}

void c_lines(const input& from, delivery& got) {
  riffle_line_options options;
  riffle_line_options_init(&options, sizeof options);
  options.max_length = got.longest;
  read_records<riffle_lines_open, true>(from, got, &options);
}

void c_words(const input& from, delivery& got) {
  read_records<riffle_words_open, true>(from, got, got.longest);
}

void c_read(const input& from, delivery& got) {
  c_reading reading(from, got.reading);
  open(reading, riffle_blocks_open);
  if (riffle_records_start(*reading.opened()) != reading.start(got)) got.wrong = "it starts elsewhere";
  to_the_end(got, [&] {
    char bytes[1000];
    const std::size_t room = 1 + got.step % sizeof bytes;
    std::size_t count = 0;
    const riffle_code code = riffle_read(*reading.opened(), bytes, room, &count, reading.error());
    got.add({bytes, count}, false);
    reading.require(code);
    std::size_t after = 0;
    if (count != room) reading.require(riffle_read(*reading.opened(), bytes, 1, &after, reading.error()));
    if (after != 0) got.wrong = "fewer bytes before the end";
    return count != 0;
  });
}

template <auto records>
void records_of_17(const input& from, delivery& got) {
  c_reading reading(from, got.reading);
  reading.by_17([&](const riffle17::input& opened, const riffle17::read_options& how) {
    riffle17::record_range all = records(opened, how);
    to_the_end(got, [&] {
      return take_some(all, got.step, [&](std::string_view record) { got.add(record, true); });
    });
    all.check();
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
      got.add(in.bytes(1), false);
      if (got.truth.size() > got.bytes.size() + 100) {
        const auto value = in.get<std::uint64_t>();
        got.add({reinterpret_cast<const char*>(&value), sizeof value}, false);
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
  open(reading, riffle_rows_open, &rows);
  to_the_end(got, [&] {
    riffle_row found[most];
    std::size_t count = 0;
    reading.require(
        riffle_rows_next(*reading.opened(), found, std::min(most, got.step), &count, reading.error()));
    for (std::size_t i = 0; i != count; ++i) {
      if (found[i].offset != reading.start(got) + got.bytes.size()) got.wrong = "a row with a wrong offset";
      const riffle_string* const last = found[i].fields + found[i].count - 1;
      const char* const start = found[i].fields->data;  // a separator is a byte between fields
      got.add({start, static_cast<std::size_t>(last->data + last->size - start)}, true);
    }
    return count != 0;
  });
}

// A function that counts, of which `count` gives the code.
template <auto count>
void c_count(const input& from, delivery& got) {
  c_reading reading(from, got.reading);
  std::uint64_t found = 0;
  const riffle_code code = count(reading.from(), reading.options(), &found, reading.error());
  got.bytes.assign(found, '\n');
  reading.require(code);
}

riffle_code count_text(const riffle_input* from, const riffle_read_options* how, std::uint64_t* lines,
                       riffle_error* error) {
  riffle_text_counts counts{};
  const riffle_code code = riffle_count_text(from, nullptr, how, &counts, error);
  *lines = counts.lines;
  return code;
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

constexpr auto table = std::to_array<way>({
    {"blocks_of_c", read_records<riffle_blocks_open, false>},
    {"read_of_c", c_read},
    {"lines_of_17", records_of_17<[](auto& from, auto& how) { return riffle17::lines(from, how); }>,
     lines_in},
    {"words_of_17", records_of_17<[](auto& from, auto& how) { return riffle17::words(from, how); }>,
     words_in},
    {"read_of_17", read_of_17},
    {"reader_of_17", reader_of_17},
    {"lines_of_c", c_lines, lines_in},
    {"words_of_c", c_words, words_in},
    {"rows_of_c", c_rows, lines_in},
    {"count_lines_of_c", c_count<[](auto* from, auto* how, auto* found, auto* error) {
       return riffle_count_lines(from, 3, how, found, error);
     }>,
     newlines_counted, 1, true},
    {"count_words_of_c", c_count<[](auto* from, auto* how, auto* found, auto* error) {
       return riffle_count_words(from, 0, how, found, error);
     }>,
     words_counted, 1, true},
    {"count_utf8_of_c", c_count<[](auto* from, auto* how, auto* found, auto* error) {
       return riffle_count_utf8(from, 1, how, found, error);
     }>,
     characters_counted, 1, true},
    {"count_any_of_of_c", c_count<[](auto* from, auto* how, auto* found, auto* error) {
       return riffle_count_any_of(from, {"bd", 2}, 2, how, found, error);
     }>,
     letters_counted, 1, true},
    {"count_text_of_c", c_count<count_text>, newlines_counted, 1, true},
    {"parallel_of_c", c_parallel, same, 1, true},
});

}  // namespace

std::span<const way> c_ways() {
  return table;
}

}  // namespace riffle::test
