/// Offers the Python iterator over a range of records, for every kind of record but lines.
#ifndef RIFFLE_PYTHON_RECORD_ITERATOR_HPP
#define RIFFLE_PYTHON_RECORD_ITERATOR_HPP

#include <nanobind/nanobind.h>
#include <riffle/error.hpp>
#include <riffle/options.hpp>
#include <riffle/source.hpp>

#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "bindings/python/native/errors.hpp"
#include "bindings/python/native/garbage.hpp"
#include "bindings/python/native/gil.hpp"
#include "bindings/python/native/python_input.hpp"
#include "bindings/python/native/signals.hpp"

namespace riffle::python {

/// Holds the records of an input, and what they borrow. `Range` is `riffle::row_range` or the like.
template <class Range>
struct opened_records {
  /// Opens the input without the GIL, which a FIFO may keep waiting. Throws `riffle::error`.
  template <class Options>
  opened_records(python_input from, const Options& options, const read_options& reading)
      : input(std::move(from)) {
    const std::exception_ptr failure =
        without_gil([&] { range.emplace(input.get(), options, signals->in(reading)); });
    if (failure != nullptr) std::rethrow_exception(failure);
  }

  const std::string& name() const { return range->from().name(); }
  /// Returns whether a step waits for nothing.
  bool in_memory() const {
    const source& from = range->from();
    return from.kind() == input_kind::memory && from.seekable();
  }
  int visit(visitproc visit, void* arg) const { return input.visit(visit, arg); }

  python_input input;
  std::unique_ptr<signal_checks> signals = std::make_unique<signal_checks>();
  std::optional<Range> range;
};

/// Is a Python iterator. `Opened` is as `opened_records`. `Make` makes the object of a record: `make(record)`
/// returns a new reference, or nullptr with a Python exception set, `start(range)` prepares it, and
/// `runs_code()` says whether it may run code of the user.
///
/// The GIL is released while a block is read, unless it is in memory: to give it up every few microseconds
/// would starve the other threads.
template <class Opened, class Make>
class record_iterator {
 public:
  record_iterator(Opened opened, Make make)
      : name_(opened.name()), in_memory_(opened.in_memory()), make_(std::move(make)) {
    opened_.emplace(std::move(opened));
  }

  /// Returns a new reference to the next object, or nullptr: at the end, or with a Python exception set.
  [[gnu::always_inline]] PyObject* next() {
    auto at = at_;
    if (ready_ && opened_->range->advance_in_block(at)) [[likely]] {
      at_ = at;
      return made();
    }
    return next_block() ? made() : nullptr;
  }

  /// Gives up the input. Raises `ValueError` if another thread reads it.
  void close() {
    if (reading_) raise(PyExc_ValueError, "cannot close these records: another thread is reading them");
    give_up();
  }
  bool closed() const noexcept { return !opened_; }
  const std::string& name() const noexcept { return name_; }

  int visit(visitproc visit, void* arg) const { return opened_ ? opened_->visit(visit, arg) : 0; }
  void give_up() {
    ready_ = false;
    at_ = {};
    const std::optional<Opened> unused = std::exchange(opened_, std::nullopt);
  }

 private:
  // While it exists, no other step reads on. A garbage collection or a codec may run any Python code.
  class [[nodiscard]] busy {
   public:
    explicit busy(record_iterator& of) noexcept : of_(of) {
      of_.ready_ = false;
      of_.reading_ = true;
    }
    ~busy() {
      of_.reading_ = false;
      of_.ready_ = of_.started_;
    }
    busy(const busy&) = delete;
    busy& operator=(const busy&) = delete;

   private:
    record_iterator& of_;
  };

  [[gnu::always_inline]] PyObject* made() {
    if (!make_.runs_code()) return make_(at_.record);
    const busy making(*this);
    return make_(at_.record);
  }

  bool next_block() {
    if (!opened_ || reading_) {
      PyErr_SetString(PyExc_ValueError,
                      reading_ ? "another thread is reading these records" : "these records are closed");
      return false;
    }
    const busy reading(*this);
    opened_->signals->follow_this_thread();
    const bool starts = !started_;
    bool more = false;
    const auto advance = [&] {
      if (starts) at_ = opened_->range->resume();
      started_ = true;
      more = opened_->range->advance(at_);
    };
    std::exception_ptr failure = in_memory_ ? failure_of(advance) : without_gil(advance);
    if (failure == nullptr && starts) failure = failure_of([&] { make_.start(*opened_->range); });
    if (failure != nullptr) return set_python_error(failure), false;
    return more;
  }

  std::string name_;
  bool in_memory_;
  Make make_;
  std::optional<Opened> opened_;  // none if it was closed
  typename decltype(Opened::range)::value_type::cursor at_;
  bool started_ = false;
  bool ready_ = false;    // whether a step may look into the block: no thread reads the next one
  bool reading_ = false;  // whether a thread reads a block
};

/// Defines the class of such an iterator.
template <class Iterator>
void define_iterator(nanobind::module_& module, const char* name, const char* text) {
  namespace nb = nanobind;
  const auto next = [](PyObject* self) noexcept {
    return guarded([self] { return nb::inst_ptr<Iterator>(self)->next(); });
  };
  static PyType_Slot slots[] = {
      {Py_tp_iter, reinterpret_cast<void*>(PyObject_SelfIter)},
      {Py_tp_iternext, reinterpret_cast<void*>(static_cast<PyObject* (*)(PyObject*)>(next))},
      {Py_tp_traverse, reinterpret_cast<void*>(traverse<Iterator>)},
      {Py_tp_clear, reinterpret_cast<void*>(clear<Iterator>)},
      {Py_tp_new, reinterpret_cast<void*>(refuse_new)},
      {0, nullptr}};
  nb::class_<Iterator> type(module, name, nb::type_slots(slots), text);
  type.def("close", &Iterator::close, "Closes the input. Afterwards a step raises ValueError.")
      .def("__enter__", [](nb::handle self) { return nb::borrow(self); })
      .def("__exit__", [](Iterator& self, const nb::args&) { self.close(); })
      .def("__repr__", [type_name = std::string(name)](const Iterator& self) {
        return nb::str(
            nb::str("<riffle_io.{} of {!r}{}>")
                .format(type_name.c_str(), name_text(self.name()), self.closed() ? ", closed" : ""));
      });
  // What list[int] is, without an import of the module types.
  const nb::object alias = nb::handle(reinterpret_cast<PyObject*>(&PyList_Type))[nb::str("int")];
  type.attr("__class_getitem__") = nb::module_::import_("builtins").attr("classmethod")(alias.type());
}

}  // namespace riffle::python

#endif
