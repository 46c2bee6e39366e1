/// Makes an input of each kind, and reads one by splits.
#include "tests/support/inputs.hpp"

#include <riffle/mapped_file.hpp>
#include <riffle/parallel.hpp>

#include <array>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/support/files.hpp"

namespace riffle::test {

namespace {

using use_function = std::function<void(const input& from, std::uint64_t start)>;

std::string after_front(const contents& made) {
  return std::string(made.front).append(made.bytes);
}

// Calls `f` with the path of a file, and where the bytes begin in it.
template <class F>
void on_file(const contents& made, F f) {
  if (!made.file.empty()) return f(made.file, std::size_t{0});
  f(temporary_file(after_front(made)).path(), made.front.size());
}

// A stream buffer that gives its bytes in pieces of these sizes, over and over again. None is 0.
class piece_buffer : public std::streambuf {
 public:
  piece_buffer(std::string_view bytes, const std::vector<std::size_t>& sizes)
      : bytes_(bytes), sizes_(sizes) {}

 protected:
  int_type underflow() override {
    now_ = bytes_.substr(0, sizes_[place_++ % sizes_.size()]);
    bytes_.remove_prefix(now_.size());
    setg(now_.data(), now_.data(), now_.data() + now_.size());
    return now_.empty() ? traits_type::eof() : traits_type::to_int_type(now_.front());
  }
  std::streamsize showmanyc() override { return 0; }

 private:
  std::string_view bytes_;
  const std::vector<std::size_t>& sizes_;
  std::size_t place_ = 0;
  std::string now_;
};

void on_path(const contents& made, const use_function& use) {
  if (!made.file.empty()) return use(made.file, 0);
  use(temporary_file(made.bytes).path(), 0);
}

void on_descriptor(const contents& made, const use_function& use) {
  on_file(made, [&](const std::filesystem::path& file, std::size_t start) {
    use(open_at(file, start).get(), start);
  });
}

void on_stdio(const contents& made, const use_function& use) {
  on_file(made, [&](const std::filesystem::path& file, std::size_t start) {
    const stdio_file opened = open_stdio(file);
    for (std::size_t left = start; left != 0; --left) std::fgetc(opened.get());
    use(opened.get(), start);
  });
}

void on_file_stream(const contents& made, const use_function& use) {
  on_file(made, [&](const std::filesystem::path& file, std::size_t start) {
    std::ifstream opened(file, std::ios::binary);
    if (!opened) throw std::system_error(errno, std::generic_category(), "open");
    opened.ignore(static_cast<std::streamsize>(start));
    use(opened, start);
  });
}

void on_string_stream(const contents& made, const use_function& use) {
  std::istringstream opened(after_front(made));
  opened.ignore(static_cast<std::streamsize>(made.front.size()));
  use(opened, made.front.size());
}

void on_stream_in_pieces(const contents& made, const use_function& use) {
  piece_buffer buffer(made.bytes, made.pieces);
  std::istream opened(&buffer);
  use(opened, 0);
}

void on_mapped_file(const contents& made, const use_function& use) {
  on_path(made, [&](const input& path, std::uint64_t) {
    const mapped_file mapped(std::filesystem::path(path.name()));
    use(mapped, 0);
  });
}

template <bool blocks, bool after = false>
void on_pipe(const contents& made, const use_function& use) {
  const fed_pipe pipe(after ? after_front(made) : std::string(made.bytes), made.pieces.front());
  char taken = '\0';
  for (std::size_t left = after ? made.front.size() : 0; left != 0; --left)
    read_some(pipe.get(), {&taken, 1});
  if (!blocks) never_wait(pipe.get());
  use(pipe.get(), 0);
}

void on_socket(const contents& made, const use_function& use) {
  const auto ends = make_sockets();
  if (ends) use(fed_pipe(std::string(made.bytes), made.pieces.front(), *ends).get(), 0);
}

void on_object_at_offsets(const contents& made, const use_function& use) {
  const bytes_at_offsets object{std::string(made.bytes), made.pieces.front()};
  use(object, 0);
}

void on_object_in_order(const contents& made, const use_function& use) {
  bytes_in_order object{{std::string(made.bytes), made.pieces.front()}};
  use(object, 0);
}

constexpr auto table = std::to_array<kind_of_input>({
    {"path", input_kind::regular_file, kind_of_input::a_file, on_path},
    {"descriptor", input_kind::regular_file, kind_of_input::a_file, on_descriptor},
    {"FILE*", input_kind::file_pointer, kind_of_input::a_file, on_stdio},
    {"ifstream", input_kind::istream, kind_of_input::a_file, on_file_stream},
    {"mapped_file", input_kind::memory, kind_of_input::a_file, on_mapped_file},
    {"pipe", input_kind::stream, kind_of_input::descriptors, on_pipe<true>},
    {"pipe that does not block", input_kind::stream, kind_of_input::descriptors, on_pipe<false>},
    {"pipe after its front", input_kind::stream, kind_of_input::descriptors, on_pipe<true, true>},
    {"socket", input_kind::stream, kind_of_input::descriptors, on_socket},
    {"istringstream", input_kind::istream, kind_of_input::memory, on_string_stream},
    {"stream in pieces", input_kind::istream, kind_of_input::memory, on_stream_in_pieces},
    {"object at offsets", input_kind::object, kind_of_input::memory, on_object_at_offsets},
    {"object in order", input_kind::object, kind_of_input::memory, on_object_in_order},
    {"memory", input_kind::memory, kind_of_input::memory,
     [](const contents& made, const use_function& use) { use(riffle::memory(made.bytes), 0); }},
});

}  // namespace

std::span<const kind_of_input> kinds_of_input() {
  return table;
}

read_outcome read_splits(source from, const parallel_options& splitting) {
  read_outcome found;
  found.failure = error_of([&] {
    parallel_reduce_into(
        found.bytes, std::move(from), [](std::string_view split) { return std::string(split); },
        std::plus<>(), splitting);
  });
  return found;
}

}  // namespace riffle::test
