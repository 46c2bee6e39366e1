/// A record is handed out as soon as its bytes are there, from every input that waits for a writer.
#include <unistd.h>
#include <riffle/riffle.hpp>

#include <condition_variable>

#include "tests/support/posix/ways.hpp"
#include "tests/support/support.hpp"

#if __has_include(<ext/stdio_sync_filebuf.h>)
#include <ext/stdio_filebuf.h>
#include <ext/stdio_sync_filebuf.h>
#endif

namespace riffle::test {
namespace {

// One record of every kind: a line, a word, a row, a number, four bytes. A terminal hands on whole lines.
constexpr std::string_view record = "abc\n";
constexpr unsigned records = 5;

// Both ends of what a record goes through.
struct live_input : open_pipe {
  using open_pipe::open_pipe;

  void write(std::string_view bytes) const {
    if (write_some(writing.get(), bytes) != static_cast<std::ptrdiff_t>(bytes.size()))
      ADD_FAILURE() << "write";
  }
  void end() {
    if (terminal) return write("\4\4");  // what holds a record back meets two ends
    writing.close();
  }

  bool terminal = false;
  std::unique_ptr<temporary_directory> directory = {};
  std::shared_ptr<void> stream = {};  // that reads `reading`
  std::shared_ptr<std::istream> in = {};
  std::optional<input> from = {};
};
using live = std::unique_ptr<live_input>;

live on(std::optional<std::pair<int, int>> ends) {
  return ends ? std::make_unique<live_input>(*ends) : nullptr;
}
live with_descriptor(live made) {
  if (made) made->from.emplace(made->reading.get());
  return made;
}
live on_terminal() {
  const auto ends = make_terminal();
  live made = ends ? on(std::pair(ends->second, ends->first)) : nullptr;
  if (made) made->terminal = true;
  return made;
}
live on_fifo() {
  auto directory = std::make_unique<temporary_directory>();
  const std::filesystem::path path = directory->path() / "fifo";
  if (!make_fifo(path)) return nullptr;
  int reading = -1;
  std::jthread opening([&] { reading = test::open_to_read(path); });
  const int writing = test::open_to_write(path);
  opening.join();
  live made = on(std::pair(reading, writing));
  made->directory = std::move(directory);
  made->from.emplace(path);
  return made;
}

std::FILE* stdio_of(const live_input& made) {
  return ::fdopen(::dup(made.reading.get()), "rb");
}
live with_stdio(live made, int buffering = _IOFBF) {
  if (!made) return nullptr;
  std::FILE* const stream = stdio_of(*made);
  std::setvbuf(stream, nullptr, buffering, 4096);
  made->stream =
      std::shared_ptr<void>(stream, [](void* opened) { std::fclose(static_cast<std::FILE*>(opened)); });
  made->from.emplace(stream);
  return made;
}

template <class Buffer, class... From>
live with_buffer(live made, From... from) {
  if (!made) return nullptr;
  auto buffer = std::make_shared<Buffer>(from...);
  made->in = std::make_shared<std::istream>(buffer.get());
  made->stream = std::move(buffer);
  made->from.emplace(*made->in);
  return made;
}

// As a program's own stream on a socket.
class small_buffer : public std::streambuf {
 public:
  explicit small_buffer(int descriptor) : descriptor_(descriptor) {}

 private:
  int_type underflow() override {
    const ssize_t count = ::read(descriptor_, bytes_.data(), bytes_.size());
    if (count <= 0) return traits_type::eof();
    setg(bytes_.data(), bytes_.data(), bytes_.data() + count);
    return traits_type::to_int_type(bytes_[0]);
  }
  int descriptor_;
  std::array<char, 3> bytes_;
};

struct input_case {
  std::string name;
  input_kind kind;
  std::function<live()> make;
};

#if __has_include(<ext/stdio_sync_filebuf.h>)

// Those of libstdc++. A std::ifstream of libc++ fills its buffer, and its std::cin cannot be made anew.
std::vector<input_case> library_inputs() {
  return {
      {"a synchronised std::cin", input_kind::istream,
       [] {
         live made = with_stdio(on(make_pipe()));
         auto* const stream = static_cast<std::FILE*>(made->stream.get());
         const std::shared_ptr<void> opened = made->stream;
         made = with_buffer<__gnu_cxx::stdio_sync_filebuf<char>>(std::move(made), stream);
         made->stream = std::shared_ptr<void>(made->stream.get(), [opened, buffer = made->stream](void*) {});
         return made;
       }},
      {"std::ifstream of a terminal", input_kind::istream,
       [] {
         live made = on_terminal();
         if (!made) return made;
         const int descriptor = ::dup(made->reading.get());
         return with_buffer<__gnu_cxx::stdio_filebuf<char>>(std::move(made), descriptor, std::ios::in);
       }},
  };
}

#else

std::vector<input_case> library_inputs() {
  return {};
}

#endif

std::vector<input_case> live_inputs() {
  std::vector<input_case> all{
      {"pipe", input_kind::stream, [] { return with_descriptor(on(make_pipe())); }},
      {"socket", input_kind::stream, [] { return with_descriptor(on(make_sockets())); }},
      {"terminal", input_kind::stream, [] { return with_descriptor(on_terminal()); }},
      {"fifo", input_kind::stream, on_fifo},
      {"FILE* of a pipe", input_kind::file_pointer, [] { return with_stdio(on(make_pipe())); }},
      {"FILE* of a socket", input_kind::file_pointer, [] { return with_stdio(on(make_sockets())); }},
      {"FILE* of a terminal", input_kind::file_pointer, [] { return with_stdio(on_terminal()); }},
      {"FILE* without a buffer", input_kind::file_pointer,
       [] { return with_stdio(on(make_pipe()), _IONBF); }},
      {"a stream of one's own", input_kind::istream,
       [] {
         live made = on(make_pipe());
         const int descriptor = made->reading.get();
         return with_buffer<small_buffer>(std::move(made), descriptor);
       }},
  };
  std::ranges::copy(library_inputs(), std::back_inserter(all));
  return all;
}

constexpr std::size_t own_stream = 8;

// Calls `late` unless it is destroyed before.
class limit {
 public:
  explicit limit(std::function<void()> late)
      : thread_([this, late = std::move(late)] {
          std::unique_lock lock(mutex_);
          if (!stopped_.wait_for(lock, std::chrono::seconds(10), [this] { return stop_; })) late();
        }) {}
  ~limit() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    stopped_.notify_one();
  }

