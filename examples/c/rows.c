// rows FILE COLUMN: prints the sum of a column of CSV, which the first row names.
#include <riffle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A field does not end in a zero, which strtod looks for.
static double number_of(riffle_string field) {
  char text[64];
  const size_t size = field.size < sizeof text ? field.size : sizeof text - 1;
  memcpy(text, field.data, size);
  text[size] = '\0';
  return strtod(text, NULL);
}

int main(int argc, char** argv) {
  riffle_error error;
  riffle_dialect csv;
  riffle_records* records = NULL;
  riffle_row rows[64];
  size_t count = 0, column = 0;
  double sum = 0;
  if (argc != 3) {
    fprintf(stderr, "usage: rows FILE COLUMN\n");
    return 2;
  }
  riffle_dialect_init(&csv, sizeof csv, RIFFLE_CSV);
  csv.header = 1;
  csv.ragged = RIFFLE_RAGGED_FAIL;  // so that each row has the column
  riffle_input* input = riffle_input_path(argv[1]);
  riffle_code code = riffle_rows_open(input, &csv, NULL, &records, &error);
  riffle_input_close(&input);
  if (code == RIFFLE_OK) {
    const riffle_string name = {argv[2], strlen(argv[2])};
    code = riffle_rows_column(records, name, &column, &error);
  }
  while (code == RIFFLE_OK) {
    code = riffle_rows_next(records, rows, sizeof rows / sizeof *rows, &count, &error);
    if (code != RIFFLE_OK || count == 0) break;
    for (size_t i = 0; i != count; ++i) sum += number_of(rows[i].fields[column]);
  }
  riffle_records_close(&records);
  if (code != RIFFLE_OK) {
    fprintf(stderr, "rows: %s\n", error.message);
    return 1;
  }
  printf("%g\n", sum);
  return 0;
}
