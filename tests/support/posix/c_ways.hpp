/// Ways to read through riffle.h and riffle17.hpp, for the table of ways.
#pragma once

#include "tests/support/posix/ways.hpp"

namespace riffle::test {

void c_lines(const input& from, delivery& got);
void c_words(const input& from, delivery& got);
void c_blocks(const input& from, delivery& got);
void c_read_some(const input& from, delivery& got);
void c_read(const input& from, delivery& got);
void lines_of_17(const input& from, delivery& got);
void read_of_17(const input& from, delivery& got);
void reader_of_17(const input& from, delivery& got);
void c_rows(const input& from, delivery& got);
void c_count_lines(const input& from, delivery& got);
void c_parallel(const input& from, delivery& got);

}  // namespace riffle::test
