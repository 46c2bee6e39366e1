/// Offers the Python iterator over a range of records, for every kind of record.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <riffle/detail/record_iterator.hpp>
#include <riffle/error.hpp>
#include <riffle/options.hpp>
#include <riffle/source.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "bindings/python/native/errors.hpp"
#include "bindings/python/native/interpreter.hpp"
#include "bindings/python/native/python_input.hpp"
#include "bindings/python/native/recycled.hpp"

namespace riffle::python {

/// The bytes that were used of an input, as it is stored, and their number, if it is known.
using stored_bytes = std::pair<std::uint64_t, std::optional<std::uint64_t>>;

/// Holds the records of an input and of those that follow, and what they borrow. `Range` is
/// `riffle::row_range` or the like.
template <class Range>
struct opened_records {
  static constexpr const char* what = "records";  // in messages
  static constexpr const char* unit = "byte";

  /// Opens the first of `all`, one at least, without the GIL, which a FIFO may keep waiting.
  /// `input_of(source, options, reading)` makes the input of one. Throws `riffle::error`.
  template <class Options, class InputOf>
  opened_records(nanobind::list all, const Options& options, const reading_options& reading, InputOf input_of)
      : sources(std::move(all)), open([=](nanobind::handle source, signal_checks& checks, auto& to) {
          Options own = options;
          to.first.emplace(input_of(source, own, reading));
          without_gil([&] { to.second.emplace(to.first->get(), own, checks.in(reading, *to.first)); });
        }) {
    open_next();
  }

  const std::string& name() const { return range->from().name(); }
  signal_checks& checks() const noexcept { return *signals; }
  /// Returns whether a step waits for nothing.
  bool in_memory() const { return range->from().kind() == input_kind::memory && range->from().seekable(); }
  /// Returns whether other bytes of the text stand before.
  bool starts_inside() const { return input->starts_inside(range->from()); }
  /// Returns whether a byte order mark alone, the first record of a text, is a record.
  static bool is_record(std::string_view) noexcept { return false; }
  /// Returns the cursor before the first record.
  auto begin() { return detail::steps::resume(*range); }
  /// Returns whether an input is left to be opened.
  bool more() const noexcept { return next != size; }
  /// Opens the next input, if there is one. If that fails, the next call tries again.
  bool open_next() {
    if (!more()) return false;
    opened following;
    open(sources[next], *signals, following);
    ++next;
    range.reset();
    input = std::move(following.first);
    range.emplace(*std::move(following.second));
    return true;
  }
  int visit(visitproc visit, void* arg) const {
    Py_VISIT(sources.ptr());
    if (const int stopped = signals->visit(visit, arg); stopped != 0) return stopped;
    return input ? input->visit(visit, arg) : 0;
  }

  using opened = std::pair<std::optional<python_input>, std::optional<Range>>;
  nanobind::list sources;
  std::size_t size = nanobind::len(sources);
  std::size_t next = 0;
  std::function<void(nanobind::handle, signal_checks&, opened&)> open;
  std::unique_ptr<signal_checks> signals = std::make_unique<signal_checks>();
  std::optional<python_input> input;
  std::optional<Range> range;
};

/// Returns what makes the input of a source of text for `opened_records`. `records` says what those of a
/// split are.
inline auto text_input_of(const decoder& text, const record_options& records = {}) {
  return [=](nanobind::handle source, const auto& /*options*/, const read_options& how) {
    return python_input(text.source_of(source, how), how.method, records);
  };
}

/// A Python iterator over records. `Opened` has the members of `opened_records`. `Opened` may also have
/// `place_of(record)`, which returns the place of a record in `unit`s; `counts_to_end` says that `place_of`
/// also knows the place after the last record. `Make` makes the object of a record: `make(record)` returns a
/// new reference, or nullptr with a Python exception set. `start(opened, first)` prepares `make` for an
/// input, and returns whether the first record of the input is to be dropped; `runs_code()` says whether
/// `make` may run code of the user, which then cannot use the iterator.
///
/// The GIL is released while a block is read, unless it is in memory: to give it up every few microseconds
/// would starve the other threads.
template <class Opened, class Make>
class record_iterator {
 public:
  record_iterator(Opened opened, Make make) : name_(opened.name()), make_(std::move(make)) {
    opened_.emplace(std::move(opened));
  }

