/// All of riffle by one include, and the rules that hold for all its classes.
///
/// Errors: a function that fails throws `riffle::error`. Other exceptions come from the caller's own
/// functions, or are `std::bad_alloc` if a size that the caller did not choose does not fit into memory.
///
/// Moving: a range, a source, a reader or a mapped file that was moved from can be assigned to and destroyed,
/// and nothing else. Views into the bytes stay valid. Iterators of a moved range are invalid, and must be
/// destroyed before it.
///
/// Threads: functions may be called from several threads at once. An object is for one thread at a time; a
/// `const mapped_file` is for several. Different objects may be used by different threads, also of the same
/// file.
///
/// Memory: a source takes one block (`read_options::block_size`), or a window of the mapping. A thread that
/// has ended its reading may keep one block for the next one.
#ifndef RIFFLE_RIFFLE_HPP
#define RIFFLE_RIFFLE_HPP

#include <riffle/anonymous_memory.hpp>
#include <riffle/blocks.hpp>
#include <riffle/bytes.hpp>
#include <riffle/count.hpp>
#include <riffle/error.hpp>
#include <riffle/input.hpp>
#include <riffle/kernels.hpp>
#include <riffle/lines.hpp>
#include <riffle/mapped_file.hpp>
#include <riffle/memory.hpp>
#include <riffle/methods.hpp>
#include <riffle/numbered_lines.hpp>
#include <riffle/options.hpp>
#include <riffle/parallel.hpp>
#include <riffle/parallel_files.hpp>
#include <riffle/reader.hpp>
#include <riffle/scan.hpp>
#include <riffle/source.hpp>
#include <riffle/sum.hpp>
#include <riffle/values.hpp>
#include <riffle/version.hpp>
#include <riffle/words.hpp>

#endif
