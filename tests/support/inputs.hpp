/// The table of kinds of input, over which the tests, riffle-torture and the fuzz targets loop.
#pragma once

#include <riffle/input.hpp>
#include <riffle/options.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <istream>
#include <span>
#include <streambuf>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/reading.hpp"

namespace riffle::test {

/// The bytes as a stream. What `before` throws passes through it.
class bytes_in_stream : public std::istream {
 public:
  explicit bytes_in_stream(bytes_at_offsets all) : std::istream(nullptr), buffer_(std::move(all)) {
    rdbuf(&buffer_);
  }

 private:
  class buffer : public std::streambuf {
   public:
    explicit buffer(bytes_at_offsets all) : all_{std::move(all)} {}

   private:
    int_type underflow() override {
      setg(now_.data(), now_.data(), now_.data() + all_.read(now_));
      return gptr() == egptr() ? traits_type::eof() : traits_type::to_int_type(*gptr());
    }
    bytes_in_order all_;
    std::vector<char> now_ = std::vector<char>(std::size_t{1} << 16U);
  } buffer_;
};

/// What an input holds, and how it gives that.
struct contents {
  std::string_view bytes = {};
  std::string_view front = "other bytes";  // are taken before riffle reads, if the kind has a position
  std::filesystem::path file = {};         // has the bytes already; without it a file is made of them
  std::vector<std::size_t> pieces{1000};   // so many bytes come at a time, over and over
};

/// A kind of input. `open` makes one, and calls `use` with it and with the offset at which the bytes begin.
struct kind_of_input {
  std::string_view name;
  input_kind kind;
  enum : std::uint8_t { a_file, descriptors, memory } made_of;  // what it takes of the system
  void (*open)(const contents& made, const std::function<void(const input& from, std::uint64_t start)>& use);
};

/// Returns all of them; the first is a path.
std::span<const kind_of_input> kinds_of_input();

}  // namespace riffle::test
