/// Defines riffle_io.lines and its iterator, whose step is a slot of the type: a call of a method would cost
/// more.
#include "bindings/python/native/lines.hpp"

#include <nanobind/stl/optional.h>
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
bool starts_inside(const python_input& from, const source& opened) {
  const auto* const part = std::get_if<detail::split_records>(&from.get().where());
  return from.starts_inside() || opened.start() != 0 || (part != nullptr && part->split.begin != 0);
}

// A path has a `name` too, without its folder.
std::string name_of(nb::handle from, const source& opened) {
  const bool reads = nb::hasattr(from, "read") || nb::hasattr(from, "readinto");
  const nb::object name = reads ? nb::getattr(from, "name", nb::none()) : nb::none();
  return PyUnicode_Check(name.ptr()) ? bytes_of_path(name) : opened.name();
}

}  // namespace

opened_lines::opened_lines(nb::handle from, const line_options& lines, const read_options& reading)
    : input(from, reading.method, {.delimiter = lines.delimiter}),
      signals(std::make_unique<signal_checks>()),
      source(opened_without_gil(input.get(), signals->in(reading))),
      name(name_of(from, source)),
      inside(starts_inside(input, source)),
      in_memory(source.kind() == input_kind::memory && source.seekable()) {}

source_chain::source_chain(nb::list sources, const line_options& lines, const read_options& reading)
    : sources_(std::move(sources)), size_(nb::len(sources_)), lines_(lines), reading_(reading) {}

opened_lines source_chain::open() {
  opened_lines opened(sources_[next_], lines_, reading_);
  ++next_;
  return opened;
}

int source_chain::visit(visitproc visit, void* arg) const {
  Py_VISIT(sources_.ptr());
  return 0;
}

python_lines::python_lines(source_chain sources, decoder text)
    : sources_(std::move(sources)), decode_(std::move(text)) {
  if (!sources_.more()) return;
  begin(sources_.open());
  name_ = file_->name;
}

void python_lines::begin(opened_lines opened) {
  lines_.reset();
  file_.emplace(std::move(opened));
  decode_.start(file_->inside);
}

std::optional<std::uint64_t> python_lines::offset() {
  return ready_ && at_.record.data() != nullptr ? lines_->offset_of(at_.record) : offset_;
}

void python_lines::require_open() const {
  if (reading_) raise(PyExc_ValueError, "another thread is reading these lines");
  if (state_ == state::closed) raise(PyExc_ValueError, "these lines are closed");
  if (state_ == state::given_away) raise(PyExc_ValueError, "these lines were given away");
}

void python_lines::close() {
  if (reading_) raise(PyExc_ValueError, "cannot close these lines: another thread is reading them");
  leave_line();
  give_up();
  state_ = state::closed;
}

std::pair<std::optional<opened_lines>, source_chain> python_lines::take() {
  require_open();
  if (lines_ || offset_) raise(PyExc_ValueError, "these lines were already read");
  state_ = state::given_away;
  return {std::exchange(file_, std::nullopt), sources_};
}

int python_lines::visit(visitproc visit, void* arg) const {
  if (const int result = sources_.visit(visit, arg); result != 0) return result;
  return file_ ? file_->input.visit(visit, arg) : 0;
}

void python_lines::give_up() noexcept {
  state_ = state::given_away;
  ready_ = false;
  lines_.reset();
  const std::optional<opened_lines> unused = std::exchange(file_, std::nullopt);
}

// Notes what only the block of the line that was handed out last tells.
void python_lines::leave_line() {
  offset_ = offset();
  at_.record = {};
  ready_ = false;
}

bool python_lines::next_block() {
  const std::exception_ptr failure = failure_of([&] { require_open(); });
  if (failure != nullptr) return set_python_error(failure), false;
  leave_line();
  reading_ = true;
  bool found = false;
  const std::exception_ptr failed = failure_of([&] { found = find_next(); });
  reading_ = false;
  ready_ = lines_.has_value();
  if (failed == nullptr) return found;
  at_.record = {};
  set_python_error(failed);
  return false;
}

