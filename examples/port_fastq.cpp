/// Counts the reads, bases and G and C of FASTQ by a parser with a buffer of its own, as tools of sequencing
/// do: `port_fastq before|after FILE`, which may be compressed, by zlib's `gzread` or by `reader::read`.
#include <zlib.h>

#include <cstring>
#include <iostream>
#include <memory>
#include <riffle/reader.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct counts {
  std::uint64_t reads = 0;
  std::uint64_t bases = 0;
  std::uint64_t gc = 0;
};

/// Takes lines out of its buffer, which `Fill` fills: `fill(buffer, size)` returns the number of bytes, 0 at
/// the end.
template <class Fill>
class parser {
 public:
  explicit parser(Fill fill) : fill_(fill), buffer_(1 << 18) {}

  counts parse() {
    counts found;
    while (take_line()) {
      if (!line_.starts_with('@') || !take_line())
        throw std::runtime_error("a read is cut or does not start with @");
      ++found.reads;
      found.bases += line_.size();
      for (const char base : line_) found.gc += base == 'G' || base == 'C' ? 1U : 0U;
      if (!take_line() || !take_line()) throw std::runtime_error("a read without qualities");
    }
    return found;
  }

 private:
  bool take_line() {
    line_.clear();
    while (true) {
      if (at_ == end_) {
        at_ = 0;
        end_ = fill_(buffer_.data(), buffer_.size());
        if (end_ == 0) return !line_.empty();
      }
      const char* const start = buffer_.data() + at_;
      const auto* const newline = static_cast<const char*>(std::memchr(start, '\n', end_ - at_));
      line_.append(start, newline == nullptr ? end_ - at_ : static_cast<std::size_t>(newline - start));
      at_ = newline == nullptr ? end_ : static_cast<std::size_t>(newline - buffer_.data()) + 1;
      if (newline != nullptr) return true;
    }
  }

  Fill fill_;
  std::vector<char> buffer_;
  std::size_t at_ = 0;
  std::size_t end_ = 0;
  std::string line_;
};

counts before(const char* path) {
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path, "rb"), gzclose);
  if (file == nullptr) throw std::runtime_error("cannot open " + std::string(path));
  parser in([&](char* into, std::size_t room) {
    const int count = gzread(file.get(), into, static_cast<unsigned>(room));
    int failure = Z_OK;
    gzerror(file.get(), &failure);
    if (count < 0 || failure == Z_BUF_ERROR) throw std::runtime_error("cannot read " + std::string(path));
    return static_cast<std::size_t>(count);
  });
  return in.parse();
}

counts after(const char* path) {
  riffle::reader file(path, {.decode = riffle::decoding::automatic});
  parser in([&](char* into, std::size_t room) { return file.read({into, room}); });
  return in.parse();
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3) throw std::invalid_argument("usage: port_fastq before|after FILE");
  const counts found = argv[1] == std::string("before") ? before(argv[2]) : after(argv[2]);
  std::cout << found.reads << ' ' << found.bases << ' ' << found.gc << '\n';
} catch (const std::exception& failure) {
  std::cerr << "port_fastq: " << failure.what() << '\n';
  return 1;
}
