/// The names of the files of a split, as GNU split counts them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace riffle::cli {

/// Returns the letters or digits of a suffix that stand for the number `index`, from 0. They are of this
/// length; empty if they are too few. A length of 0 grows: aa to yz, zaaa to zyzz, zzaaaa and so on, so that
/// the names are in order. The alphabet is a to z, or the digits.
std::string suffix_of(std::uint64_t index, std::size_t length, bool numeric);

/// Returns the length of the suffixes of so many files, at least 2.
std::size_t suffix_length_for(std::uint64_t files, bool numeric) noexcept;

}  // namespace riffle::cli
