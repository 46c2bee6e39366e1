/// `sync_with_stdio` concerns std::cin alone and cannot be undone, so these streams are built on the
/// same stream buffers that libstdc++ puts under std::cin before and after sync_with_stdio(false).
#ifndef RIFFLE_BENCH_CONTENDERS_STDIN_STREAMS_HPP
#define RIFFLE_BENCH_CONTENDERS_STDIN_STREAMS_HPP

#include <filesystem>
#include <istream>
#include <optional>
#include <string>

#if __has_include(<ext/stdio_filebuf.h>)
#include <ext/stdio_filebuf.h>
#include <ext/stdio_sync_filebuf.h>
#else
#include <fstream>
#endif

#include "bench/contenders/raw_input.hpp"
#include "bench/data/contender.hpp"

namespace riffle::bench {

#if __has_include(<ext/stdio_filebuf.h>)

/// Reads as std::cin does at first: every byte by getc on a FILE.
class synced_stream {
 public:
  explicit synced_stream(const std::filesystem::path& path)
      : file_(path), buffer_(file_.get()), in_(&buffer_) {}
  std::istream& stream() { return in_; }
  void check() const { file_.check(); }

 private:
  stdio_file file_;
  __gnu_cxx::stdio_sync_filebuf<char> buffer_;
  std::istream in_;
};

/// Reads as std::cin does after sync_with_stdio(false): read(2) into a buffer of its own.
class unsynced_stream {
 public:
  explicit unsynced_stream(const std::filesystem::path& path)
      : file_(path), buffer_(file_.get(), std::ios::in | std::ios::binary), in_(&buffer_) {}
  std::istream& stream() { return in_; }
  void check() const { file_.check(); }

 private:
  stdio_file file_;
  __gnu_cxx::stdio_filebuf<char> buffer_;
  std::istream in_;
};

/// For `row::unavailable`: the streams are there.
inline std::optional<std::string> no_stdin_streams(input_files) {
  return std::nullopt;
}

#else

/// Other libraries do not open those stream buffers to programs. Nothing reads these.
class synced_stream {
 public:
  explicit synced_stream(const std::filesystem::path& path) : path_(path), in_(open_ifstream(path)) {}
  std::istream& stream() { return in_; }
  void check() const { bench::check(in_, path_); }

 private:
  const std::filesystem::path& path_;
  std::ifstream in_;
};
using unsynced_stream = synced_stream;

inline std::optional<std::string> no_stdin_streams(input_files) {
  return "riffle was not built with libstdc++, whose std::cin this is";
}

#endif

}  // namespace riffle::bench

#endif
