/// Defines RawBytes, on which riffle_io.open makes its file objects.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <string_view>

#include "bindings/python/native/errors.hpp"
#include "bindings/python/native/interpreter.hpp"
#include "bindings/python/native/python_input.hpp"
#include "bindings/python/native/records/record_iterator.hpp"

namespace nb = nanobind;

namespace riffle::python {

namespace {

// The writable bytes of a Python object.
class space {
 public:
  explicit space(nb::handle object) {
    if (PyObject_GetBuffer(object.ptr(), &buffer_, PyBUF_WRITABLE) != 0) throw nb::python_error();
  }
  ~space() { PyBuffer_Release(&buffer_); }
  space(const space&) = delete;
  space& operator=(const space&) = delete;

  char* data() const noexcept { return static_cast<char*>(buffer_.buf); }
  std::size_t size() const noexcept { return static_cast<std::size_t>(buffer_.len); }

 private:
  Py_buffer buffer_ = {};
};

struct bytes_of_source : source {
  bytes_of_source(const input& from, const record_options&, const read_options& reading)
      : source(from, reading) {}
  const source& from() const noexcept { return *this; }
};

// Hands out the bytes of an input into buffers of the caller.
class raw_bytes {
 public:
  raw_bytes(nb::handle source, const reading_options& reading)
      : opened_(std::in_place, nb::list(nb::make_tuple(source)), record_options(), reading,
                text_input_of({})),
        is_part_(is_split(source)),
        origin_(is_part_ ? from().start() : 0),
        position_(from().start() - origin_) {}

  std::size_t readinto(nb::handle target) {
    require_free();
    const busy reading(reading_);
    const space to(target);
    std::size_t count = 0;
    opened_->checks().follow_this_thread();
    without_gil([&] {
      if (rest_.empty() && to.size() != 0) rest_ = from().next().bytes;
      count = std::min(rest_.size(), to.size());
      if (count != 0) std::memcpy(to.data(), rest_.data(), count);
      from().check();  // a mapped file may have shrunk before it was copied
    });
    rest_.remove_prefix(count);
    position_ += count;
    return count;
  }

  void seek(std::uint64_t offset) {
    require_free();
    const busy moving(reading_);
    without_gil([&] { from().seek(origin_ + offset); });
    rest_ = {};
    position_ = offset;
  }

  void close() {
    if (reading_) raise(PyExc_ValueError, "cannot close this file: another thread is reading it");
    give_up();
  }
  bool seekable() const { return opened().range->seekable(); }
  int descriptor() const { return is_part_ ? -1 : opened().range->descriptor(); }
  std::uint64_t size() const { return opened().range->size_hint() - origin_; }
  std::uint64_t position() const noexcept { return position_; }
  nb::str name() const { return name_text(opened().name()); }

  int visit(visitproc visit, void* arg) const { return opened_ ? opened_->visit(visit, arg) : 0; }
  void give_up() {
    rest_ = {};
    opened_.reset();
  }

 private:
  void require_free() const {
    static_cast<void>(opened());
    if (reading_) raise(PyExc_ValueError, "another thread is reading this file");
  }
  source& from() noexcept { return *opened_->range; }
  const opened_records<bytes_of_source>& opened() const {
    if (!opened_) raise(PyExc_ValueError, "I/O operation on closed file");
    return *opened_;
  }

  std::optional<opened_records<bytes_of_source>> opened_;  // none if it was closed
  std::string_view rest_;                                  // of the block
  bool is_part_;                                           // a split: its positions begin at 0
  std::uint64_t origin_;
  std::uint64_t position_;
  bool reading_ = false;
};

raw_bytes* open_raw(const reading_options& reading, const source_object& source, unsigned threads) {
  reading_options how = reading;
  how.decode_threads = threads;
  return new raw_bytes(source, how);
}

}  // namespace

void register_raw_bytes(nb::module_& module) {
  static PyType_Slot slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse<raw_bytes>)},
                                {Py_tp_clear, reinterpret_cast<void*>(clear<raw_bytes>)},
                                {Py_tp_new, reinterpret_cast<void*>(refuse_new)},
                                {0, nullptr}};
  nb::class_<raw_bytes>(module, "RawBytes", nb::type_slots(slots),
                        "Reads the bytes of an input. riffle_io.open uses it.")
      .def("readinto", &raw_bytes::readinto, nb::arg("buffer"), "As that of io.RawIOBase; 0 at the end.")
      .def("seek", &raw_bytes::seek, nb::arg("offset"), "Moves to an offset, if the input is seekable.")
      .def("close", &raw_bytes::close, "Closes the input.")
      .def("seekable", &raw_bytes::seekable, "Whether seek works.")
      .def_prop_ro("descriptor", &raw_bytes::descriptor, "The descriptor that is read; -1 if there is none.")
      .def_prop_ro("size", &raw_bytes::size, "The size of the input when it was opened; 0 if it is unknown.")
      .def_prop_ro("position", &raw_bytes::position, "The offset of the next byte.")
      .def_prop_ro("name", &raw_bytes::name, "The name of the input.");
  define_reading(module, "raw_bytes", for_records, std::function(open_raw),
                 "Opens an input for riffle_io.open.", nb::arg("threads") = 0);
}

}  // namespace riffle::python
