/// All of riffle by one include.
#ifndef RIFFLE_RIFFLE_HPP
#define RIFFLE_RIFFLE_HPP

#include <riffle/anonymous_memory.hpp>
#include <riffle/blocks.hpp>
#include <riffle/bytes.hpp>
#include <riffle/error.hpp>
#include <riffle/input.hpp>
#include <riffle/kernels.hpp>
#include <riffle/lines.hpp>
#include <riffle/mapped_file.hpp>
#include <riffle/methods.hpp>
#include <riffle/options.hpp>
#include <riffle/parallel.hpp>
#include <riffle/reader.hpp>
#include <riffle/scan.hpp>
#include <riffle/source.hpp>
#include <riffle/sum.hpp>
#include <riffle/values.hpp>
#include <riffle/version.hpp>
#include <riffle/words.hpp>

#endif
