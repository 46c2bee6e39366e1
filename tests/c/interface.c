/* Each function of riffle.h, called by C99, and by C++17 without exceptions. */
#define _POSIX_C_SOURCE 200809L
#include <riffle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int failures;
#define CHECK(condition) \
  ((condition) ? (void)0 : (void)(printf("%s:%d: %s\n", __FILE__, __LINE__, #condition), ++failures))

static char path[] = "/tmp/riffle-c-XXXXXX";
static riffle_error error;

static riffle_string text_of(const char* text) {
  riffle_string view;
  view.data = text;
  view.size = strlen(text);
  return view;
}
static int is(riffle_string view, const char* text) {
  return view.size == strlen(text) && memcmp(view.data, text, view.size) == 0;
}
static int says(const char* words) {
  return strstr(error.message, words) != NULL;
}

/* Hands out the bytes of a text in pieces; stops at each of the first `stops` calls but the first. */
struct pieces {
  const char* text;
  size_t size, at;
  int stops, calls;
};
static int read_piece(void* user, char* into, size_t room, size_t* count) {
  struct pieces* of = (struct pieces*)user;
  size_t size = of->size - of->at;
  if (++of->calls > 1 && of->calls <= of->stops) return 42;
  if (size > 3) size = 3;
  if (size > room) size = room;
  memcpy(into, of->text + of->at, size);
  of->at += size;
  *count = size;
  return 0;
}
static int read_at(void* user, uint64_t offset, char* into, size_t room, size_t* count) {
  const struct pieces* of = (const struct pieces*)user;
  *count = room < of->size - offset ? room : (size_t)(of->size - offset);
  memcpy(into, of->text + offset, *count);
  return 0;
}
static riffle_input* input_by(struct pieces* of, int at_offsets) {
  riffle_callbacks callbacks;
  memset(&callbacks, 0, sizeof callbacks);
  callbacks.size = sizeof callbacks;
  callbacks.user = of;
  callbacks.read = read_piece;
  callbacks.read_at = at_offsets ? read_at : NULL;
  callbacks.length = of->size;
  callbacks.name = "pieces";
  return riffle_input_callbacks(&callbacks);
}

/* All the other ways to read it are rows of tests/support/posix/c_ways.cpp. */
static const char text[] = "ab \xC3\xA9x\r\nc,d\n\nz";
#define SIZE (sizeof text - 1)

static void each_input_gives_the_lines(void) {
  const char* const expected[] = {"ab \xC3\xA9x", "c,d", "", "z"};
  int kind;
  size_t i, count, found;
  for (kind = 0; kind != 7; ++kind) {
    struct pieces pieces = {text, SIZE, 0, 0, 0};
    riffle_mapped* mapped = NULL;
    FILE* file = fopen(path, "rb");
    riffle_input* from = riffle_input_path(path);
    riffle_input* input;
    riffle_string views[3];
    riffle_line_options options;
    riffle_records* lines = NULL;
    riffle_line_options_init(&options, sizeof options);
    options.strip_cr = 1;
    CHECK(riffle_mapped_open(from, NULL, &mapped, &error) == RIFFLE_OK);
    input = kind == 0   ? riffle_input_path(path)
            : kind == 1 ? riffle_input_descriptor(fileno(file))
            : kind == 2 ? riffle_input_memory(text, SIZE)
            : kind == 3 ? riffle_input_mapped(mapped)
            : kind == 4 ? riffle_input_file(file)
                        : input_by(&pieces, kind == 6);
    CHECK(riffle_lines_open(input, &options, NULL, &lines, &error) == RIFFLE_OK);
    for (found = 0; riffle_records_next(lines, views, 3, &count, &error) == RIFFLE_OK && count != 0;) {
      for (i = 0; i != count; ++i) CHECK(found < 4 && is(views[i], expected[found++]));
    }
    CHECK(found == 4 && riffle_records_check(lines, &error) == RIFFLE_OK);
    riffle_records_close(&lines);
    CHECK(lines == NULL);
    riffle_input_close(&input);
    riffle_input_close(&from);
    riffle_mapped_close(&mapped);
    fclose(file);
  }
}

static void counts_words_and_blocks_agree(void) {
  uint64_t count = 0;
  size_t size = 0;
  riffle_string views[8];
  char some[100];
  riffle_text_options what;
  riffle_text_counts counts;
  riffle_read_options reading;
  riffle_input* input = riffle_input_path(path);
  riffle_records* records = NULL;
  CHECK(riffle_count_lines(input, 1, NULL, &count, &error) == RIFFLE_OK && count == 3);
  CHECK(riffle_count_words(input, 0, NULL, &count, &error) == RIFFLE_OK && count == 4);
  CHECK(riffle_count_utf8(input, 2, NULL, &count, &error) == RIFFLE_OK && count == SIZE - 1);
  CHECK(riffle_count_any_of(input, text_of("ax"), 1, NULL, &count, &error) == RIFFLE_OK && count == 2);
  riffle_text_options_init(&what, sizeof what);
  what.longest_line = 1;
  CHECK(riffle_count_text(input, &what, NULL, &counts, &error) == RIFFLE_OK);
  CHECK(counts.lines == 3 && counts.words == 4 && counts.bytes == SIZE && counts.longest_line > 0 &&
        counts.characters == 0);
  CHECK(riffle_words_open(input, SIZE_MAX, NULL, &records, &error) == RIFFLE_OK);
  CHECK(riffle_records_next(records, views, 8, &size, &error) == RIFFLE_OK && size == 3);
  CHECK(is(views[0], "ab") && is(views[1], "\xC3\xA9x") && is(views[2], "c,d"));
  CHECK(riffle_records_next(records, views, 8, &size, &error) == RIFFLE_OK && size == 1 && is(views[0], "z"));
  riffle_records_close(&records);
  riffle_read_options_init(&reading, sizeof reading);
  reading.method = RIFFLE_METHOD_READ;
  CHECK(riffle_blocks_open(input, &reading, &records, &error) == RIFFLE_OK);
  CHECK(riffle_records_method(records) == RIFFLE_METHOD_READ && riffle_records_reason(records).size != 0);
  CHECK(riffle_read_some(records, some, 3, &size, &error) == RIFFLE_OK && size == 3);
  CHECK(riffle_records_next(records, views, 8, &size, &error) == RIFFLE_OK && is(views[0], text + 3));
  riffle_records_close(&records);
  CHECK(riffle_open(path, &records, &error) == RIFFLE_OK && riffle_records_start(records) == 0);
  CHECK(riffle_read(records, some, sizeof some, &size, &error) == RIFFLE_OK && size == SIZE);
  CHECK(memcmp(some, text, SIZE) == 0);
  CHECK(riffle_read(records, NULL, 0, &size, &error) == RIFFLE_OK && size == 0);
  riffle_records_close(&records);
  riffle_input_close(&input);
}

static void rows_are_cut_and_unescaped(void) {
  const char csv[] = "name,size\na,\"1\"\"2\"\n\"b,c\",\"x\ny\"z\n\nshort\n";
  riffle_row rows[8];
  riffle_string names[3];
  riffle_dialect dialect;
  size_t count = 0, index = 9, i, total = 0;
  riffle_records* records = NULL;
  riffle_input* input = riffle_input_memory(csv, sizeof csv - 1);
  riffle_dialect_init(&dialect, sizeof dialect, RIFFLE_CSV);
  dialect.header = 1;
  CHECK(riffle_rows_open(input, &dialect, NULL, &records, &error) == RIFFLE_OK);
  CHECK(riffle_rows_column(records, text_of("size"), &index, &error) == RIFFLE_OK && index == 1);
  CHECK(riffle_rows_column(records, text_of("none"), &index, &error) == RIFFLE_NO_SUCH_COLUMN);
  CHECK(riffle_rows_names(records, names, 3, &count, &error) == RIFFLE_OK && count == 2);
  CHECK(is(names[0], "name") && is(names[1], "size"));
  CHECK(riffle_rows_next(records, rows, 8, &count, &error) == RIFFLE_OK && count == 3);
  CHECK(rows[0].count == 2 && is(rows[0].fields[0], "a") && is(rows[0].fields[1], "1\"2"));
  CHECK(rows[1].count == 2 && is(rows[1].fields[0], "b,c") && is(rows[1].fields[1], "x\nyz"));
  CHECK(rows[2].count == 1 && is(rows[2].fields[0], "short") && rows[0].offset == 10);
  CHECK(riffle_rows_next(records, rows, 8, &count, &error) == RIFFLE_OK && count == 0);
  CHECK(riffle_records_next(records, names, 3, &count, &error) == RIFFLE_INVALID_ARGUMENT &&
        says("riffle_rows_next"));
  riffle_records_close(&records);

  /* A failure comes after the rows before it, and the next step goes on. */
  dialect.ragged = RIFFLE_RAGGED_FAIL;
  dialect.unescape = 0;
  CHECK(riffle_rows_open(input, &dialect, NULL, &records, &error) == RIFFLE_OK);
  CHECK(riffle_rows_next(records, rows, 8, &count, &error) == RIFFLE_OK && count == 2);
  CHECK(is(rows[0].fields[1], "\"1\"\"2\""));
  CHECK(riffle_rows_next(records, rows, 8, &count, &error) == RIFFLE_WRONG_FIELD_COUNT && count == 0 &&
        error.offset == 33);
  CHECK(riffle_rows_next(records, rows, 8, &count, &error) == RIFFLE_OK && count == 0);
  riffle_records_close(&records);
  dialect.trim = 1;
  CHECK(riffle_rows_open(input, &dialect, NULL, &records, &error) == RIFFLE_INVALID_ARGUMENT && says("trim"));
  riffle_input_close(&input);

  /* Copies of many unescaped fields stay apart, in rows of more fields than a batch holds. */
  {
    char* text = (char*)malloc(100000);
    size_t size = 0;
    for (i = 0; i != 6000; ++i)
      size += (size_t)sprintf(text + size, "\"%d\"\"\"%c", (int)i, i % 5 == 4 ? '\n' : '\t');
    riffle_dialect_init(&dialect, sizeof dialect, RIFFLE_TSV);
    dialect.quote = '"';
    input = riffle_input_memory(text, size);
    CHECK(riffle_rows_open(input, &dialect, NULL, &records, &error) == RIFFLE_OK);
    while (riffle_rows_next(records, rows, 8, &count, &error) == RIFFLE_OK && count != 0) {
      for (i = 0; i != count * 5; ++i) {
        char expected[20];
        sprintf(expected, "%d\"", (int)(total + i));
        CHECK(rows[i / 5].count == 5 && is(rows[i / 5].fields[i % 5], expected));
      }
      total += count * 5;
    }
    CHECK(total == 6000);
    riffle_records_close(&records);
    riffle_input_close(&input);
    free(text);
  }
}

static int note(void* user, uint64_t bytes) {
  *(uint64_t*)user = bytes;
  return bytes >= 6 ? -7 : 0;
}
static int refuse(void* user, riffle_string split, uint64_t offset) {
  (void)user;
  return split.size != 0 && offset == 0 ? 3 : 0;
}
static int count_split(void* user, riffle_string split, uint64_t offset) {
  (void)offset;
  ((uint64_t*)user)[0] += split.size;
  return 0;
}

/* The next call goes on where the function stopped it. */
static void functions_of_yours_stop_the_reading(void) {
  uint64_t seen = 0, count = 0, bytes = 0;
  size_t views_count = 0, lines = 0, stops = 0;
  riffle_code code;
  riffle_string views[64];
  riffle_records* records = NULL;
  riffle_read_options reading;
  riffle_parallel_options splitting;
  struct pieces pieces = {text, SIZE, 0, 5, 0};
  riffle_input* input = riffle_input_path(path);
  riffle_read_options_init(&reading, sizeof reading);
  reading.block_size = 2;
  reading.method = RIFFLE_METHOD_READ;
  reading.before_block = note;
  reading.user = &seen;
  CHECK(riffle_count_lines(input, 1, &reading, &count, &error) == RIFFLE_STOPPED && error.returned == -7);
  CHECK(seen == 6);
  CHECK(riffle_parallel(input, refuse, NULL, NULL, NULL, &error) == RIFFLE_STOPPED && error.returned == 3);
  riffle_parallel_options_init(&splitting, sizeof splitting);
  splitting.threads = 1;
  splitting.split_size = 5;
  CHECK(riffle_parallel(input, count_split, &bytes, &splitting, NULL, &error) == RIFFLE_OK && bytes == SIZE);
  riffle_input_close(&input);
  input = input_by(&pieces, 0);
  CHECK(riffle_lines_open(input, NULL, NULL, &records, &error) == RIFFLE_OK);
  riffle_input_close(&input);
  do {
    code = riffle_records_next(records, views, 64, &views_count, &error);
    if (code != RIFFLE_OK) {
      CHECK(code == RIFFLE_STOPPED && error.returned == 42);
      ++stops;
    }
    lines += views_count;
  } while (code != RIFFLE_OK || views_count != 0);
  riffle_records_close(&records);
  CHECK(stops == 4 && lines == 4);
}

static void failures_say_what_failed(void) {
  riffle_records* records = NULL;
  riffle_mapped* mapped = NULL;
  riffle_string views[8];
  riffle_line_options options;
  riffle_read_options reading;
  uint64_t number = 5;
  size_t count = 5, i;
  riffle_input* input = riffle_input_path("/missing");
  CHECK(riffle_lines_open(input, NULL, NULL, &records, &error) == RIFFLE_SYSTEM && records == NULL);
  CHECK(error.code == RIFFLE_SYSTEM && error.system_error == 2 && error.offset == RIFFLE_NO_OFFSET);
  CHECK(strcmp(error.message, "cannot open '/missing': No such file or directory") == 0);
  CHECK(riffle_count_lines(input, 1, NULL, &number, NULL) == RIFFLE_SYSTEM && number == 0);
  CHECK(riffle_mapped_open(input, NULL, &mapped, &error) == RIFFLE_SYSTEM && mapped == NULL);
  riffle_input_close(&input);

  /* Lines before the failure are handed out, and it stays. */
  input = riffle_input_memory("ab\ncd\nefgh\nij\n", 14);
  riffle_line_options_init(&options, sizeof options);
  options.max_length = 3;
  CHECK(riffle_lines_open(input, &options, NULL, &records, &error) == RIFFLE_OK);
  CHECK(riffle_records_next(records, views, 8, &count, &error) == RIFFLE_OK && count == 2 &&
        is(views[1], "cd"));
  for (i = 0; i != 2; ++i) {
    CHECK(riffle_records_next(records, views, 8, &count, &error) == RIFFLE_RECORD_TOO_LONG && count == 0);
    CHECK(error.offset == 6 && error.remedy == RIFFLE_REMEDY_LARGER_MAX_LENGTH &&
          says("use a larger max_length"));
  }
  riffle_records_close(&records);
  CHECK(riffle_words_open(input, 5, NULL, &records, &error) == RIFFLE_INVALID_ARGUMENT && records == NULL);
  CHECK(riffle_mapped_open(input, NULL, &mapped, &error) == RIFFLE_INVALID_ARGUMENT && says("path"));
  riffle_read_options_init(&reading, sizeof reading);
  reading.max_size = 4;
  CHECK(riffle_count_lines(input, 1, &reading, &number, &error) == RIFFLE_TOO_LARGE &&
        error.remedy == RIFFLE_REMEDY_LARGER_MAX_SIZE);
  riffle_input_close(&input);
}

static void a_mapping_that_lost_bytes_says_so(void) {
  riffle_mapped* mapped = NULL;
  riffle_mapping_options options;
  riffle_input* input = riffle_input_path(path);
  riffle_mapping_options_init(&options, sizeof options);
  options.offset = 5;
  CHECK(riffle_mapped_open(input, &options, &mapped, &error) == RIFFLE_OK);
  CHECK(riffle_mapped_bytes(mapped).size == SIZE - 5 && riffle_mapped_check(mapped, &error) == RIFFLE_OK);
  CHECK(truncate(path, 10) == 0);
  CHECK(riffle_mapped_bytes(mapped).data[SIZE - 6] == 0);
  CHECK(riffle_mapped_check(mapped, &error) == RIFFLE_TRUNCATED);
  riffle_mapped_close(&mapped);
  riffle_input_close(&input);
}

/* A struct of this program, with what a newer header may have after it. */
struct newer {
  riffle_read_options options;
  uint64_t more[2];
};

static void structs_of_each_size_are_taken(void) {
  uint64_t count = 0;
  struct newer newer;
  riffle_read_options* const options = &newer.options;
  riffle_input* input = riffle_input_memory("a\nb\n", 4);
  size_t size;
  memset(&newer, 0xEE, sizeof newer);
  riffle_read_options_init(options, 16); /* as an older program, whose struct ends there */
  CHECK(options->size == 16 && ((unsigned char*)options)[16] == 0xEE);
  CHECK(riffle_count_lines(input, 1, options, &count, &error) == RIFFLE_OK && count == 2);
  riffle_read_options_init(options, sizeof newer);
  CHECK(newer.more[1] == 0 && options->max_size == UINT64_MAX && options->fault_guard == 1);
  CHECK(riffle_count_lines(input, 1, options, &count, &error) == RIFFLE_OK && count == 2);
  newer.more[0] = 1;
  CHECK(riffle_count_lines(input, 1, options, &count, &error) == RIFFLE_INVALID_ARGUMENT && says("lacks"));
  for (size = 0; size != 3; ++size) {
    const size_t wrong[] = {0, 9, SIZE_MAX};
    riffle_read_options_init(options, sizeof *options);
    options->size = wrong[size];
    CHECK(riffle_count_lines(input, 1, options, &count, &error) == RIFFLE_INVALID_ARGUMENT &&
          says("size of a struct"));
  }
  riffle_read_options_init(options, sizeof *options);
  riffle_input_close(&input);
}

#define REFUSED(call) CHECK((call) == RIFFLE_INVALID_ARGUMENT)
#define COUNT_REFUSES_NULL(count)                 \
  REFUSED(count(NULL, 1, NULL, &number, &error)); \
  REFUSED(count(input, 1, NULL, NULL, NULL))
#define OPEN_REFUSES_NULL(open, what)                \
  REFUSED(open(NULL, what, NULL, &records, &error)); \
  REFUSED(open(input, what, NULL, NULL, &error))
#define NEXT_REFUSES_NULL(next, opened, into)     \
  REFUSED(next(NULL, &into, 1, &count, &error));  \
  REFUSED(next(opened, NULL, 1, &count, &error)); \
  REFUSED(next(opened, &into, 1, NULL, &error))
#define REFUSED_SAYING(call, words) \
  CHECK((call) == RIFFLE_INVALID_ARGUMENT && says("invalid argument: " words))

/* Says what was given, and what is allowed. */
static void numbers_that_name_nothing_are_refused(void) {
  riffle_input* input = riffle_input_memory("a\nb\n", 4);
  riffle_records* records = NULL;
  riffle_read_options reading;
  riffle_text_options text;
  riffle_text_counts counts;
  riffle_parallel_options splitting;
  riffle_dialect rows;
  uint64_t count = 0;
  riffle_read_options_init(&reading, sizeof reading);
  riffle_text_options_init(&text, sizeof text);
  riffle_parallel_options_init(&splitting, sizeof splitting);
  reading.method = 99;
  REFUSED_SAYING(riffle_count_lines(input, 1, &reading, &count, &error),
                 "method is 99; use RIFFLE_METHOD_AUTOMATIC (0) to RIFFLE_METHOD_DIRECT (6)");
  reading.method = 0;
  reading.decode = -1;
  REFUSED_SAYING(riffle_count_lines(input, 1, &reading, &count, &error),
                 "decode is -1; use RIFFLE_DECODE_NONE (0) to RIFFLE_DECODE_LZ4 (7)");
  text.encoding = 3;
  REFUSED_SAYING(riffle_count_text(input, &text, NULL, &counts, &error),
                 "encoding is 3; use RIFFLE_ENCODING_UTF8 (0) to RIFFLE_ENCODING_LOCALE (2)");
  splitting.delimiter = 256;
  REFUSED_SAYING(riffle_parallel(input, count_split, &count, &splitting, NULL, &error),
                 "delimiter is 256; use a byte, 0 to 255, or -1 for none");
  splitting.delimiter = -1;
  splitting.record_size = 0;
  REFUSED(riffle_parallel(input, count_split, &count, &splitting, NULL, &error));
  CHECK(says("record_size is 0"));
  riffle_dialect_init(&rows, sizeof rows, 99);
  REFUSED_SAYING(riffle_rows_open(input, &rows, NULL, &records, &error),
                 "riffle_dialect_init was called for an unknown dialect; use RIFFLE_CSV (0) to");
  riffle_dialect_init(&rows, sizeof rows, RIFFLE_TSV);
  rows.ragged = 3;
  REFUSED_SAYING(riffle_rows_open(input, &rows, NULL, &records, &error),
                 "ragged is 3; use RIFFLE_RAGGED_KEEP (0) to RIFFLE_RAGGED_PAD (2)");
  rows.ragged = 0;
  rows.quote = -2;
  REFUSED_SAYING(riffle_rows_open(input, &rows, NULL, &records, &error), "quote is -2; use a byte");
  riffle_input_close(&input);
}

static void null_is_refused_everywhere(void) {
  riffle_input* input = riffle_input_memory("a,b\n", 4);
  riffle_input* none = NULL;
  riffle_records *records = NULL, *rows = NULL, *blocks = NULL, *closed = NULL;
  riffle_mapped* mapped = NULL;
  riffle_string view, bad;
  riffle_row row;
  riffle_text_counts counts;
  riffle_callbacks callbacks;
  uint64_t number;
  size_t count;
  bad.data = NULL;
  bad.size = 3;
  CHECK(riffle_input_path(NULL) == NULL && riffle_input_memory(NULL, 1) == NULL);
  CHECK(riffle_input_callbacks(NULL) == NULL && riffle_input_mapped(NULL) == NULL);
  CHECK(riffle_input_file(NULL) == NULL);
  riffle_read_options_init(NULL, 8);
  riffle_text_options_init(NULL, 8);
  riffle_line_options_init(NULL, 8);
  riffle_dialect_init(NULL, 8, RIFFLE_CSV);
  riffle_parallel_options_init(NULL, 8);
  riffle_mapping_options_init(NULL, 8);
  memset(&callbacks, 0, sizeof callbacks);
  callbacks.size = sizeof callbacks;
  CHECK(riffle_input_callbacks(&callbacks) == NULL);
  REFUSED(riffle_open(NULL, &records, &error));
  REFUSED(riffle_open(path, NULL, &error));
  COUNT_REFUSES_NULL(riffle_count_lines);
  COUNT_REFUSES_NULL(riffle_count_words);
  COUNT_REFUSES_NULL(riffle_count_utf8);
  REFUSED(riffle_count_any_of(input, text_of("a"), 1, NULL, NULL, &error));
  REFUSED(riffle_count_any_of(NULL, view = text_of("a"), 1, NULL, &number, &error));
  REFUSED(riffle_count_any_of(input, bad, 1, NULL, &number, &error));
  REFUSED(riffle_count_text(NULL, NULL, NULL, &counts, &error));
  REFUSED(riffle_count_text(input, NULL, NULL, NULL, &error));
  OPEN_REFUSES_NULL(riffle_lines_open, NULL);
  OPEN_REFUSES_NULL(riffle_words_open, SIZE_MAX);
  OPEN_REFUSES_NULL(riffle_rows_open, NULL);
  REFUSED(riffle_blocks_open(NULL, NULL, &records, &error));
  REFUSED(riffle_blocks_open(input, NULL, NULL, &error));
  REFUSED(riffle_parallel(NULL, count_split, NULL, NULL, NULL, &error));
  REFUSED(riffle_parallel(input, NULL, NULL, NULL, NULL, &error));
  REFUSED(riffle_mapped_open(NULL, NULL, &mapped, &error));
  REFUSED(riffle_mapped_open(input, NULL, NULL, &error));
  REFUSED(riffle_mapped_check(NULL, &error));
  CHECK(riffle_mapped_bytes(NULL).data == NULL && riffle_records_method(NULL) == 0);
  CHECK(riffle_records_reason(NULL).size == 0 && riffle_records_start(NULL) == 0);
  CHECK(riffle_lines_open(input, NULL, NULL, &records, NULL) == RIFFLE_OK);
  CHECK(riffle_rows_open(input, NULL, NULL, &rows, NULL) == RIFFLE_OK);
  CHECK(riffle_blocks_open(input, NULL, &blocks, NULL) == RIFFLE_OK);
  NEXT_REFUSES_NULL(riffle_records_next, records, view);
  REFUSED(riffle_records_next(records, &view, 0, &count, &error));
  NEXT_REFUSES_NULL(riffle_read_some, blocks, view);
  REFUSED(riffle_read_some(records, &view, 1, &count, &error));
  NEXT_REFUSES_NULL(riffle_read, blocks, view);
  REFUSED(riffle_read(records, &view, 1, &count, &error));
  CHECK(riffle_read_some(blocks, NULL, 0, &count, &error) == RIFFLE_OK && count == 0);
  REFUSED(riffle_records_check(closed, &error));
  REFUSED(riffle_rows_next(records, &row, 1, &count, &error));
  NEXT_REFUSES_NULL(riffle_rows_next, rows, row);
  REFUSED(riffle_rows_next(rows, &row, 0, &count, &error));
  REFUSED(riffle_rows_column(closed, view, &count, &error));
  REFUSED(riffle_rows_column(rows, bad, &count, &error));
  REFUSED(riffle_rows_column(rows, view, NULL, &error));
  REFUSED(riffle_rows_column(records, view, &count, &error));
  NEXT_REFUSES_NULL(riffle_rows_names, rows, view);
  CHECK(riffle_rows_next(rows, &row, 1, &count, NULL) == RIFFLE_OK && count == 1 && row.count == 2);
  riffle_records_close(&records);
  riffle_records_close(&records);
  riffle_records_close(&rows);
  riffle_records_close(&blocks);
  riffle_records_close(NULL);
  riffle_mapped_close(NULL);
  riffle_mapped_close(&mapped);
  riffle_input_close(&input);
  riffle_input_close(&input);
  riffle_input_close(&none);
  riffle_input_close(NULL);
  CHECK(strcmp(riffle_method_name(RIFFLE_METHOD_MMAP), "mmap") == 0);
  CHECK(riffle_method_name(7) == NULL && riffle_method_name(-1) == NULL);
  CHECK(strchr(riffle_version(), '.') != NULL);
}

int main(void) {
  const int descriptor = mkstemp(path);
  CHECK(descriptor >= 0 && write(descriptor, text, SIZE) == (int)SIZE && close(descriptor) == 0);
  each_input_gives_the_lines();
  counts_words_and_blocks_agree();
  rows_are_cut_and_unescaped();
  functions_of_yours_stop_the_reading();
  failures_say_what_failed();
  structs_of_each_size_are_taken();
  numbers_that_name_nothing_are_refused();
  null_is_refused_everywhere();
  a_mapping_that_lost_bytes_says_so();
  remove(path);
  printf("%d failures\n", failures);
  return failures != 0;
}
