/// What reads on after an exception of a stream or an object, and doors that keep the contract of stdio and
/// zlib.
#include <riffle/riffle.hpp>
#include <riffle/riffle17.hpp>

#include "tests/support/compress.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/posix/ways.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

// What getline(3) gives: a line with its newline, whatever bytes are in it.
std::optional<std::string> next_line(std::FILE* from) {
  char* line = nullptr;
  std::size_t room = 0;
  const ssize_t size = getline(&line, &room, from);
  std::optional<std::string> copy;
  if (size >= 0) copy.emplace(line, static_cast<std::size_t>(size));
  std::free(line);
  return copy;
}

// Compares 60 calls.
void expect_the_same_calls(reader in, std::string text, unsigned seed) {
  const stdio_file same(fmemopen(text.data(), text.size(), "r"), std::fclose);
  std::mt19937 random(seed);
  char bytes[40];
  char other[40];
  for (int step = 0; step != 60; ++step) {
    const std::size_t room = random() % sizeof bytes;
    switch (random() % 5) {
      case 0: {  // fread, gzread: fewer only at the end
        const std::size_t count = std::fread(other, 1, room, same.get());
        ASSERT_EQ(in.read({bytes, room}), count) << step;
        ASSERT_EQ(std::string_view(bytes, count), std::string_view(other, count)) << step;
        break;
      }
      case 1: {  // getline(3), gzgets
        const auto expected = next_line(same.get());
        ASSERT_EQ(in.line({.keep_delimiter = true}), expected) << step;
        break;
      }
      case 2: {  // getc and ungetc, gzgetc and gzungetc
        const int byte = std::getc(same.get());
        ASSERT_EQ(in.at_end(), byte == EOF) << step;
        if (byte == EOF) break;
        ASSERT_EQ(in.get<char>(), static_cast<char>(byte)) << step;
        if (random() % 2 == 0) break;
        in.unread(1);
        std::ungetc(byte, same.get());
        break;
      }
      case 3: {  // gzseek forward
        const long place = std::ftell(same.get());
        const auto count = static_cast<long>(std::min(room, text.size() - static_cast<std::size_t>(place)));
        in.skip(static_cast<std::uint64_t>(count));
        std::fseek(same.get(), count, SEEK_CUR);
        break;
      }
      default: {  // gzeof
        const int byte = std::getc(same.get());
        ASSERT_EQ(in.at_end(), byte == EOF) << step;
        if (byte != EOF) std::ungetc(byte, same.get());
      }
    }
    ASSERT_EQ(in.offset(), static_cast<std::uint64_t>(std::ftell(same.get()))) << step;
  }
}

TEST(a_reader, does_what_the_calls_that_it_replaces_do) {
  if (const auto reason = missing(container_named("gzip"))) GTEST_SKIP() << *reason;
  for (unsigned seed = 0; seed != 40; ++seed) {
    std::string text = random_text(1 + seed * 7, seed, std::string_view("ab\r\n\n\0", 6));
    const temporary_file plain(text);
    const temporary_file compressed(in_members(container_named("gzip"), text, 50));
    for (std::size_t size = 0; size != 10; ++size) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", blocks of " + std::to_string(size));
      expect_the_same_calls(reader(plain.path(), {.block_size = size}), text, seed);
      expect_the_same_calls(reader(compressed.path(), {.block_size = size, .decode = decoding::gzip}), text,
                            seed);
      const fed_pipe pipe(text, 3);
      expect_the_same_calls(reader(pipe.get(), {.block_size = size}), text, seed);
      if (HasFatalFailure()) return;
    }
  }
}

// As kseq.h of klib: a read that gives fewer bytes than it may is the last one.
template <class Read>
std::uint64_t lines_of_a_parser(Read read) {
  std::vector<char> buffer(16384);
  std::uint64_t lines = 0;
  for (bool ended = false; !ended;) {
    const std::size_t count = read(buffer.data(), buffer.size());
    ended = count < buffer.size();
    lines += static_cast<std::uint64_t>(std::count(buffer.data(), buffer.data() + count, '\n'));
  }
  return lines;
}

