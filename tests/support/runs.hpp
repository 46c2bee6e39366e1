/// Ways to read that are carried out while something fails.
#pragma once

#include <riffle/error.hpp>
#include <riffle/methods.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <vector>

#include "tests/support/posix/ways.hpp"
#include "tests/support/support.hpp"

namespace riffle::test::runs {

/// The bytes that most runs read, in a few blocks.
const std::string& text();
inline constexpr unsigned block_size = 4096;

/// What the runs read. The functions return a descriptor that the caller closes.
class inputs {
 public:
  temporary_file file{text()};
  temporary_file scratch;
  mutable std::optional<temporary_file> large = {};
  mutable std::jthread writer = {};  // of the pipe made last

  int open() const;
  int rewritten() const;
  int make_large() const;
  int filled_pipe() const;
  int slow_pipe() const;

 private:
  int pipe(int flags) const;
};

/// One of the ways to read the file, or the descriptor if there is one; or `read` instead.
struct run {
  const char* name;
  const char* way = nullptr;  // null: what is delivered is the bytes
  void (*read)(const inputs& from, delivery& got) = nullptr;
  const std::string& (*bytes)() = text;  // of the input
  input_kind kind = input_kind::regular_file;
  int (inputs::*open)() const = nullptr;  // before anything can fail
  std::string expected = {};              // from the table

  /// What is delivered without a failure.
  const std::string& truth() const { return expected; }
};

/// Returns each run with each method that it can use.
std::vector<std::tuple<const run*, method>> all();

/// What a run came to.
struct ending {
  delivery got;
  std::optional<error> failure;
  bool out_of_memory = false;  // std::bad_alloc
  std::string other;           // any other exception
};

/// Carries out a run between `start` and `stop`, which let something fail.
ending carry_out(
    const run& what, method used, const inputs& from, const std::function<void()>& start = [] {},
    const std::function<void()>& stop = [] {});

/// Returns what is wrong with a run, or an empty string: what was delivered is right, and it is all, or
/// there is an error that names its operation and path.
std::string fault_of(const ending& found, const run& what);

/// Return how many there are of this process.
std::size_t open_descriptors();
std::size_t mapped_ranges();

}  // namespace riffle::test::runs