  /// Returns a new reference to the next object, or nullptr: at the end, or with a Python exception set.
  [[gnu::always_inline]] PyObject* next() {
    // While another thread reads a block, only `next_block` may look at what this reads.
    bool in_block = ready();
    if (in_block) [[likely]] {
      auto at = at_;
      in_block = detail::steps::advance_in_block(*opened_->range, at);
      at_ = at;  // also if there is none: the scan may have left the batch that it stood in
    }
    if (!in_block && !next_block()) [[unlikely]]
      return nullptr;
    return made(at_.record);
  }

  /// Closes the input. Raises `ValueError` if another thread reads it.
  void close() {
    if (reading_) fail("cannot close these ", ": another thread is reading them");
    leave_block();
    give_up();
    closed_ = true;
  }
  bool closed() const noexcept { return closed_; }
  /// Raises `ValueError` if the input was closed or given away, or a thread reads a block.
  void require_open() const {
    if (reading_) fail("another thread is reading these ", "");
    if (closed_) fail("these ", " are closed");
    if (!opened_ && !ended_) fail("these ", " were given away");
  }

  /// Returns the name of the input of the record handed out last; before the first, of the first input.
  const std::string& name() const noexcept { return name_; }
  /// Returns the place of the record handed out last in its input; `std::nullopt` before the first.
  std::optional<std::uint64_t> place() {
    if constexpr (has_places) {
      if (ready() && in_block_) return opened_->place_of(at_.record);
    }
    return place_;
  }
  /// Returns what `repr` says of it.
  std::string place_text() {
    if constexpr (has_places) {
      if (const auto known = place())
        return std::string(", at ") + Opened::unit + ' ' + std::to_string(*known);
    }
    return {};
  }

  static constexpr bool has_places =
      requires(Opened& opened, decltype(opened.begin()) at) { opened.place_of(at.record); };

  /// Returns how many bytes of the input were used as it is stored, and their number, if it is known; at the
  /// end, and while another thread reads, what was known last.
  const stored_bytes& stored() noexcept {
    if (!reading_) note_stored();
    return stored_;
  }

  int visit(visitproc visit, void* arg) const { return opened_ ? opened_->visit(visit, arg) : 0; }
  void give_up() {
    started_ = prepared_ = false;
    at_ = {};
    note_stored();
    const std::optional<Opened> unused = std::exchange(opened_, std::nullopt);
  }

 protected:
  /// Gives away the input. Raises `ValueError` if a record was taken.
  Opened take() {
    require_open();
    if (started_ || place_ || ended_) fail("these ", " were already read");
    Opened taken = *std::move(opened_);
    opened_.reset();
    return taken;
  }
  const Make& maker() const noexcept { return make_; }
  Make& maker() noexcept { return make_; }
  /// Calls `look(opened)`, which may read, without the GIL, if the input is open. Raises as `require_open`.
  template <class Look>
  void look_ahead(Look look) {
    require_open();
    if (!opened_) return;
    const busy reading(reading_);
    opened_->checks().follow_this_thread();
    const auto step = [&] { look(*opened_); };
    opened_->in_memory() ? staying(step) : without_gil(step);
  }

 private:
  // Whether a step may look into the block.
  [[gnu::always_inline]] bool ready() const noexcept { return prepared_ && !reading_; }

  [[noreturn]] static void fail(const char* before, const char* after) {
    raise(PyExc_ValueError, std::string(before) + Opened::what + after);
  }

  template <class Record>
  [[gnu::always_inline]] PyObject* made(const Record& record) {
    if (make_.runs_code()) {
      const busy making(reading_);
      return make_(record);
    }
    PyObject* const object = make_(record);
    if constexpr (requires { record.size(); }) {
      if (object == nullptr) [[unlikely]]
        explain(record.size());
    }
    return object;
  }

  // Lets the exception of a codec say where the record stands.
  [[gnu::noinline]] void explain(std::size_t size) {
    const std::optional<std::uint64_t> at = place();
    const nanobind::python_error raised;
    refuse_stop_iteration(raised, "the codec");
    if (at) {
      imported("riffle_io._errors").attr("add_place")(raised.value(), name_text(name_), *at, size);
    }
    throw nanobind::python_error(raised);
  }

  // Notes what only the block of the record that was handed out last tells.
  void leave_block() {
    place_ = place();
    in_block_ = false;
  }

