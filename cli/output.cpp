/// Collects what goes to standard output, and keeps the errno of its first failure.
#include "cli/output.hpp"

#include <array>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <new>
#include <ostream>
#include <streambuf>
#include <utility>

#include "cli/os/descriptor.hpp"
#include "cli/progress/progress.hpp"
#include "cli/remedies.hpp"
#include "text/columns.hpp"
#include "text/os/terminal.hpp"

namespace riffle::cli {

namespace {

// Standard output, collected into few calls of write(2). Not by stdio, which loses what a non-blocking output
// does not take at once.
class collected_output {
 public:
  // Returns whether all output has arrived so far, as far as it was written.
  bool write(std::string_view text) noexcept {
    const std::lock_guard lock(mutex_);
    if (size_ + text.size() > held_.size()) flush_held();
    if (text.size() > held_.size()) {
      put(text);
    } else {
      size_ += text.copy(held_.data() + size_, text.size());
    }
    if (on_terminal_ && text.find('\n') != std::string_view::npos) flush_held();
    return lost_ == 0;
  }
  bool flush() noexcept {
    const std::lock_guard lock(mutex_);
    flush_held();
    return lost_ == 0;
  }
  // The errno of the first write that failed, after which nothing is written; 0: none.
  int lost() const noexcept { return lost_; }

 private:
  void flush_held() noexcept {
    if (size_ != 0) put({held_.data(), std::exchange(size_, 0)});
  }
  void put(std::string_view text) noexcept {
    if (lost_ != 0) return;
    const auto alone = on_terminal_ ? reading_progress::removed() : std::unique_lock<std::mutex>();
    lost_ = os::write_all(1, text);
  }

  std::mutex mutex_;
  std::array<char, 4096>
      held_{};  // so much of a pipe is written at once: rows of several processes do not mix
  std::size_t size_ = 0;
  int lost_ = 0;
  bool on_terminal_ = os::is_terminal(stdout);
};

collected_output& standard_output() {
  static collected_output output;
  return output;
}

// std::cout keeps no errno of a lost table, and <iostream> makes the locales of eight streams at each start.
class output_buffer : public std::streambuf {
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    return standard_output().write({text, static_cast<std::size_t>(size)}) ? size : 0;
  }
  int_type overflow(int_type byte) override {
    if (traits_type::eq_int_type(byte, traits_type::eof())) return traits_type::not_eof(byte);
    const char text = traits_type::to_char_type(byte);
    return xsputn(&text, 1) == 1 ? byte : traits_type::eof();
  }
  int sync() override { return flushed() ? 0 : -1; }
};

}  // namespace

void write_error(std::string_view line) {
  flushed();  // what was right before comes first
  const auto alone = reading_progress::removed();
  os::write_all(2, line);
}

void complain(const std::string& text) {
  write_error(text::printable(text) + "\n");
}

void complain(const std::exception& failure) {
  complain(std::string("riffle: ") + failure.what());
}

void complain_of_file(const std::string& name, const std::exception_ptr& failure, const arguments& given) {
  const auto say = [&](const error& told) { complain("riffle: " + as_typed(told, given)); };
  try {
    std::rethrow_exception(failure);
  } catch (const output_lost&) {
    throw;
  } catch (const error& told) {
    say(told);
  } catch (const std::bad_alloc&) {
    say(error(std::make_error_code(std::errc::not_enough_memory), "read",
              name == "-" ? "standard input" : name, std::nullopt, {}, {advice::smaller_block_size}));
  }
}

void write(std::string_view text) {
  if (!standard_output().write(text)) throw output_lost(standard_output().lost());
}

bool flushed() {
  return standard_output().flush();
}

void flush_output() {
  if (!standard_output().flush()) throw output_lost(standard_output().lost());
}

void flush_before_next(std::size_t files) {
  constexpr std::size_t few = 256;
  constexpr auto seldom = std::chrono::milliseconds(1);
  static std::chrono::steady_clock::time_point last;
  const auto now = std::chrono::steady_clock::now();
  if (files >= few && now - last < seldom) return;
  last = now;
  flush_output();
}

std::ostream& output_stream() {
  static output_buffer buffer;
  static std::ostream stream(&buffer);
  return stream;
}

}  // namespace riffle::cli
