/// Offers all of riffle by one include. These rules hold for all its functions and classes.
///
/// Throws: a function that fails throws `riffle::error`, also if there is no memory for a block, a record
/// or a whole input. Exceptions of your own functions pass through riffle unchanged. So does
/// `std::bad_alloc` for other memory.
///
/// Lifetime: the documentation of each function says how long a view that it returns stays valid. Moving a
/// range, a source, a reader or a mapped file keeps these views valid.
///
/// Moved-from objects: destroy a range, source or reader that was moved from, or assign to it. Asking it for
/// bytes throws `errc::invalid_argument`. A mapped file that was moved from is empty. Moving a range
/// invalidates its iterators. Destroy them before the object that was moved from.
///
/// Thread safety: any number of threads may call functions at once. One object is for one thread at a time,
/// unless its documentation says otherwise. Different objects may be used by different threads, also for the
/// same file. Objects that borrow one descriptor, `FILE*` or stream share its position: use one at a time.
///
/// Memory: an open input takes one block (`read_options::block_size`) or one window of a mapping. The methods
/// `uring` and `direct` take one block for each read in flight. A record that is longer than a block takes
/// memory of its length. A thread that has closed an input keeps a block of 256 KiB for its next one.
#pragma once

#include <riffle/anonymous_memory.hpp>
#include <riffle/blocks.hpp>
#include <riffle/byte_set.hpp>
#include <riffle/columns.hpp>
#include <riffle/count.hpp>
#include <riffle/count_text.hpp>
#include <riffle/dialect.hpp>
#include <riffle/error.hpp>
#include <riffle/fields.hpp>
#include <riffle/input.hpp>
#include <riffle/istream.hpp>
#include <riffle/kernels.hpp>
#include <riffle/line_index.hpp>
#include <riffle/lines.hpp>
#include <riffle/mapped_file.hpp>
#include <riffle/methods.hpp>
#include <riffle/numbers.hpp>
#include <riffle/options.hpp>
#include <riffle/parallel.hpp>
#include <riffle/parallel_files.hpp>
#include <riffle/parallel_rows.hpp>
#include <riffle/reader.hpp>
#include <riffle/rows.hpp>
#include <riffle/scan.hpp>
#include <riffle/sequences.hpp>
#include <riffle/source.hpp>
#include <riffle/splits.hpp>
#include <riffle/sum.hpp>
#include <riffle/sums_by.hpp>
#include <riffle/text_options.hpp>
#include <riffle/value_counts.hpp>
#include <riffle/values.hpp>
#include <riffle/version.hpp>
#include <riffle/words.hpp>
