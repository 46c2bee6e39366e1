/// Makes tables of rows, in the thread that asks for them or in threads that run ahead of it: columns of
/// numbers, in which an empty field is null, and of text. Texts of `dialect::null` are null.
#include "bindings/python/native/arrow/columns.hpp"

#include <unistd.h>
#include <riffle/error.hpp>
#include <riffle/parallel_rows.hpp>
#include <riffle/scan.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <deque>
#include <exception>
#include <limits>
#include <mutex>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>

#include "os/growing_array.hpp"

namespace riffle::python::arrow {

namespace {

template <class T>
buffer buffer_of(os::growing_array<T> from) {
  from.shrink();
  const auto held = std::make_shared<os::growing_array<T>>(std::move(from));
  return {held, held->data()};
}

/// Returns one bit for each of these: whether it is true.
buffer bits_of(const os::growing_array<bool>& from) {
  os::growing_array<unsigned char> bits;
  bits.resize((from.size() + 7) / 8);
  std::fill_n(bits.data(), bits.size(), static_cast<unsigned char>(0));
  for (std::size_t i = 0; i != from.size(); ++i) {
    bits.data()[i / 8] |= static_cast<unsigned char>(unsigned{from.data()[i]} << i % 8);
  }
  return buffer_of(std::move(bits));
}

/// The rows of a column that have no value.
class null_rows {
 public:
  void add(std::size_t row) { rows_.push_back(row); }
  /// Drops those from `row` on.
  void take_back(std::size_t row) {
    while (rows_.size() != 0 && rows_.data()[rows_.size() - 1] >= row) rows_.resize(rows_.size() - 1);
  }
  /// The column of `size` rows with these buffers of its values.
  template <class... Buffers>
  column_values column(std::size_t size, Buffers... buffers) const {
    return {static_cast<std::int64_t>(rows_.size()), {valid_bits(size), std::move(buffers)...}};
  }

 private:
  buffer valid_bits(std::size_t size) const {
    if (rows_.size() == 0) return nullptr;
    os::growing_array<unsigned char> bits;
    bits.resize((size + 7) / 8);
    std::fill_n(bits.data(), bits.size(), static_cast<unsigned char>(0xFF));
    for (std::size_t i = 0; i != rows_.size(); ++i) {
      const std::size_t row = rows_.data()[i];
      bits.data()[row / 8] &= static_cast<unsigned char>(~(1U << row % 8));
    }
    return buffer_of(std::move(bits));
  }

  os::growing_array<std::size_t> rows_;
};

template <class T>
class number_builder final : public column_builder {
 public:
  void add(const row& from, std::size_t field) override {
    const std::optional<T> value = from.get<std::optional<T>>(field);
    if (!value) nulls_.add(values_.size());
    values_.push_back(value.value_or(T{}));
  }
  void take_back(std::size_t rows) override {
    values_.resize(rows);
    nulls_.take_back(rows);
  }
  column_values finish() override {
    const std::size_t size = values_.size();
    if constexpr (std::is_same_v<T, bool>) return nulls_.column(size, bits_of(values_));
    return nulls_.column(size, buffer_of(std::move(values_)));
  }

 private:
  os::growing_array<T> values_;
  null_rows nulls_;
};

bool is_ascii(std::string_view text) noexcept {
  std::uint64_t all = 0;
  for (; text.size() >= sizeof all; text.remove_prefix(sizeof all)) {
    std::uint64_t some = 0;
    std::memcpy(&some, text.data(), sizeof some);
    all |= some;
  }
  for (const char c : text) all |= static_cast<unsigned char>(c);
  return (all & 0x8080808080808080U) == 0;
}

template <bool is_utf8>
class text_builder final : public column_builder {
 public:
  text_builder(std::string column, std::string input) : column_(std::move(column)), input_(std::move(input)) {
    ends_.push_back(0);
  }

  void add(const row& from, std::size_t field) override {
    const bool is_null = from.is_null(field);
    const std::string_view text = is_null ? std::string_view() : from.unescaped(field);
    if (is_null) nulls_.add(ends_.size() - 1);
    if (text.size() > most_bytes - bytes_.size()) {
      throw error(errc::record_too_long, "read", input_, from.offset(),
                  "the fields of a batch of column '" + column_ + "' take 2 GiB");
    }
    if (is_utf8 && !is_ascii(text) && scan::find_invalid_utf8(text) < text.size()) {
      const auto place = static_cast<std::uint64_t>(from[field].data() - from[0].data());
      throw error(errc::bad_value, "read", input_, from.offset() + place,
                  "the field of column '" + column_ + "' is not UTF-8; use \"bytes\"");
    }
    bytes_.append({text.data(), text.size()});
    ends_.push_back(static_cast<std::int32_t>(bytes_.size()));
  }
  void take_back(std::size_t rows) override {
    ends_.resize(rows + 1);
    bytes_.resize(static_cast<std::size_t>(ends_.data()[rows]));
    nulls_.take_back(rows);
  }
  column_values finish() override {
    const std::size_t size = ends_.size() - 1;
    return nulls_.column(size, buffer_of(std::move(ends_)), buffer_of(std::move(bytes_)));
  }

