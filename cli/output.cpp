/// The first failure of standard output is remembered, as later ones know no reason.
#include "cli/output.hpp"

#include <riffle/error.hpp>

#include <cerrno>
#include <cstdio>

#include "text/columns.hpp"

namespace riffle::cli {

namespace {

// The errno of the first write to standard output that failed: what fails after it clears the buffer, and
// knows no reason.
int lost_output = 0;

}  // namespace

void complain(const std::string& text) {
  const std::string line = text::printable(text) + "\n";
  flushed();  // what was right before comes first
  std::fwrite(line.data(), 1, line.size(), stderr);
}

void complain(const std::exception& failure) {
  complain(std::string("riffle: ") + failure.what());
}

void complain_of_file(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const error& told) {
    if (told.operation() == "write") throw;  // the output is lost: nothing is left to do
    complain(told);
  }
}

void write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size()) return;
  throw error({errno, std::generic_category()}, "write", "standard output");
}

bool flushed() {
  if (std::ferror(stdout) == 0) errno = 0;  // else it is of the write that failed just now
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return true;
  if (lost_output == 0) lost_output = errno != 0 ? errno : EIO;
  return false;
}

void flush_output() {
  if (!flushed()) throw error({lost_output, std::generic_category()}, "write", "standard output");
}

}  // namespace riffle::cli
