/// Makes bytes and str objects, by an encoding, in the memory of those that nobody holds any more.
#pragma once

#include <riffle/detail/byte_order_mark.hpp>
#include <riffle/options.hpp>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "bindings/python/native/errors.hpp"
#include "bindings/python/native/interpreter.hpp"

namespace riffle::python {

/// What CPython's bytes and its str of ASCII start with. It is no part of the stable ABI.
struct object_start {
  PyVarObject head;
  Py_hash_t hash;
  std::uint64_t state;  // of a str: in the lowest 8 bits, whether it is interned; of bytes, the first of them
  std::uint64_t wide;   // of a str of CPython 3.11: a copy of the characters
};

/// Says whether bytes are as `object_start` has it: the interpreter is one that the tests ran on,
/// CPython 3.11 to 3.13 with a GIL, and an object that it makes looks so. Make it with the GIL.
struct bytes_layout {
  bytes_layout() noexcept;
  static constexpr std::size_t header = offsetof(object_start, state);
  static constexpr bool ascii_alone = false;
  static bool is_free(const object_start&) noexcept { return true; }
  static PyObject* make(std::size_t size) noexcept;
  bool known;
};

/// Says the same of a str of ASCII.
struct ascii_layout {
  ascii_layout() noexcept;
  static constexpr bool ascii_alone = true;
  /// Whether nobody refers to the str without counting.
  bool is_free(const object_start& seen) const noexcept {
    return (seen.state & 0xFFU) == state && (seen.wide & wide_mask) == 0;
  }
  static PyObject* make(std::size_t size) noexcept;
  bool known;
  std::size_t header = sizeof(object_start);
  std::uint64_t state = 0;      // of a new one
  std::uint64_t wide_mask = 0;  // of what is to be 0
};

/// Copies bytes, and returns whether all are ASCII. For a line this is faster than a call of `memcpy`.
[[gnu::always_inline]] inline bool copy_is_ascii(char* to, std::string_view from) noexcept {
  using chunk __attribute__((vector_size(16))) = std::uint64_t;
  const auto copy = [&](std::size_t at) {
    chunk bytes;
    std::memcpy(&bytes, from.data() + at, sizeof bytes);
    std::memcpy(to + at, &bytes, sizeof bytes);
    return bytes;
  };
  if (from.size() < sizeof(chunk)) {
    unsigned all = 0;
    for (std::size_t at = 0; at != from.size(); ++at) all |= static_cast<unsigned char>(to[at] = from[at]);
    return all < 0x80;
  }
  const std::size_t last = from.size() - sizeof(chunk);
  chunk all = copy(last);  // which may overlap the one before
  for (std::size_t at = 0; at < last; at += sizeof(chunk)) all |= copy(at);
  return ((all[0] | all[1]) & 0x8080808080808080U) == 0;
}

/// Makes objects for a loop, which drops one after it has taken the next. As `zip` does with its tuples, a
/// recycler keeps the last two objects of each size, and writes the next one into an object that nothing else
/// refers to: to free and to allocate each object takes longer than to find a line. A recycler holds 20 KiB
/// at most. Call it with the GIL.
template <class Layout>
class recycled {
 public:
  recycled() = default;
  ~recycled() {
    for (pair& each : pairs_) {
      for (PyObject* object : each.objects) Py_XDECREF(object);
    }
  }
  recycled(recycled&& other) noexcept : pairs_(std::exchange(other.pairs_, {})) {}
  recycled& operator=(recycled&&) = delete;

  /// Returns whether objects of this size are recycled. Make objects of other sizes as usual.
  [[gnu::always_inline]] bool takes(std::size_t size) const noexcept {
    return size >= least && size <= most_;
  }

  /// Returns a new reference, or nullptr with a Python exception set, or without one if the layout takes
  /// ASCII alone and other characters came.
  [[gnu::always_inline]] PyObject* operator()(std::string_view characters) noexcept {
    const std::size_t kind = (characters.size() + layout_.header) / step;  // they take as much memory
    pair& both = pairs_[kind];
    both.last ^= 1U;
    PyObject*& object = both.objects[both.last];
    if (object == nullptr || !is_free(object)) [[unlikely]] {
      PyObject* const fresh = Layout::make((kind + 1) * step - layout_.header - 1);
      if (fresh == nullptr) return nullptr;
      Py_XDECREF(object);
      object = fresh;
    }
    auto* const to = reinterpret_cast<object_start*>(object);
    char* const text = reinterpret_cast<char*>(object) + layout_.header;
    to->head.ob_size = static_cast<Py_ssize_t>(characters.size());
    to->hash = -1;  // not computed yet
    if constexpr (Layout::ascii_alone) {
      if (!copy_is_ascii(text, characters)) [[unlikely]]
        return nullptr;
    } else {
      std::memcpy(text, characters.data(), characters.size());
    }
    text[characters.size()] = '\0';
    Py_INCREF(object);
    return object;
  }

 private:
  struct pair {
    std::array<PyObject*, 2> objects{};
    unsigned last = 0;
  };

  static constexpr std::size_t step = 16;             // of CPython's allocator,
  static constexpr std::size_t largest_object = 512;  // and its largest object
  static constexpr std::size_t least = 2;             // shorter ones are shared by all

  bool is_free(PyObject* object) const noexcept {
    return Py_REFCNT(object) == 1 && layout_.is_free(*reinterpret_cast<const object_start*>(object));
  }

