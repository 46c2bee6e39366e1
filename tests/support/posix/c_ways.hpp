/// Ways to read through riffle.h, for the table of ways.
#pragma once

#include "tests/support/posix/ways.hpp"

namespace riffle::test {

void c_lines(const input& from, delivery& got);
void c_words(const input& from, delivery& got);
void c_blocks(const input& from, delivery& got);
void c_read_some(const input& from, delivery& got);
void c_rows(const input& from, delivery& got);
void c_count_lines(const input& from, delivery& got);
void c_parallel(const input& from, delivery& got);

}  // namespace riffle::test
