/// Makes tables of rows, in the thread that asks for them or in threads that run ahead of it.
#include "bindings/python/native/arrow/columns.hpp"

#include <unistd.h>
#include <riffle/error.hpp>
#include <riffle/parallel_rows.hpp>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace riffle::python::arrow {

namespace {

constexpr std::uint64_t part_size = std::uint64_t{4} << 20U;

class column_tables : public table_source {
 public:
  column_tables(std::vector<wanted_column> wanted, text::bad_rows& bad, std::string input)
      : bad_(bad), wanted_(std::move(wanted)), input_(std::move(input)) {
    for (const wanted_column& each : wanted_) columns_.push_back({each.name, each.type.format});
  }

  const std::vector<table_column>& columns() const noexcept override { return columns_; }

 protected:
  const std::string& input() const noexcept { return input_; }

  // Returns the table of the rows to which `step(at, first)` moves, until it returns false, but for those
  // that `bad` skips.
  template <class Step>
  table table_of(row_range& rows, text::bad_rows& bad, Step step) const {
    std::vector<std::unique_ptr<column_builder>> builders;
    for (const wanted_column& each : wanted_) builders.push_back(each.type.make(each.type));
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
