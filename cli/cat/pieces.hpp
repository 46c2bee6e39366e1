/// The bytes of an input as they come, or as whole lines.
#ifndef RIFFLE_CLI_CAT_PIECES_HPP
#define RIFFLE_CLI_CAT_PIECES_HPP

#include <riffle/detail/line_scan.hpp>
#include <riffle/source.hpp>

#include <cstddef>
#include <optional>

#include "cli/cat/arguments.hpp"

namespace riffle::cli {

/// Hands out an input piece by piece, from where its source stands.
class pieces {
 public:
  /// The source must outlive this object.
  pieces(source& from, const cat_arguments& given);

  /// Returns the next piece; an empty one at the end. Throws `riffle::error`: `errc::record_too_long` for a
  /// line over `max_length`, after the lines before it; what `source::next` throws. A piece stays valid until
  /// the next call.
  block next() { return whole_lines_ ? next_lines() : from_.next(); }

 private:
  block next_lines();
  block lines_of(const block& region);

  source& from_;
  bool whole_lines_;
  detail::line_scan scan_;
  std::size_t kept_ = 0;  // bytes at the end of the last block, the start of a line
  std::optional<error> failure_ = {};
};

}  // namespace riffle::cli

#endif