  void note_stored() noexcept {
    if constexpr (requires { opened_->stored(); }) {
      if (opened_) stored_ = opened_->stored();
    }
  }

  bool next_block() {
    require_open();
    if (ended_) return false;
    leave_block();
    const busy reading(reading_);
    in_block_ = find_next();
    if (in_block_ && opened_->name() != name_) name_ = opened_->name();
    return in_block_;
  }

  // Moves to the next record, in the input that is read or in one that follows. Closes the last one at its
  // end.
  bool find_next() {
    bool more = false;
    const auto advance = [&] {
      if (!started_) at_ = opened_->begin();
      started_ = true;
      more = detail::steps::advance(*opened_->range, at_);
    };
    do {
      opened_->checks().follow_this_thread();
      opened_->in_memory() ? staying(advance) : without_gil(advance);
      const bool drops = !prepared_ && make_.start(*opened_, at_.record);
      prepared_ = true;
      if (more && !drops) return true;
      if constexpr (requires { Opened::counts_to_end; }) {
        if (!more) place_ = opened_->place_of(at_.record);
      }
      if (!more) opened_->checks().at_end();
      if (!more && !opened_->open_next()) break;
      started_ = prepared_ = more;
    } while (true);
    ended_ = true;
    give_up();
    return false;
  }

  std::string name_;
  Make make_;
  std::optional<Opened> opened_;  // none if it has ended, was closed or given away
  decltype(std::declval<Opened&>().begin()) at_;
  std::optional<std::uint64_t> place_;  // of the record handed out last, if its block does not tell
  stored_bytes stored_ = {};
  bool closed_ = false;
  bool ended_ = false;
  bool started_ = false;   // whether a record of the input was asked for, which may have failed
  bool prepared_ = false;  // whether `make_` knows the input
  bool reading_ = false;   // whether a thread reads a block, or `make_` runs any code of Python
  bool in_block_ = false;  // whether the record handed out last is in the block
};

/// Defines the class of such an iterator. `declaration` is what the stubs say it is.
template <class Iterator>
nanobind::class_<Iterator> define_iterator(nanobind::module_& module, const char* name,
                                           const char* declaration, const char* text) {
  namespace nb = nanobind;
  const auto next = [](PyObject* self) noexcept {
    return guarded(
        [self] { return without_stop_iteration([self] { return nb::inst_ptr<Iterator>(self)->next(); }); });
  };
  static PyType_Slot slots[] = {
      {Py_tp_iter, reinterpret_cast<void*>(PyObject_SelfIter)},
      {Py_tp_iternext, reinterpret_cast<void*>(static_cast<PyObject* (*)(PyObject*)>(next))},
      {Py_tp_traverse, reinterpret_cast<void*>(traverse<Iterator>)},
      {Py_tp_clear, reinterpret_cast<void*>(clear<Iterator>)},
      {Py_tp_new, reinterpret_cast<void*>(refuse_new)},
      {0, nullptr}};
  nb::class_<Iterator> type(module, name, nb::sig(declaration), nb::type_slots(slots), text);
  type.def("close", &Iterator::close,
           "Closes the input, and gives back its memory. Afterwards a step raises ValueError.\n\n"
           "Raises ValueError while another thread reads. What you opened stays open.")
      .def("__enter__",
           [](nb::handle self) { return nb::inst_ptr<Iterator>(self)->require_open(), nb::borrow(self); })
      .def("__exit__", [](Iterator& self, const nb::args&) { self.close(); })
      .def("__repr__",
           [type_name = std::string(name)](Iterator& self) {
             return nb::str(nb::str("<riffle_io.{} of {!r}{}{}>")
                                .format(type_name, name_text(self.name()), self.closed() ? ", closed" : "",
                                        self.place_text()));
           })
      .def_prop_ro("closed", &Iterator::closed, "Whether close() was called.")
      .def_prop_ro(
          "name", [](const Iterator& self) { return name_text(self.name()); },
          "The name of the source of the record handed out last; before the first, of the first source.");
  // What list[int] is, without an import of the module types.
  const nb::object alias = nb::handle(reinterpret_cast<PyObject*>(&PyList_Type))[nb::str("int")];
  type.attr("__class_getitem__") = imported("builtins").attr("classmethod")(alias.type());
  return type;
}

}  // namespace riffle::python
