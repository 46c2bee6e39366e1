// lines FILE: prints the number of lines of a file and the length of the longest.
#include <riffle.h>
#include <stdio.h>

int main(int argc, char** argv) {
  riffle_error error;
  riffle_records* lines = NULL;
  riffle_string views[512];
  size_t count = 0, number = 0, longest = 0;
  if (argc != 2) {
    fprintf(stderr, "usage: lines FILE\n");
    return 2;
  }
  riffle_input* input = riffle_input_path(argv[1]);
  riffle_code code = riffle_lines_open(input, NULL, NULL, &lines, &error);
  riffle_input_close(&input);  // the lines have what they need of it
  while (code == RIFFLE_OK) {
    code = riffle_records_next(lines, views, sizeof views / sizeof *views, &count, &error);
    if (code != RIFFLE_OK || count == 0) break;
    for (size_t i = 0; i != count; ++i) {
      if (views[i].size > longest) longest = views[i].size;
    }
    number += count;
  }
  riffle_records_close(&lines);
  if (code != RIFFLE_OK) {
    fprintf(stderr, "lines: %s\n", error.message);
    return 1;
  }
  printf("%zu lines, the longest of %zu bytes\n", number, longest);
  return 0;
}
