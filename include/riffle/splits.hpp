/// Offers functions that split a file for other processes and machines, and read one split.
#pragma once

#include <riffle/export.hpp>
#include <riffle/input.hpp>
#include <riffle/options.hpp>

#include <cstdint>
#include <vector>

namespace riffle::inline v0 {

/// Says how a file is split. Use designated initialisers: `{.size = 1 << 30}`.
struct split_options {
  /// Bytes in a split; 0: the default, 128 MiB. The last split may be shorter.
  std::uint64_t size = std::uint64_t{128} << 20U;
  /// The format of a compressed file, which is then split where a block of BGZF or xz or a frame of Zstandard
  /// begins; the whole file is one split if it can be decoded from its start only, as one member of gzip. The
  /// splits carry the format (`file_split::decode`). Their sizes and offsets count compressed bytes.
  decoding decode = decoding::none;
};

/// Returns the splits of a file, in the order of their offsets: each byte lies in one of them. An empty file
/// has none. It looks at the size and reads no records. A compressed file is read once, and not decoded.
///
/// Throws `riffle::error`: `errc::invalid_argument` if `from` is not the path of a regular file or a block
/// device, because another process cannot read its bytes again, or if the file has more bytes than it
/// reports, as in /proc; a code of the system if the file cannot be opened, is a directory, or if there is no
/// memory for the result.
[[nodiscard]] RIFFLE_API std::vector<file_split> splits(const input& from, const split_options& options = {});

/// Returns the records that start in a split, as an input for every function that reads one:
/// `for (std::string_view line : riffle::lines(riffle::read_split(split)))`.
///
/// A record starts at the start of the file and after each delimiter. The splits of a file hold each record
/// once. A split has no records if one record covers it. Offsets count from the start of the file, and
/// numbers of lines from the first record of the split. Offsets in a compressed file count the decoded bytes
/// from the first record of the split.
///
/// The returned input opens nothing. Opening it throws `riffle::error`: `errc::changed` if the file has
/// another size, time of modification or inode than when it was split; `errc::invalid_argument` if the split
/// lies outside its file; a code of the system if the file cannot be opened or read. Reading it to its end
/// throws `errc::changed` if the file changed meanwhile. `lines` and `rows` throw `errc::invalid_argument` if
/// their delimiter is not that of `records`. A split that cuts a quoted field of a row is
/// `errc::bad_quoting`: `splits` with `dialect` cuts none.
[[nodiscard]] RIFFLE_API input read_split(const file_split& split, const record_options& records = {});

}  // namespace riffle::inline v0
