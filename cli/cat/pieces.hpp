/// The bytes of an input as they come, or as whole lines.
#ifndef RIFFLE_CLI_CAT_PIECES_HPP
#define RIFFLE_CLI_CAT_PIECES_HPP

#include <riffle/error.hpp>
#include <riffle/source.hpp>

#include <cstddef>
#include <optional>

#include "cli/cat/arguments.hpp"

namespace riffle::cli {

/// Hands out an input piece by piece, from where its source stands.
class pieces {
 public:
  /// The source must outlive this object.
  pieces(source& from, const cat_arguments& given) : from_(from), given_(given) {}

  /// Returns the next piece; an empty one at the end. Throws `riffle::error`: `errc::record_too_long` for a
  /// line over `max_length`, after the lines before it; what `source::next` throws. A piece stays valid until
  /// the next call.
  block next() { return given_.whole_lines ? next_lines() : from_.next(); }

 private:
  block next_lines();
  block next_region();
  std::optional<std::size_t> find_too_long(std::string_view region) const;

  source& from_;
  const cat_arguments& given_;
  std::size_t kept_ = 0;                        // bytes at the end of the last block, the start of a line
  std::optional<std::uint64_t> too_long_ = {};  // the offset of such a line
};

}  // namespace riffle::cli

#endif