 private:
  static constexpr std::size_t most_bytes = std::numeric_limits<std::int32_t>::max();

  std::string column_;
  std::string input_;
  os::growing_array<char> bytes_;
  os::growing_array<std::int32_t> ends_;  // with a 0 before the first
  null_rows nulls_;
};

template <class T>
std::unique_ptr<column_builder> make_number(const std::string&, const std::string&) {
  return std::make_unique<number_builder<T>>();
}
template <bool is_utf8>
std::unique_ptr<column_builder> make_text(const std::string& column, const std::string& input) {
  return std::make_unique<text_builder<is_utf8>>(column, input);
}

constexpr std::array<builder_type, 13> types{{{"f64", "float64", "double", "g", make_number<double>},
                                              {"f32", "float32", "float32", "f", make_number<float>},
                                              {"i64", "int64", "int64", "l", make_number<std::int64_t>},
                                              {"i32", "int32", "int32", "i", make_number<std::int32_t>},
                                              {"i16", "int16", "int16", "s", make_number<std::int16_t>},
                                              {"i8", "int8", "int8", "c", make_number<std::int8_t>},
                                              {"u64", "uint64", "uint64", "L", make_number<std::uint64_t>},
                                              {"u32", "uint32", "uint32", "I", make_number<std::uint32_t>},
                                              {"u16", "uint16", "uint16", "S", make_number<std::uint16_t>},
                                              {"u8", "uint8", "uint8", "C", make_number<std::uint8_t>},
                                              {"bool", "boolean", "bool_", "b", make_number<bool>},
                                              {"str", "string", "utf8", "u", make_text<true>},
                                              {"bytes", "binary", "binary", "z", make_text<false>}}};

constexpr std::uint64_t part_size = std::uint64_t{4} << 20U;

class column_tables : public table_source {
 public:
  column_tables(std::vector<wanted_column> wanted, text::bad_rows& bad, std::string input)
      : bad_(bad), wanted_(std::move(wanted)), input_(std::move(input)) {
    for (const wanted_column& each : wanted_) columns_.push_back({each.name, each.type->format});
  }

  const std::vector<table_column>& columns() const noexcept override { return columns_; }

 protected:
  const std::string& input() const noexcept { return input_; }

  // Returns the table of the rows to which `step(at, first)` moves, until it returns false, but for those
  // that `bad` skips.
  template <class Step>
  table table_of(row_range& rows, text::bad_rows& bad, Step step) const {
    std::vector<std::unique_ptr<column_builder>> builders;
    for (const wanted_column& each : wanted_) builders.push_back(each.type->make(each.name, input_));
    table made;
    const auto add = [&](const row& from) {
      try {
        for (std::size_t i = 0; i != builders.size(); ++i) builders[i]->add(from, wanted_[i].field);
      } catch (const error&) {
        for (const auto& each : builders) each->take_back(static_cast<std::size_t>(made.rows));
        throw;
      }
      ++made.rows;
    };
    const auto next = [&](auto& at) { return step(at, made.rows == 0); };
    for (auto at = detail::steps::resume(rows); bad.advance(at, next, add);) {
    }
    for (const auto& each : builders) made.columns.push_back(each->finish());
    return made;
  }

  text::bad_rows& bad_;

 private:
  std::vector<wanted_column> wanted_;
  std::string input_;
  std::vector<table_column> columns_;
};

class tables_in_turn final : public column_tables {
 public:
  tables_in_turn(row_range rows, std::vector<wanted_column> wanted, text::bad_rows& bad)
      : column_tables(std::move(wanted), bad, rows.from().name()), rows_(std::move(rows)) {}

  table next() override {
    if (failure_) std::rethrow_exception(failure_);
    std::uint64_t limit = 0;
    const auto step = [&](auto& at, bool first) {
      if (!first && at.record.offset_behind() >= limit) return false;
      try {
        if (!detail::steps::advance(rows_, at)) return false;
      } catch (const error& failure) {
        if (first || bad_.skips(failure)) throw;
        failure_ = std::current_exception();  // after the rows before it
        return false;
      }
      if (first) limit = end_of_part(at.record.offset());
      return true;
    };
    try {
      return table_of(rows_, bad_, step);
    } catch (...) {
      failure_ = std::current_exception();
      throw;
    }
  }