TEST(a_reader, fills_the_buffer_of_a_parser_that_takes_a_short_read_for_the_end) {
  if (const auto reason = missing(container_named("gzip"))) GTEST_SKIP() << *reason;
  constexpr std::uint64_t lines = 1'500'000;
  const temporary_file file(in_members(container_named("gzip"), numbered_lines(lines), 700'000));
  reader in(file.path(), {.decode = decoding::automatic});
  EXPECT_EQ(lines_of_a_parser([&](char* into, std::size_t room) { return in.read({into, room}); }), lines);
  riffle_records* opened = nullptr;
  riffle_error failure;
  ASSERT_EQ(riffle_open(file.path().c_str(), &opened, &failure), RIFFLE_OK) << failure.message;
  EXPECT_EQ(lines_of_a_parser([&](char* into, std::size_t room) {
              std::size_t count = 0;
              EXPECT_EQ(riffle_read(opened, into, room, &count, &failure), RIFFLE_OK) << failure.message;
              return count;
            }),
            lines);
  riffle_records_close(&opened);
  riffle17::read_options how;
  how.decode = RIFFLE_DECODE_AUTOMATIC;
  riffle17::reader by_17(file.path().string(), how);
  EXPECT_EQ(lines_of_a_parser([&](char* into, std::size_t room) { return by_17.read(into, room); }), lines);
}

// A cut file gives its bytes, and then the error; zlib's gzread then returns 0, as at the end.
TEST(a_reader, that_fails_has_filled_the_buffer_up_to_the_failure) {
  if (const auto reason = missing(container_named("gzip"))) GTEST_SKIP() << *reason;
  const std::string text = numbered_lines(20'000);
  const std::string whole = in_members(container_named("gzip"), text, 5000);
  const memory cut(std::string_view(whole).substr(0, whole.size() / 2));
  std::string bytes(text.size(), '?');
  reader in(cut, {.block_size = 1000, .decode = decoding::gzip});
  EXPECT_EQ(code_of([&] { in.read(bytes); }), errc::unexpected_end);
  EXPECT_GT(in.offset(), text.size() / 4);
  EXPECT_EQ(bytes.substr(0, in.offset()), text.substr(0, in.offset()));
  EXPECT_EQ(bytes[in.offset()], '?');
  EXPECT_EQ(code_of([&] { in.read(bytes); }), errc::unexpected_end) << "it fails again";
}

// The pages of a mapping that a cut file has lost read as zeros.
TEST(a_reader, of_a_file_that_was_cut_copies_no_byte_that_it_lacks) {
  const std::string text(3'000'000, 'x');
  const auto expect_none = [&](const char* door, auto&& open) {
    const temporary_file file(text);
    const auto read = open(file.path());
    char into[1000];
    EXPECT_EQ(read(into), 1000U) << door;
    std::filesystem::resize_file(file.path(), 500);
    EXPECT_EQ(read(into), 0U) << door << ": the error is to come before bytes of the lost page";
  };
  expect_none("reader", [](const std::filesystem::path& path) {
    return [in = std::make_shared<reader>(path, read_options{.method = method::mmap})](std::span<char> into) {
      std::size_t count = 0;
      return code_of([&] { count = in->read(into); }) == errc::truncated ? 0 : count;
    };
  });
  expect_none("riffle_read", [](const std::filesystem::path& path) {
    riffle17::read_options how;
    how.method = RIFFLE_METHOD_MMAP;
    riffle_records* opened = nullptr;
    riffle_error failure;
    const riffle17::input from(path.string());
    EXPECT_EQ(riffle_blocks_open(from.handle(), &how, &opened, &failure), RIFFLE_OK) << failure.message;
    const auto close = [](riffle_records* records) { riffle_records_close(&records); };
    return [in = std::shared_ptr<riffle_records>(opened, close)](std::span<char> into) {
      std::size_t count = 0;
      riffle_error cut;
      EXPECT_LE(riffle_read(in.get(), into.data(), into.size(), &count, &cut), RIFFLE_TRUNCATED)
          << cut.message;
      return count;
    };
  });
}

struct interruption {};

// Gives a few bytes at a time, and throws once.
template <class Object>
class interrupted_object {
 public:
  interrupted_object(const std::string& bytes, std::size_t piece, std::size_t at)
      : at_(at), object_{bytes_at_offsets{bytes, piece, [this] {
                                            if (++calls_ == at_) throw interruption();
                                          }}} {}
  bool has_thrown() const { return calls_ >= at_; }
  riffle::input input() { return object_; }

 private:
  std::atomic<std::size_t> calls_ = 0;
  std::size_t at_;  // the call that throws
  Object object_;
};

const std::string text = "a,b c\nde,f gh i\n\nlast,line of 56 bytes, and with an end\n";

// Reads until each call has thrown once.
template <class Bytes>
void expect_all_bytes(const std::string& compressed, std::size_t piece, const way& how, decoding format) {
  const std::string expected = how.truth(text);
  for (std::size_t at = 1;; ++at) {
    SCOPED_TRACE(std::string(how.name) + ", call " + std::to_string(at) + ", " +
                 std::string(name_of(format)));
    Bytes bytes(compressed, piece, at);
    delivery got{.reading = {.block_size = piece, .queue_depth = 3, .decode = format}, .truth = expected};
    bool met = false;
    try {
      how.read(bytes.input(), got);
    } catch (const interruption&) {
      met = true;
    }
    EXPECT_EQ(met, bytes.has_thrown());
    EXPECT_EQ(got.wrong, "");
    EXPECT_TRUE(expected.starts_with(got.bytes));
    if (!met || got.goes_on) {
      EXPECT_EQ(got.bytes, expected);
    }
    if (!met || testing::Test::HasFailure()) return;
  }
}

void expect_all_bytes(const std::string& compressed, std::size_t piece, const way& how, decoding format) {
  expect_all_bytes<interrupted_object<bytes_in_stream>>(compressed, piece, how, format);
  expect_all_bytes<interrupted_object<bytes_in_order>>(compressed, piece, how, format);
  expect_all_bytes<interrupted_object<bytes_at_offsets>>(compressed, piece, how, format);
}

EACH_CONTAINER(each_interrupted);

// What stands between members is passed in steps too.
TEST_P(each_interrupted, stream_loses_no_byte) {
  const bool skips = GetParam().format == decoding::zstd || GetParam().format == decoding::lz4;
  const std::string frame = skips ? skippable_frame("twenty bytes of this") : "";
  const std::string members =
      frame + member(text.substr(0, 20)) + std::string(44, '\0') + frame + member(text.substr(20)) + frame;
  for (const way& how : ways()) {
    expect_all_bytes(members, 20, how, GetParam().format);
    if (GetParam().format != decoding::zlib) expect_all_bytes(members, 20, how, decoding::automatic);
  }
}

TEST(an_interrupted_stream, of_plain_bytes_loses_none) {
  for (const way& how : ways()) {
    for (const decoding format : {decoding::none, decoding::automatic}) {
      for (const std::size_t piece : {1U, 5U, 100U}) expect_all_bytes(text, piece, how, format);
    }
  }
}

// The mark is looked for in as many blocks as it takes.
TEST(an_interrupted_stream, of_rows_loses_none_of_a_byte_order_mark) {
  for (const std::string front : {"\xEF\xBB\xBF", "\xEF\xBB", "\xEF", ""}) {
    for (std::size_t at = 1; at != 9; ++at) {
      interrupted_object<bytes_in_stream> buffer(front + "a,b\nc,d\n", 1, at);
      row_range all = rows(buffer.input(), plain);
      std::string found;
      const auto read = [&] {
        for (const row fields : all) found.append(fields[0]).append(fields[1]);
      };
      EXPECT_THROW(read(), interruption);
      read();
      EXPECT_EQ(found, (front.size() == 3 ? "" : front) + "abcd") << front.size() << ", " << at;
    }
  }
}

// Reads an input whose calls throw once, each in turn, in pieces of any size, and goes on.
template <auto make, auto deliver>
void expect_the_same(const std::string& bytes) {
  std::string expected;
  for (const auto& record : make(memory(bytes), {})) deliver(expected, record);
  for (std::size_t piece = 1; piece != bytes.size() + 2; ++piece) {
    bool met = true;
    for (std::size_t at = 1; met; ++at) {
      interrupted_object<bytes_in_order> object(bytes, piece, at);
      met = false;
      std::string found;
      auto range = make(object.input(), {.block_size = piece});
      const auto read = [&] {
        for (const auto& record : range) deliver(found, record);
      };
      try {
        read();
      } catch (const interruption&) {
        met = true;
        read();
      }
      ASSERT_EQ(found, expected) << piece << ", " << at;
    }
  }
}

TEST(an_interrupted_stream, of_numbers_and_sequences_loses_none) {
  expect_the_same<[](const input& from, const read_options& how) { return numbers<int>(from, how); },
                  [](std::string& to, int number) { to += std::to_string(number) + ';'; }>(
      " 12 -345\n\n+6789\t1 22 ");
  expect_the_same<[](const input& from, const read_options& how) { return fastq(from, {}, how); },
                  [](std::string& to, const fastq_record& read) {
                    to.append(read.name).append(read.sequence).append(read.quality) += ';';
                  }>("@a 1\nACGT\n+\nIIII\n@b\r\nAC\r\n+b\r\n@@\r\n@c\nA\n+\n@");
  expect_the_same<[](const input& from, const read_options& how) { return fasta(from, {}, how); },
                  [](std::string& to, const fasta_record& each) {
                    to.append(each.name).append(each.sequence) += ';';
                  }>(">a 1\nACGT\nAC\n>b\n\n>c\r\nACG\r\nT\r\n>d\nA");
}

}  // namespace
}  // namespace riffle::test