 private:
  std::mutex mutex_;
  std::condition_variable stopped_;
  bool stop_ = false;
  std::jthread thread_;
};

// The next record is written after the last one came. What waits for more gets its end late.
void expect_live(live_input& ends, const way& how, method used) {
  const std::size_t size = how.truth(record).size();
  std::atomic<bool> late = false;
  unsigned came = 0;
  const limit hanging([&] {
    late = true;
    ends.end();
  });
  ends.write(record);
  delivery got{.reading = {.method = used}, .step = record.size() - 1, .tries_again = false};
  got.each = [&] {
    while (came < got.bytes.size() / size) {
      if (++came == records) return ends.end();
      if (!late) ends.write(record);
    }
  };
  how.read(*ends.from, got);
  EXPECT_EQ(got.bytes + got.wrong, how.truth("abc\nabc\nabc\nabc\nabc\n"));
  EXPECT_FALSE(late) << "held back";
}

class each_live_input : public testing::TestWithParam<std::size_t> {};

TEST_P(each_live_input, gives_a_record_as_soon_as_its_bytes_are_there) {
  const input_case tested = live_inputs()[GetParam()];
  for (const method used : usable_methods(tested.kind)) {
    for (const way& how : ways()) {
      if (how.at_once || how.unit > record.size() || how.truth(record).empty()) continue;
      SCOPED_TRACE(tested.name + ", " + std::string(name_of(used)) + ", " + std::string(how.name));
      const live ends = tested.make();
      if (!ends) GTEST_SKIP() << "this system has no descriptor for it";
      expect_live(*ends, how, used);
      if (HasFailure()) return;  // the others would take as long
    }
  }
}

std::string joined_lines(const input& from) {
  std::string all;
  for (const std::string_view line : lines(from)) all.append(line).append(";");
  return all;
}

TEST(bytes_that_were_pushed_back, come_first_from_a_pipe_and_from_a_file) {
  const temporary_file file("xab\ncd\n");
  for (const bool piped : {true, false}) {
    const fed_pipe pipe(file.contents());
    std::FILE* const stream = ::fdopen(piped ? ::dup(pipe.get()) : test::open_to_read(file.path()), "rb");
    ASSERT_EQ(std::getc(stream), 'x');
    ASSERT_EQ(std::ungetc('y', stream), 'y');
    EXPECT_EQ(joined_lines(stream), "yab;cd;") << piped;
    EXPECT_NE(std::feof(stream), 0);
    EXPECT_EQ(std::ftell(stream), piped ? -1 : 7);
    std::fclose(stream);
  }
  const live ends = live_inputs()[own_stream].make();
  ends->write("xab\ncd\n");
  ends->end();
  ASSERT_EQ(ends->in->get(), 'x');
  ASSERT_TRUE(ends->in->putback('x'));
  EXPECT_EQ(joined_lines(*ends->from), "xab;cd;");
  EXPECT_TRUE(ends->in->eof());
  std::ifstream opened(file.path(), std::ios::binary);
  ASSERT_EQ(opened.get(), 'x');
  ASSERT_TRUE(opened.unget());
  EXPECT_EQ(joined_lines(opened), "xab;cd;");
  opened.clear();
  EXPECT_EQ(opened.tellg(), 7);
}

INSTANTIATE_TEST_SUITE_P(inputs, each_live_input, testing::Range<std::size_t>(0, live_inputs().size()));

}  // namespace
}  // namespace riffle::test