 private:
  // Returns where the part ends in which a row starts: the one that `parallel_rows` would cut.
  std::uint64_t end_of_part(std::uint64_t row) const {
    const std::uint64_t begin = rows_.from().start();
    return begin + ((std::max<std::uint64_t>(row - begin, 1) - 1) / part_size + 1) * part_size + 1;
  }

  row_range rows_;
  std::exception_ptr failure_;
};

class tables_ahead final : public column_tables {
 public:
  tables_ahead(row_range rows, std::vector<wanted_column> wanted, text::bad_rows& bad, unsigned threads,
               std::function<void()> while_waiting)
      : column_tables(std::move(wanted), bad, rows.from().name()),
        most_(threads + 1),
        while_waiting_(std::move(while_waiting)),
        reader_([this, of = std::move(rows), threads]() mutable { read(std::move(of), threads); }) {}

  // The child of a fork has no thread to end, and may not touch what that thread had locked.
  ~tables_ahead() override {
    if (was_forked()) {
      reader_.detach();
      static_cast<void>(state_.release());
      return;
    }
    {
      const std::lock_guard lock(state_->mutex);
      state_->stopped = true;
    }
    state_->room.notify_all();
    reader_.join();
  }

  table next() override {
    if (was_forked()) {
      throw error(
          std::make_error_code(std::errc::operation_not_permitted), "read", input(), std::nullopt,
          "another process opened it and has the threads that read; open it again, or set threads to 1");
    }
    std::unique_lock lock(state_->mutex);
    while (state_->ready.empty() && !state_->ended) {
      state_->more.wait_for(lock, std::chrono::milliseconds(50));
      lock.unlock();
      while_waiting_();
      lock.lock();
    }
    if (state_->ready.empty()) {
      if (state_->failure) std::rethrow_exception(state_->failure);
      return {};
    }
    table first = std::move(state_->ready.front());
    state_->ready.pop_front();
    state_->room.notify_one();
    return first;
  }

 private:
  struct shared {
    std::mutex mutex;
    std::condition_variable more;
    std::condition_variable room;
    std::deque<table> ready;
    std::exception_ptr failure;
    bool ended = false;
    bool stopped = false;
  };
  struct was_stopped {};

  bool was_forked() const noexcept { return ::getpid() != process_; }

  void read(row_range rows, unsigned threads) noexcept {
    std::exception_ptr failure;
    try {
      int done = 0;
      parallel_rows_into(
          done, std::move(rows),
          [this](row_range& part) {
            text::bad_rows bad = bad_.of_split();
            table made =
                table_of(part, bad, [&part](auto& at, bool) { return detail::steps::advance(part, at); });
            return std::pair(std::move(made), std::move(bad));
          },
          [this](int, std::pair<table, text::bad_rows> made) {
            bad_.add(made.second);
            put(std::move(made.first));
            return 0;
          },
          {.threads = threads, .split_size = part_size});
    } catch (const was_stopped&) {
    } catch (...) {
      failure = std::current_exception();
    }
    const std::lock_guard lock(state_->mutex);
    state_->failure = failure;
    state_->ended = true;
    state_->more.notify_all();
  }

  void put(table made) {
    std::unique_lock lock(state_->mutex);
    state_->room.wait(lock, [this] { return state_->stopped || state_->ready.size() < most_; });
    if (state_->stopped) throw was_stopped();
    if (made.rows != 0) state_->ready.push_back(std::move(made));
    state_->more.notify_one();
  }

  std::size_t most_;
  std::function<void()> while_waiting_;
  pid_t process_ = ::getpid();
  std::unique_ptr<shared> state_ = std::make_unique<shared>();
  std::thread reader_;  // last: it uses the others
};

}  // namespace

const builder_type* builder_type_named(std::string_view name) noexcept {
  const auto* const found = std::ranges::find_if(types, [name](const builder_type& type) {
    return name == type.name || name == type.long_name || name == type.other_name;
  });
  return found == types.end() ? nullptr : found;
}

std::string builder_type_names() {
  std::string names;
  for (const builder_type& each : types) names.append(names.empty() ? "" : ", ").append(each.name);
  return names;
}

std::unique_ptr<table_source> tables_of(row_range rows, std::vector<wanted_column> columns,
                                        text::bad_rows& bad, unsigned threads,
                                        std::function<void()> while_waiting) {
  if (threads == 1 || !rows.from().seekable()) {
    return std::make_unique<tables_in_turn>(std::move(rows), std::move(columns), bad);
  }
  return std::make_unique<tables_ahead>(std::move(rows), std::move(columns), bad, threads,
                                        std::move(while_waiting));
}

}  // namespace riffle::python::arrow