  Layout layout_;
  std::size_t most_ = layout_.known ? largest_object - layout_.header - 1 : 0;
  std::array<pair, largest_object / step> pairs_;
};

/// Makes the str of a record, or says that the records stay bytes.
class decoder {
 public:
  /// The records stay bytes.
  decoder() = default;
  /// The records become str. Raises `LookupError` for an unknown encoding, and `ValueError` if one of
  /// `delimiters` can be a part of a character in it.
  decoder(const std::string& encoding, std::string errors, std::string_view delimiters)
      : encoding_(codec_name(encoding, delimiters)), errors_(std::move(errors)) {
    if (encoding_.starts_with("utf-16") || encoding_.starts_with("utf-32")) {
      recoded_from_ = std::exchange(encoding_, "utf-8");
      recoded_errors_ = std::exchange(errors_, errors_.starts_with("surrogate") ? "surrogatepass" : "strict");
    }
    with_mark_ = encoding_ == "utf-8-sig";
    utf8_ = with_mark_ || encoding_ == "utf-8";
    ascii_ = utf8_ || encoding_ == "ascii" || encoding_ == "iso8859-1";
  }

  /// Returns the source to read: `source`, or a file object that gives its text in UTF-8, in which its
  /// records can be cut. Raises `ValueError` if the second is compressed or a split, and as opening it
  /// raises.
  nanobind::object source_of(nanobind::handle source, const read_options& reading) const {
    if (recoded_from_.empty()) return nanobind::borrow(source);
    if (reading.decode != decoding::none && reading.decode != decoding::automatic) {
      raise(PyExc_ValueError,
            "compressed text in " + recoded_from_ + " is not decoded: pass gzip.open(path) or the like");
    }
    return imported("riffle_io._text").attr("Recoded")(source, recoded_from_, recoded_errors_);
  }

  /// Returns whether the records become str.
  bool text() const noexcept { return !encoding_.empty(); }

  /// Returns whether the codec drops a byte order mark at the start of a source.
  bool drops_mark() const noexcept { return with_mark_; }

  /// Returns whether the str of a record of ASCII has its bytes.
  bool keeps_ascii() const noexcept { return ascii_ && !drops_mark_; }

  /// Returns whether each str has the bytes of its record, which must be valid UTF-8.
  bool strict_utf8() const noexcept { return utf8_ && errors_ == "strict" && !with_mark_; }

  /// Says that the next record is the first of its source, and whether that starts inside of a file, where a
  /// byte order mark is none.
  void start(bool inside) noexcept { drops_mark_ = with_mark_ && !inside; }

  /// Returns whether the next record is a byte order mark that is dropped.
  bool is_mark(std::string_view record) const noexcept {
    return drops_mark_ && record == detail::byte_order_mark;
  }

  /// Returns the bytes of a text, given in UTF-8, as records have it. Raises as `str.encode`.
  std::string encode(std::string text) const {
    if (encoding_.empty() || utf8_) return text;
    const nanobind::str decoded(text.data(), text.size());
    const auto encoded = nanobind::cast<nanobind::bytes>(decoded.attr("encode")(encoding_, errors_));
    return {encoded.c_str(), encoded.size()};
  }

  /// Returns a new reference to the str of a record, or nullptr with a Python exception set.
  PyObject* operator()(std::string_view record) noexcept {
    if (std::exchange(drops_mark_, false) && record.starts_with(detail::byte_order_mark))
      record.remove_prefix(detail::byte_order_mark.size());
    const auto size = static_cast<Py_ssize_t>(record.size());
    if (utf8_) return PyUnicode_DecodeUTF8(record.data(), size, errors_.c_str());
    // A codec written in Python may let another thread read on meanwhile, over these bytes: it gets a copy.
    const nanobind::object copy = nanobind::steal(PyBytes_FromStringAndSize(record.data(), size));
    if (!copy.is_valid()) return nullptr;
    return PyUnicode_FromEncodedObject(copy.ptr(), encoding_.c_str(), errors_.c_str());
  }

 private:
  // The name of the usual codec is known: to ask Python takes a tenth of a call that reads few bytes.
  static std::string codec_name(const std::string& encoding, std::string_view delimiters) {
    const auto is_ascii = [](char byte) { return static_cast<unsigned char>(byte) < 0x80; };
    if (encoding == "utf-8" && std::ranges::all_of(delimiters, is_ascii)) return encoding;
    return nanobind::cast<std::string>(
        imported("riffle_io._text")
            .attr("codec_name")(nanobind::str(encoding.data(), encoding.size()),
                                nanobind::bytes(delimiters.data(), delimiters.size())));
  }

  std::string encoding_;  // as Python's codecs name it; empty: none
  std::string errors_;
  std::string recoded_from_;  // the encoding of a source that becomes UTF-8, with its errors; empty: none
  std::string recoded_errors_;
  bool utf8_ = false;
  bool ascii_ = false;       // whether the codec gives characters of ASCII for their bytes
  bool with_mark_ = false;   // whether the codec drops a byte order mark at the start, as "utf-8-sig" does
  bool drops_mark_ = false;  // whether the next record may start with one
};

/// Returns the decoder of the keywords `encoding` and `errors`, for records that are cut at each of
/// `delimiters`. Raises as `decoder` does, and `ValueError` for `errors` without an encoding.
inline decoder decoder_of(const std::optional<std::string>& encoding, const std::string& errors,
                          std::string_view delimiters) {
  if (!encoding && errors != "strict") {
    raise(PyExc_ValueError, "errors needs an encoding: without one, the records are bytes");
  }
  return encoding ? decoder(*encoding, errors, delimiters) : decoder();
}

}  // namespace riffle::python
