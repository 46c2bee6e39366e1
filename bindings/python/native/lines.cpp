/// Defines riffle_io.lines and its iterator, whose step is a slot of the type: a call of a method would cost
/// more.
#include "bindings/python/native/lines.hpp"

#include <nanobind/stl/string.h>

#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "bindings/python/native/errors.hpp"
#include "bindings/python/native/garbage.hpp"
#include "bindings/python/native/gil.hpp"
#include "bindings/python/native/parts.hpp"
#include "bindings/python/native/reading.hpp"

namespace nb = nanobind;

namespace riffle::python {

namespace {

// The other threads run on while a FIFO waits for its writer, or the start of a split is looked for.
source opened_without_gil(const input& from, const read_options& reading) {
  std::optional<source> opened;
  const std::exception_ptr failure = without_gil([&] { opened.emplace(from, reading); });
  if (failure != nullptr) std::rethrow_exception(failure);
  return *std::move(opened);
}

// Whether other bytes of the text stand before. The offsets of a decoded split start at 0.
bool starts_inside(const input& from, const source& opened) {
  const auto* const part = std::get_if<detail::split_records>(&from.where());
  return opened.start() != 0 || (part != nullptr && part->split.begin != 0);
}

}  // namespace

opened_lines::opened_lines(python_input from, const line_options& lines, const read_options& reading,
                           decoder text)
    : input(std::move(from)),
      signals(std::make_unique<signal_checks>()),
      source(opened_without_gil(input.get(), signals->in(reading))),
      options(lines),
      decode(std::move(text)) {
  if (starts_inside(input.get(), source)) decode.start_inside();
}

opened_lines python_lines::take() {
  if (given_ || lines_ || reading_)
    raise(PyExc_ValueError, "these lines were already read, or are being read");
  given_ = true;
  return std::move(opened_);
}

void python_lines::give_up() {
  given_ = true;
  ready_ = false;
  lines_.reset();
  const opened_lines unused = std::move(opened_);
}

bool python_lines::next_block() {
  if (given_ || reading_) {
    PyErr_SetString(PyExc_ValueError,
                    given_ ? "these lines were given away" : "another thread is reading these lines");
    return false;
  }
  ready_ = false;
  reading_ = true;
  opened_.signals->follow_this_thread();
  bool more = false;
  const auto advance = [&] {
    if (!lines_) at_ = lines_.emplace(std::move(opened_.source), opened_.options).resume();
    more = lines_->advance(at_);
  };
  // Memory makes nobody wait. To give up the GIL every few microseconds would starve the other threads: each
  // time it wakes them, and is taken again before they run.
  const std::exception_ptr failure = in_memory_ ? failure_of(advance) : without_gil(advance);
  reading_ = false;
  ready_ = lines_.has_value();
  if (failure != nullptr) set_python_error(failure);
  return more;
}

namespace {

PyObject* iterate(PyObject* self) {
  Py_INCREF(self);
  return self;
}

PyObject* next(PyObject* self) {
  try {
    return nb::inst_ptr<python_lines>(self)->next();
  } catch (const error&) {  // a line of the block is too long
    set_python_error(std::current_exception());
    return nullptr;
  }
}

PyType_Slot slots[] = {{Py_tp_iter, reinterpret_cast<void*>(iterate)},
                       {Py_tp_iternext, reinterpret_cast<void*>(next)},
                       {Py_tp_traverse, reinterpret_cast<void*>(traverse<python_lines>)},
                       {Py_tp_clear, reinterpret_cast<void*>(clear<python_lines>)},
                       {Py_tp_new, reinterpret_cast<void*>(refuse_new)},
                       {0, nullptr}};

python_lines* lines(const read_options& reading, const source_object& source, const nb::bytes& delimiter,
                    bool keep, std::optional<std::string> encoding, const std::string& errors, bool strip_cr,
                    std::optional<std::size_t> max_length) {
  line_options options{.delimiter = delimiter_of(delimiter), .keep_delimiter = keep, .strip_cr = strip_cr};
  if (max_length) options.max_length = *max_length;
  decoder text;
  if (encoding) text = decoder(*encoding, errors, options.delimiter);
  return new python_lines({python_input(source, reading.method, {.delimiter = options.delimiter}), options,
                           reading, std::move(text)});
}

constexpr const char* about_lines =
    R"(Returns an iterator over the lines of an input: bytes, or str if encoding is set.

source is a path (str or os.PathLike), an open descriptor, a file object in binary mode, or an object with the
buffer protocol, such as bytes, whose bytes are read. riffle_io closes nothing that you opened.

delimiter is the one byte that ends a line. keep leaves it in the line. strip_cr drops one CR before it.
encoding and errors mean what they mean to open(). max_length is the longest line accepted, in bytes. method
names how a file is read, and block_size the bytes to read at a time: by default riffle chooses both.

decode names the format of a compressed source: "gzip", "zlib", "zstd", "xz", "bzip2", "lz4", or "automatic"
for the one that its first bytes show, if any. riffle then decodes it in threads of its own, and the offset of
an error counts decoded bytes. max_size is the most decoded bytes that it hands out before it raises.

Raises RiffleError, an OSError, if the source cannot be opened or read, and for a line over max_length. The
lines before a failure were right.)";

constexpr const char* about_class = R"(Iterates over the lines of an input, once. riffle_io.lines makes it.

After a break, the next loop continues behind the last line. The GIL is released while a block is read; a
second thread that asks meanwhile gets a ValueError.)";

}  // namespace

void register_lines(nb::module_& module) {
  nb::class_<python_lines>(module, "Lines", nb::type_slots(slots), about_class);
  define_reading(module, "lines", lines, about_lines, nb::arg("delimiter") = nb::bytes("\n", 1),
                 nb::arg("keep") = false, nb::kw_only(), nb::arg("encoding") = nb::none(),
                 nb::arg("errors") = "strict", nb::arg("strip_cr") = false,
                 nb::arg("max_length") = nb::none());
}

}  // namespace riffle::python
