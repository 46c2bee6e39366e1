/// Makes the splits of a file and the input of a split, and counts records.
#include <nanobind/stl/vector.h>
#include <riffle/methods.hpp>
#include <riffle/parallel.hpp>
#include <riffle/rows.hpp>
#include <riffle/scan.hpp>
#include <riffle/splits.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/python/native/errors.hpp"
#include "bindings/python/native/interpreter.hpp"
#include "bindings/python/native/python_input.hpp"
#include "bindings/python/native/records/row_arguments.hpp"
#include "bindings/python/native/whole/read_whole.hpp"

namespace nb = nanobind;

namespace riffle::python {

namespace {

template <class T>
void set_field(T& field, nb::handle split, const char* name) {
  if (!nb::try_cast(split.attr(name), field)) {
    raise(PyExc_TypeError, std::string("the ") + name + " of a Split must be an integer of 64 bits");
  }
}

nb::tuple fields_of(const file_split& split) {
  return nb::make_tuple(name_text(split.path), split.begin, split.end, split.size, split.mtime_ns,
                        split.inode, name_of(split.decode));
}

// Returns the fields of what `find` finds. By `stdio`, as Python would wait for the writer of a FIFO.
template <class Find>
nb::list fields_found(nb::handle source, Find find) {
  const python_input input(source, method::stdio);
  std::vector<file_split> found;
  without_gil([&] { found = find(input.get()); });
  nb::list all;
  for (const file_split& split : found) all.append(fields_of(split));
  return all;
}

nb::list splits_of(nb::handle source, std::uint64_t split_size, std::string_view decode) {
  const split_options splitting{.size = split_size, .decode = decoding_of(decode)};
  return fields_found(source, [&](const input& from) { return splits(from, splitting); });
}

nb::list row_splits(const reading_options& reading, const source_object& source, const row_keywords& given,
                    std::uint64_t split_size) {
  const split_options splitting{.size = split_size, .decode = reading.decode};
  return fields_found(
      source, [&, rows = dialect_of(given)](const input& from) { return splits(from, splitting, rows); });
}

// Returns where the splits of a stream of `size` bytes begin and end, of whole rows: as `splits` cuts a file.
std::vector<std::uint64_t> row_bounds(const reading_options&, const source_object& source,
                                      const row_keywords& given, std::uint64_t split_size,
                                      std::uint64_t size) {
  const dialect how = dialect_of(given);
  const python_input input(source, method::stdio);
  std::vector<std::uint64_t> bounds{0};
  constexpr std::uint64_t behind_mark = 4;  // no delimiter stands between a byte order mark and the first row
  const auto limit = [&] { return bounds.size() * split_size; };
  signal_checks signals;
  without_gil([&] {
    for (const row& each : rows(input.get(), how, signals.in({}, input))) {
      while (limit() < size && std::max(limit(), behind_mark) <= each.offset())
        bounds.push_back(each.offset());
    }
  });
  while (limit() < size) bounds.push_back(size);
  bounds.push_back(size);
  return bounds;
}

// The records that end in a part, and whether bytes follow them.
struct counted {
  std::uint64_t records = 0;
  bool open = false;
};

std::uint64_t count_records(const reading_options& reading, const sources_object& sources,
                            const byte_object& delimiter, int threads) {
  const char byte = byte_of(delimiter, "delimiter");
  const auto map = [byte](std::string_view part) {
    return counted{scan::count_byte(part, byte), part.back() != byte};
  };
  const auto combine = [](counted left, counted right) {
    return counted{left.records + right.records, right.open};
  };
  const auto reduce = [&](const riffle::input& from, unsigned workers, const read_options& with) {
    return parallel_reduce(from, counted(), map, combine, {.threads = workers, .delimiter = std::nullopt},
                           with);
  };
  std::uint64_t records = 0;
  for (const nb::handle each : sources_of(sources)) {
    const python_input input(each, reading.method, {.delimiter = byte});
    const counted all = read_whole(input, threads, reading, reduce);
    records += all.records + (all.open ? 1 : 0);
  }
  return records;
}

}  // namespace

bool is_split(nb::handle object) {
  return PyTuple_Check(object.ptr()) && nb::isinstance(object, imported("riffle_io._splits").attr("Split"));
}

riffle::input input_of_split(nb::handle split, const record_options& records) {
  file_split fields{.path = bytes_of_path(split.attr("path"))};
  set_field(fields.begin, split, "begin");
  set_field(fields.end, split, "end");
  set_field(fields.size, split, "size");
  set_field(fields.mtime_ns, split, "mtime_ns");
  set_field(fields.inode, split, "inode");
  fields.decode = decoding_of(nb::cast<std::string_view>(split.attr("decode")));
  return read_split(fields, records);
}

void register_splits(nb::module_& module) {
  module.def(
      "format_of",
      [](const nb::bytes& first) {
        return name_of(decoding_of(memory(std::string_view(first.c_str(), first.size()))));
      },
      nb::arg("first"), "Returns the name of the format that the first bytes of a file show.");
  module.def("splits_of", splits_of, nb::arg("source"), nb::arg("split_size"), nb::arg("decode"),
             "Returns the fields of each Split of a file. riffle_io.splits calls it.");
  define_rows(module, "row_splits", row_splits,
              "Returns the fields of each Split of whole rows. riffle_io.splits calls it.",
              nb::arg("split_size"));
  define_rows(module, "row_bounds", row_bounds,
              "Returns the bounds of splits of whole rows. riffle_io.splits calls it for a URL.",
              nb::arg("split_size"), nb::arg("size"));
  define_whole(module, "count_records", for_records, count_records,
               "Returns the number of records: of the items that riffle_io.lines gives.\n\n"
               "Bytes after the last delimiter count as one record. count_lines does not count them.",
               nb::arg("delimiter") = nb::bytes("\n", 1), nb::kw_only());
}

}  // namespace riffle::python
