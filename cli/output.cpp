/// Keeps the errno of the first failure of standard output, as later failures have none.
#include "cli/output.hpp"

#include <cerrno>
#include <cstdio>
#include <new>
#include <ostream>
#include <streambuf>

#include "cli/progress/line.hpp"
#include "text/columns.hpp"

namespace riffle::cli {

namespace {

// The errno of the first write to standard output that failed. Later failures have no errno.
int lost_output = 0;

// std::cout has two faults here: it keeps no errno of a lost table, and <iostream> makes the locales of eight
// streams at each start.
class stdout_buffer : public std::streambuf {
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    const auto wanted = static_cast<std::size_t>(size);
    const std::size_t written = std::fwrite(text, 1, wanted, stdout);
    if (written != wanted) flushed();  // which remembers the reason
    return static_cast<std::streamsize>(written);
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
  const progress_line::pause alone(stderr);
  flushed();  // what was right before comes first
  std::fwrite(line.data(), 1, line.size(), stderr);
}

void complain(const std::string& text) {
  write_error(text::printable(text) + "\n");
}

void complain(const std::exception& failure) {
  complain(std::string("riffle: ") + failure.what());
}

void complain_of_file(const std::string& name, const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const output_lost&) {
    throw;
  } catch (const error& told) {
    complain(told);
  } catch (const std::bad_alloc&) {
    complain(error(std::make_error_code(std::errc::not_enough_memory), "read",
                   name == "-" ? "standard input" : name, std::nullopt,
                   "use fewer --threads or a smaller --block-size"));
  }
}

void write(std::string_view text) {
  const progress_line::pause alone(stdout);
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size()) return;
  throw output_lost(errno);
}

bool flushed() {
  if (std::ferror(stdout) == 0) errno = 0;  // else it is of the write that failed just now
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return true;
  if (lost_output == 0) lost_output = errno != 0 ? errno : EIO;
  return false;
}

void flush_output() {
  if (!flushed()) throw output_lost(lost_output);
}

std::ostream& output_stream() {
  static stdout_buffer buffer;
  static std::ostream stream(&buffer);
  return stream;
}

}  // namespace riffle::cli
