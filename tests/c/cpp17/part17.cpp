/// A file in C++17 reads by riffle17.hpp. All ways to read by it are rows of tests/support/posix/c_ways.cpp.
#include <riffle/riffle17.hpp>

#include <array>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

// Returns what is wrong unless `f` says that it uses what was moved from.
template <class F>
std::string not_refused(const char* what, F f) {
  try {
    f();
  } catch (const riffle17::error& failure) {
    const riffle17::error moved = failure;
    const bool right = std::strstr(moved.what(), "moved from") != nullptr;
    return right && moved.code() == RIFFLE_INVALID_ARGUMENT ? "" : failure.what();
  }
  return what;
}

std::string faults_of_moves(const std::string& path) {
  std::string wrong;
  riffle17::record_range lines = riffle17::lines(path);
  riffle17::record_range& same = lines;
  lines.begin();
  lines = std::move(same);  // to itself
  if (std::string(*lines.begin()) != "4 5 6") wrong += "a line is lost or comes twice";
  riffle17::record_range moved = std::move(lines);
  wrong += not_refused("a loop over a range that was moved from", [&] { lines.begin(); });

  riffle17::reader in(path);
  riffle17::reader& same_reader = in;
  char byte = 0;
  in.get<char>();
  in = std::move(same_reader);
  riffle17::reader other = std::move(in);
  wrong += not_refused("a byte", [&] { in.get<char>(); });
  wrong += not_refused("some bytes", [&] { in.read_some(&byte, 1); });
  wrong += not_refused("bytes", [&] { in.read(&byte, 1); });
  wrong += not_refused("a line", [&] { in.line(); });
  wrong += not_refused("an end", [&] { in.at_end(); });
  for (riffle17::reader* each : {&in, &other}) {
    if (each->read_some(&byte, 0) + each->read(nullptr, 0) != 0) wrong += "bytes were taken into no room";
  }
  if (in.offset() != 0 || other.offset() != 1) wrong += "a reader stands elsewhere";
  return wrong;
}

}  // namespace

// Returns what is wrong with riffle17.hpp; an empty string if nothing is.
std::string faults_of_17(const std::string& path);

std::string faults_of_17(const std::string& path) {
  if (const std::string wrong = faults_of_moves(path); !wrong.empty()) return wrong;
  riffle17::read_options how;
  how.block_size = 5;
  riffle17::reader in(path, how);
  std::array<char, 7> some{};
  std::string all;
  all += in.bytes(3);
  all += in.get<char>();
  if (in.offset() != 4) return "the offset is wrong";
  try {
    in.bytes(1'000'000);
    return "more bytes were taken than there are";
  } catch (const riffle17::error& failure) {
    if (failure.code() != RIFFLE_UNEXPECTED_END || failure.offset() != 4U || failure.path() != path)
      return failure.what();
  }
  while (const std::size_t count = in.read_some(some.data(), some.size())) all.append(some.data(), count);
  if (!in.at_end() || in.line() || in.offset() != all.size()) return "the end is no end";
  const std::string bytes = "a\n\nb";
  riffle17::record_range of_memory = riffle17::lines(riffle17::input::memory(bytes));
  if (std::vector<std::string>(of_memory.begin(), of_memory.end()) != std::vector<std::string>{"a", "", "b"})
    return "the lines of memory are wrong";
  std::string lines;
  for (const std::string_view line : riffle17::lines(path)) (lines += line) += '\n';
  if (lines != all && lines != all + '\n') return "the bytes are wrong: " + all;
  try {
    riffle17::lines("/no such file");
    return "a file that is not there was opened";
  } catch (const std::exception& failure) {
    if (std::string(failure.what()).find("cannot open '/no such file'") != 0) return failure.what();
  }
  try {
    riffle17::lines(static_cast<const char*>(nullptr));
    return "a null path was opened";
  } catch (const riffle17::error& failure) {
    if (failure.code() != RIFFLE_INVALID_ARGUMENT) return failure.what();
  }
  return "";
}
