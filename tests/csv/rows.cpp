/// Prints the rows of files for tests/csv/differential, and compares those of threads with those of one.
#include <riffle/riffle.hpp>

#include <iostream>
#include <string>

namespace {

using riffle::dialect;

// A row a line. A field may hold any byte, so it is written as hexadecimal digits.
std::string described(riffle::row_range& rows) {
  std::string text;
  for (const riffle::row each : rows) {
    for (std::size_t i = 0; i != each.size(); ++i) {
      if (i != 0) text += ',';
      for (const char byte : each.unescaped(i)) {
        for (const unsigned shift : {4U, 0U})
          text += "0123456789abcdef"[static_cast<unsigned char>(byte) >> shift & 15U];
      }
    }
    text += '\n';
  }
  return text;
}

std::string all_of(const std::string& path, const dialect& rows, std::size_t part, std::size_t block_size) {
  try {
    return riffle::parallel_rows(path, std::string(), described, std::plus<>(), rows,
                                 {.threads = part == 0 ? 1U : 2U, .split_size = part},
                                 {.method = riffle::method::read, .block_size = block_size});
  } catch (const riffle::error& failure) {
    return std::string("E") + failure.what() + '\n';
  }
}

void print(const std::string& path, const dialect& rows) {
  const std::string all = all_of(path, rows, 0, 0);
  const std::size_t size = riffle::read_all(path).size();
  for (std::size_t parts = 1; parts <= 9; ++parts) {
    for (const std::size_t block_size : {std::size_t{1}, std::size_t{7}, std::size_t{64}, std::size_t{0}}) {
      if (block_size != 0 && size > 4096) continue;
      if (all_of(path, rows, size / parts + 1, block_size) == all) continue;
      std::cerr << path << ": " << parts << " parts in blocks of " << block_size << " differ\n";
    }
  }
  std::cout << all.size() << '\n' << all;
}

}  // namespace

/// `riffle-csv-rows FIELD QUOTE [COMMENT]`: the files are those that standard input names, one a line. An
/// empty row is one, as in Python's csv.
int main(int count, char** arguments) {
  if (count < 3) return 2;
  dialect rows{.separator = *arguments[1], .quote = *arguments[2], .skip_blank = false};
  if (count > 3) rows.comment = *arguments[3];
  for (std::string path; std::getline(std::cin, path);) print(path, rows);
}
