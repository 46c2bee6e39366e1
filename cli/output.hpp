/// Writes output and errors. Lost output is a failure.
#pragma once

#include <riffle/error.hpp>

#include <cstddef>
#include <exception>
#include <iosfwd>
#include <string>
#include <string_view>

#include "cli/command.hpp"

namespace riffle::cli {

/// Standard output failed. riffle then skips the files that are left.
class output_lost : public error {
 public:
  explicit output_lost(int code) : error({code, std::generic_category()}, "write", "standard output") {}
};

/// Writes a whole line to standard error, after the rows before it. A standard error that is closed or full
/// is no failure.
void write_error(std::string_view line);
/// Prints the text as one line on standard error, without control characters.
void complain(const std::string& text);
/// The same, as "riffle: ...".
void complain(const std::exception& failure);
/// The same for a failure to read the file of that name, as it was given. Other failures are thrown again.
void complain_of_file(const std::string& name, const std::exception_ptr& failure, const arguments& given);

/// Returns whether a failure is a `riffle::error` with this code or condition.
template <class Code>
bool failed_by(const std::exception_ptr& failure, Code code) {
  try {
    std::rethrow_exception(failure);
  } catch (const error& told) {
    return told.code() == code;
  } catch (...) {
    return false;
  }
}

/// Writes to standard output; throws `riffle::error` if that fails (a full disk, a closed pipe).
void write(std::string_view text);
/// Writes out what is still buffered. Returns whether all output has arrived so far.
bool flushed();
/// The same; throws like `write` if it has not.
void flush_output();
/// Writes out the rows of a file that is finished, as to open the next one may wait: for the writer of a
/// FIFO. If it is one of many `files`, rows are written once a millisecond, or small files would take 15 %
/// longer.
void flush_before_next(std::size_t files);
/// The same output as a stream, which fails as `flushed` tells.
std::ostream& output_stream();

}  // namespace riffle::cli