// Moves to the next line, in the file that is read or in one that follows.
bool python_lines::find_next() {
  while (file_) {
    file_->signals->follow_this_thread();
    bool found = false;
    const auto advance = [&] {
      if (!lines_) at_ = lines_.emplace(std::move(file_->source), options()).resume();
      found = lines_->advance(at_);
    };
    // Memory makes nobody wait. To give up the GIL every few microseconds would starve the other threads:
    // each time it wakes them, and is taken again before they run.
    const std::exception_ptr failure = file_->in_memory ? failure_of(advance) : without_gil(advance);
    if (failure != nullptr) std::rethrow_exception(failure);
    if (found && !is_mark_alone()) {
      if (file_->name != name_) name_ = file_->name;
      return true;
    }
    at_ = {};
    if (!sources_.more()) return false;
    begin(sources_.open());
  }
  return false;
}

// Whether a file has no line but a byte order mark, which the codec drops.
bool python_lines::is_mark_alone() {
  return decode_.is_mark(at_.record) && lines_->ended_by_source(at_.record);
}

// Lets the exception of the codec say where the line stands.
PyObject* python_lines::undecoded(std::string_view line) {
  const std::uint64_t at = offset().value_or(0);
  set_python_error(failure_of([&] {
    const nb::python_error raised;
    refuse_stop_iteration(raised, "the codec");
    nb::module_::import_("riffle_io._errors")
        .attr("add_place")(raised.value(), name_text(name_), at, line.size());
    throw nb::python_error(raised);
  }));
  return nullptr;
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
  const auto sources =
      nb::cast<nb::list>(nb::module_::import_("riffle_io._paths").attr("sources_of")(source));
  return new python_lines(source_chain(sources, options, reading), std::move(text));
}

nb::object generic(nb::handle item) {
  return nb::steal(Py_GenericAlias(nb::type<python_lines>().ptr(), item.ptr()));
}

nb::str described(python_lines& self) {
  std::string text = "<riffle_io.Lines of '" + self.name() + "'";
  if (self.closed()) text += ", closed";
  if (const auto offset = self.offset()) text += ", at byte " + std::to_string(*offset);
  return name_text(text + ">");
}

constexpr const char* about_lines =
    R"(Returns an iterator over the lines of an input: bytes, or str if encoding is set.

source is a path (str or os.PathLike), an open descriptor, a file object in binary mode, or an object with the
buffer protocol, such as bytes, whose bytes are read. riffle_io closes nothing that you opened. An iterable of
sources is read one after the other; each is opened when the one before it has ended. A str or os.PathLike that
names no file is a pattern, if it has one of the characters *?[: "logs/*.log".

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
  nb::class_<python_lines> type(module, "Lines", nb::sig("class Lines(Generic[Line])"), nb::type_slots(slots),
                                about_class);
  type.def("close", &python_lines::close,
           "Closes the input, and gives back its memory. Afterwards a step raises ValueError.\n\n"
           "Raises ValueError while another thread reads. What you opened stays open.")
      .def("__enter__",
           [](nb::handle self) { return nb::inst_ptr<python_lines>(self)->require_open(), nb::borrow(self); })
      .def("__exit__", [](python_lines& self, const nb::args&) { self.close(); })
      .def_static("__class_getitem__", generic, nb::arg("item"),
                  "Returns the type of lines that are bytes or str.")
      .def("__repr__", described)
      .def_prop_ro("closed", &python_lines::closed, "Whether close() was called.")
      .def_prop_ro(
          "name", [](const python_lines& self) { return name_text(self.name()); },
          "The name of the source of the line handed out last; before the first, of the first source.")
      .def_prop_ro("offset", &python_lines::offset,
                   "Where the line handed out last starts in its source, in bytes; None before the first.\n\n"
                   "In a compressed source it counts decoded bytes.");
  define_reading(module, "lines", lines, about_lines, nb::arg("delimiter") = nb::bytes("\n", 1),
                 nb::arg("keep") = false, nb::kw_only(), nb::arg("encoding") = nb::none(),
                 nb::arg("errors") = "strict", nb::arg("strip_cr") = false,
                 nb::arg("max_length") = nb::none());
}

}  // namespace riffle::python
