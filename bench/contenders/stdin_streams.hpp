/// `sync_with_stdio` concerns std::cin alone and cannot be undone, so these streams are built on the
/// same stream buffers that libstdc++ puts under std::cin before and after sync_with_stdio(false).
#ifndef RIFFLE_BENCH_CONTENDERS_STDIN_STREAMS_HPP
#define RIFFLE_BENCH_CONTENDERS_STDIN_STREAMS_HPP

#include <ext/stdio_filebuf.h>
#include <ext/stdio_sync_filebuf.h>

#include <filesystem>
#include <istream>

#include "bench/contenders/raw_input.hpp"

namespace riffle::bench {

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

}  // namespace riffle::bench

#endif
