/// How the last lines of an input are found by counting delimiters.
#pragma once

#include <riffle/source.hpp>

#include <cstdint>
#include <optional>

#include "cli/chosen.hpp"

namespace riffle::cli {

/// Returns the offset of the last `lines` lines (1 or more) before the offset `end`, reading blocks from
/// there backwards; the start of the source if it has no more lines; nothing if the input ends before `end`.
/// The source must be seekable, stand before `end`, and it stands anywhere afterwards. Throws what the source
/// throws.
std::optional<std::uint64_t> start_of_last(source& from, std::uint64_t end, std::uint64_t lines,
                                           char delimiter);

}  // namespace riffle::cli
