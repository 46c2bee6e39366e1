/// Bounds an open file to the records that start in one of its splits.
#pragma once

#include <riffle/file_split.hpp>

#include <optional>
#include <string>

#include "method/open_file.hpp"

namespace riffle::inline v0 {

/// Returns why another process cannot read what lies at this path, without opening it, which waits for the
/// writer of a FIFO; `std::nullopt` if it can, or if there is nothing.
std::optional<std::string> why_unsplittable(const std::filesystem::path& path);

/// Throws `riffle::error` (`errc::changed`) if the file is not as it was when it was split.
void require_unchanged(const os::file& file, const file_split& split);

/// Sets where reading starts and stops. Throws `riffle::error` if the split is not one of this file, or if
/// the file cannot be read. Calls `given.before_block` while it looks for the ends of records.
void restrict_to(open_file& known, const detail::split_records& part, const read_options& given);

/// The same for a compressed file, whose splits begin at members.
void restrict_to_members(open_file& known, const detail::split_records& part);

}  // namespace riffle::inline v0
