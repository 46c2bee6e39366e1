/// Offers riffle to C, and to all languages that call C. These functions and structs stay, in source and
/// binary.
///
/// Outcomes: each function that returns a `riffle_code` returns RIFFLE_OK or the code of a failure. A
/// function that hands out records has three outcomes: RIFFLE_OK with a count above 0; RIFFLE_OK with a count
/// of 0, the end; a failure, with a count of 0. No exception leaves a function. A wrong argument, such as a
/// null pointer, is RIFFLE_INVALID_ARGUMENT.
///
/// Errors: the last parameter of these functions is a `riffle_error` of yours, or NULL. A failure fills it. A
/// success leaves it as it is. It owns nothing: you may pass the same one again, and need not initialise it.
///
/// Options: a pointer to options may be NULL: the defaults. Let the `_init` function of a struct set its size
/// and defaults, then change what you want. A newer riffle adds members at the end of a struct, and takes the
/// smaller struct of your program as it was. A struct that is newer than the library is
/// RIFFLE_INVALID_ARGUMENT if it sets a member that the library lacks. A flag is 0 or 1. The functions read
/// options, and copy what they keep.
///
/// Lifetime: a function ending in `_open` makes a handle, which the one ending in `_close` destroys. Closing
/// takes the address of your pointer and sets it to NULL, so that a closed handle is RIFFLE_INVALID_ARGUMENT.
/// Closing NULL does nothing.
///
/// Thread safety: any number of threads may call functions at once. One handle is for one thread at a time;
/// any number of threads may use one `riffle_input` or `riffle_mapped`.
///
/// Text is bytes with a size; it may hold NUL bytes and does not end in one. Paths end in a NUL byte. On
/// Windows a path is UTF-8.
#ifndef RIFFLE_H
#define RIFFLE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Marks the functions that the shared library exports.
#if defined(__GNUC__)
#define RIFFLE_C_API __attribute__((visibility("default")))
#else
#define RIFFLE_C_API
#endif

/// Holds text: `size` bytes at `data`, which may be null if there are none. It borrows them.
typedef struct riffle_string {
  const char* data;
  size_t size;
} riffle_string;

/// Names the outcome of a function. The numbers stay.
typedef int32_t riffle_code;
enum {
  RIFFLE_OK = 0,                   ///< success
  RIFFLE_METHOD_UNAVAILABLE = 1,   ///< the method that you named cannot be used; the message says why
  RIFFLE_PARTIAL_VALUE = 2,        ///< the input ends inside a value
  RIFFLE_UNEXPECTED_END = 3,       ///< the input ends before what you asked for
  RIFFLE_RECORD_TOO_LONG = 4,      ///< a record exceeds `max_length`
  RIFFLE_TRUNCATED = 5,            ///< the file shrank while riffle read it
  RIFFLE_SUM_OVERFLOW = 6,         ///< a sum does not fit its type
  RIFFLE_INVALID_ARGUMENT = 7,     ///< an argument or an option makes no sense; the message says which
  RIFFLE_CHANGED = 8,              ///< the file changed since it was split
  RIFFLE_BAD_QUOTING = 9,          ///< a quote of a row stands in the wrong place, or is not closed
  RIFFLE_MISSING_FIELD = 10,       ///< a row has fewer fields than you asked for
  RIFFLE_BAD_VALUE = 11,           ///< the text of a field is no value of the type that you asked for
  RIFFLE_VALUE_OUT_OF_RANGE = 12,  ///< the value of a field does not fit the type that you asked for
  RIFFLE_NO_SUCH_COLUMN = 13,      ///< no column has the name that you asked for, or several have
  RIFFLE_BAD_COMPRESSION = 14,     ///< the compressed bytes are damaged, or of another format
  RIFFLE_TOO_LARGE = 15,           ///< the input exceeds `max_size`
  RIFFLE_WRONG_FIELD_COUNT = 16,   ///< a row has more or fewer fields than the header or the first row
  RIFFLE_SYSTEM = 100,             ///< the operating system failed: `riffle_error.system_error` is its number
  RIFFLE_NO_MEMORY = 101,          ///< there is no memory
  RIFFLE_STOPPED = 102,   ///< a function of yours returned another number than 0: `riffle_error.returned`
  RIFFLE_EXCEPTION = 103  ///< a function of yours threw a C++ exception, which riffle dropped
};

/// Names what helps after a failure. The numbers stay.
enum {
  RIFFLE_REMEDY_NONE = 0,                ///< riffle has nothing to set
  RIFFLE_REMEDY_USE_METHOD = 1,          ///< another `method`; the message may name one
  RIFFLE_REMEDY_USE_DECODING = 2,        ///< another `decode`, which the message names
  RIFFLE_REMEDY_USE_BLOCKS = 3,          ///< `riffle_blocks_open`, which needs no mapping
  RIFFLE_REMEDY_SMALLER_BLOCK_SIZE = 4,  ///< a smaller `block_size`
  RIFFLE_REMEDY_SET_MAX_LENGTH = 5,      ///< a limit, which refuses a record of this length
  RIFFLE_REMEDY_LARGER_MAX_LENGTH = 6,   ///< a larger `max_length`
  RIFFLE_REMEDY_LARGER_MAX_SIZE = 7,     ///< a larger `max_size`
  RIFFLE_REMEDY_LARGER_SPLIT_SIZE = 8,   ///< a larger `split_size`
  RIFFLE_REMEDY_FEWER_THREADS = 9,       ///< fewer threads
  RIFFLE_REMEDY_NAME_NULL = 10,          ///< none in C
  RIFFLE_REMEDY_ONE_DECODE_THREAD = 11,  ///< to open the input again, or `decode_threads` 1
  RIFFLE_REMEDY_FEWER_BYTES = 12         ///< to take fewer bytes at a time
};

/// Stands for an offset that a failure does not have.
#define RIFFLE_NO_OFFSET UINT64_MAX

/// Says what failed. Only `message` is for people; it may change.
typedef struct riffle_error {
  riffle_code code;            ///< what the function returned
  int32_t system_error;        ///< the number of the operating system (errno), or 0
  int32_t returned;            ///< what your function returned, for RIFFLE_STOPPED; else 0
  int32_t remedy;              ///< RIFFLE_REMEDY_...
  uint64_t offset;             ///< of the failure, in bytes from the start of the input; or RIFFLE_NO_OFFSET
  uint64_t compressed_offset;  ///< the same in a compressed input; `offset` then counts decoded bytes
  uint64_t reserved[4];        ///< zeros
  /// Says what failed, why, and what helps: "cannot open 'a': No such file or directory". It ends in a NUL
  /// byte. The middle of a longer message is replaced by "...".
  char message[1024];
} riffle_error;

/// Names a method: how riffle gets the bytes of an input into memory.
enum {
  RIFFLE_METHOD_AUTOMATIC = 0,  ///< riffle chooses by the facts about the input
  RIFFLE_METHOD_READ = 1,       ///< read(2) and pread(2) into one buffer
  RIFFLE_METHOD_STDIO = 2,      ///< fread(3)
  RIFFLE_METHOD_IOSTREAM = 3,   ///< the buffer of a C++ stream
  RIFFLE_METHOD_MMAP = 4,       ///< mapped windows, guarded against SIGBUS
  RIFFLE_METHOD_URING = 5,      ///< io_uring
  RIFFLE_METHOD_DIRECT = 6      ///< O_DIRECT, past the page cache
};

/// Names what the bytes of an input are decoded from.
enum {
  RIFFLE_DECODE_NONE = 0,       ///< hand out the bytes as they are
  RIFFLE_DECODE_AUTOMATIC = 1,  ///< the format that the first bytes show; none if they show none
  RIFFLE_DECODE_GZIP = 2,
  RIFFLE_DECODE_ZLIB = 3,
  RIFFLE_DECODE_ZSTD = 4,
  RIFFLE_DECODE_XZ = 5,
  RIFFLE_DECODE_BZIP2 = 6,
  RIFFLE_DECODE_LZ4 = 7
};

/// Returns the version of the library that runs, "0.1.0". Lifetime: that of the program.
RIFFLE_C_API const char* riffle_version(void);
/// Returns the name of a method, "mmap", as the tool's option `--method` takes it; NULL for a number that is
/// no method. Lifetime: that of the program.
RIFFLE_C_API const char* riffle_method_name(int32_t method);

/// Holds what riffle reads. Making one opens nothing. Any number of functions may read one after the other,
/// and of threads at once; what a descriptor or a function of yours has read is gone for the next. Lifetime:
/// you may close it as soon as the function that took it has returned, but what it borrows must outlive the
/// reading.
typedef struct riffle_input riffle_input;

/// Holds functions of yours that riffle reads by. Each writes up to `room` bytes to `into`, sets `*count` to
/// their number, and returns 0. Another number stops the reading: RIFFLE_STOPPED. The next call goes on where
/// your function stopped it.
typedef struct riffle_callbacks {
  size_t size;  ///< of this struct: sizeof(riffle_callbacks)
  void* user;   ///< is passed to the functions
  /// Reads the next bytes; a count of 0 is the end. Thread safety: one thread at a time calls it.
  int (*read)(void* user, char* into, size_t room, size_t* count);
  /// If it is set, riffle calls it instead of `read`, for the bytes from `offset` on, never at or after
  /// `length`. Thread safety: several threads call it at once, some of them riffle's own.
  int (*read_at)(void* user, uint64_t offset, char* into, size_t room, size_t* count);
  uint64_t length;   ///< the bytes that `read_at` reads
  const char* name;  ///< of the input in messages; NULL: "object". riffle copies it
} riffle_callbacks;

/// These make an input: of a path, which is copied; an open descriptor or a `FILE*`, which is borrowed and
/// not closed, and read from its position; bytes, which are borrowed; functions, whose `user` is borrowed.
/// Each returns NULL if there is no memory or an argument is wrong, and what takes the NULL returns
/// RIFFLE_INVALID_ARGUMENT.
RIFFLE_C_API riffle_input* riffle_input_path(const char* path);
RIFFLE_C_API riffle_input* riffle_input_descriptor(int descriptor);
RIFFLE_C_API riffle_input* riffle_input_file(FILE* file);
RIFFLE_C_API riffle_input* riffle_input_memory(const void* data, size_t size);
RIFFLE_C_API riffle_input* riffle_input_callbacks(const riffle_callbacks* callbacks);
/// Destroys `*input`.
RIFFLE_C_API void riffle_input_close(riffle_input** input);

/// Says how an input is read. RIFFLE_INVALID_ARGUMENT: you name a method that has no use for a `queue_depth`
/// or an option of `mmap` that you set.
typedef struct riffle_read_options {
  size_t size;              ///< of this struct
  size_t block_size;        ///< bytes to read at a time; 0: the default of the method
  uint64_t max_size;        ///< the most bytes that riffle hands out: RIFFLE_TOO_LARGE; default: UINT64_MAX
  int32_t method;           ///< RIFFLE_METHOD_...: riffle uses it, or fails with RIFFLE_METHOD_UNAVAILABLE
  int32_t decode;           ///< RIFFLE_DECODE_...; default: none
  uint32_t queue_depth;     ///< reads in flight, for `uring`, `direct` and `read_at`; 0: riffle decides
  uint32_t decode_threads;  ///< threads that decode; 0: riffle decides
  /// If it is set, riffle calls it before it reads each block, with the bytes that were handed out. Another
  /// result than 0 stops the reading: RIFFLE_STOPPED. Thread safety: if several threads read, several call it
  /// at once.
  int (*before_block)(void* user, uint64_t bytes);
  void* user;           ///< is passed to `before_block`
  uint8_t sequential;   ///< tell the OS kernel that the input is read from front to back
  uint8_t will_need;    ///< ask the OS kernel to start reading the whole input now
  uint8_t populate;     ///< `mmap`: fault each window in before it is handed out; default: 1
  uint8_t shared;       ///< `mmap`: map with MAP_SHARED
  uint8_t whole_file;   ///< `mmap`: one mapping instead of windows
  uint8_t keep_cache;   ///< 0: drop the bytes from the page cache after they were read; default: 1
  uint8_t fault_guard;  ///< 0: a page that cannot be read raises SIGBUS; default: 1
  uint8_t reserved;     ///< 0
} riffle_read_options;
/// Sets the defaults. `size` is the size of your struct: sizeof *options. So do the functions like it.
RIFFLE_C_API void riffle_read_options_init(riffle_read_options* options, size_t size);

/// These count an input to its end. `threads` is the number of threads; 0: as many as the process runs at
/// once. `*count` receives the count; if reading fails, that of the blocks before the failure; 0 if nothing
/// was read.
///
/// Counts newlines, as `wc -l`.
RIFFLE_C_API riffle_code riffle_count_lines(const riffle_input* input, uint32_t threads,
                                            const riffle_read_options* reading, uint64_t* count,
                                            riffle_error* error);
/// Counts words: runs of bytes that are not white space of the C locale.
RIFFLE_C_API riffle_code riffle_count_words(const riffle_input* input, uint32_t threads,
                                            const riffle_read_options* reading, uint64_t* count,
                                            riffle_error* error);
/// Counts characters of UTF-8: all bytes but 0x80 to 0xBF.
RIFFLE_C_API riffle_code riffle_count_utf8(const riffle_input* input, uint32_t threads,
                                           const riffle_read_options* reading, uint64_t* count,
                                           riffle_error* error);
/// Counts the bytes that occur in the text `set`.
RIFFLE_C_API riffle_code riffle_count_any_of(const riffle_input* input, riffle_string set, uint32_t threads,
                                             const riffle_read_options* reading, uint64_t* count,
                                             riffle_error* error);

/// Names how bytes are characters.
enum {
  RIFFLE_ENCODING_UTF8 = 0,   ///< UTF-8
  RIFFLE_ENCODING_BYTES = 1,  ///< each byte is a character
  RIFFLE_ENCODING_LOCALE = 2  ///< the encoding of the locale that setlocale(3) set
};

/// Says what `riffle_count_text` counts.
typedef struct riffle_text_options {
  size_t size;              ///< of this struct
  uint32_t threads;         ///< as for `riffle_count_lines`; default: 1
  int32_t encoding;         ///< RIFFLE_ENCODING_...
  uint8_t lines;            ///< count newlines; default: 1
  uint8_t words;            ///< count words; default: 1
  uint8_t characters;       ///< count characters
  uint8_t longest_line;     ///< measure the longest line, in columns
  uint8_t no_break_spaces;  ///< no-break spaces separate words; default: 1
  uint8_t reserved[3];      ///< zeros
} riffle_text_options;
RIFFLE_C_API void riffle_text_options_init(riffle_text_options* options, size_t size);

/// Holds the counts of a text. What was not asked for is 0.
typedef struct riffle_text_counts {
  uint64_t lines;
  uint64_t words;
  uint64_t characters;
  uint64_t bytes;  ///< is always counted
  uint64_t longest_line;
  uint64_t reserved[3];  ///< zeros
} riffle_text_counts;

/// Counts what `wc` counts, in one pass, by the rules of GNU wc 9. `*counts` is as `*count` above.
RIFFLE_C_API riffle_code riffle_count_text(const riffle_input* input, const riffle_text_options* what,
                                           const riffle_read_options* reading, riffle_text_counts* counts,
                                           riffle_error* error);

/// Hands out the records of an input: lines, words, blocks or rows. It owns what it opened.
typedef struct riffle_records riffle_records;

/// Says what a line is.
typedef struct riffle_line_options {
  size_t size;             ///< of this struct
  size_t max_length;       ///< the longest line accepted: RIFFLE_RECORD_TOO_LONG; default: SIZE_MAX
  char delimiter;          ///< the byte that ends a line; default: '\n'
  uint8_t keep_delimiter;  ///< hand out the line with its delimiter
  uint8_t strip_cr;        ///< drop one '\r' before the delimiter
  uint8_t reserved[5];     ///< zeros
} riffle_line_options;
RIFFLE_C_API void riffle_line_options_init(riffle_line_options* options, size_t size);

/// Opens an input to hand out its lines. `*opened` receives the handle; NULL if it fails.
RIFFLE_C_API riffle_code riffle_lines_open(const riffle_input* input, const riffle_line_options* lines,
                                           const riffle_read_options* reading, riffle_records** opened,
                                           riffle_error* error);
/// The same for words. A word over `max_length` bytes is RIFFLE_RECORD_TOO_LONG; SIZE_MAX: no limit; at
/// least 64.
RIFFLE_C_API riffle_code riffle_words_open(const riffle_input* input, size_t max_length,
                                           const riffle_read_options* reading, riffle_records** opened,
                                           riffle_error* error);
/// The same for blocks: the bytes of the input, as they are read.
RIFFLE_C_API riffle_code riffle_blocks_open(const riffle_input* input, const riffle_read_options* reading,
                                            riffle_records** opened, riffle_error* error);
/// Opens the blocks of a path, decoded if their first bytes show a format, as `gzopen` does; riffle_read then
/// takes them. `*opened` receives the handle; NULL if it fails.
RIFFLE_C_API riffle_code riffle_open(const char* path, riffle_records** opened, riffle_error* error);

/// Writes the next lines or words to `views`, at most `capacity`, and their number to `*count`: those that
/// are in memory, which are some thousand; of blocks, one. It reads only if none is left, so that those of a
/// pipe come as soon as they are there. A capacity of 512 suffices. A failure comes after the records before
/// it. A function of yours that stopped the reading lets the next call go on; after another failure it fails
/// again.
///
/// Lifetime: the views stay valid until the next call with this handle.
RIFFLE_C_API riffle_code riffle_records_next(riffle_records* records, riffle_string* views, size_t capacity,
                                             size_t* count, riffle_error* error);
/// Fills `into` with the next bytes of blocks, as `fread` and `gzread` do, for a parser with a buffer of its
/// own. `*count` receives their number: fewer than `capacity` only at the end; after a failure that of the
/// bytes before it, which are taken. Fails as riffle_records_next does; RIFFLE_INVALID_ARGUMENT for other
/// records than blocks.
RIFFLE_C_API riffle_code riffle_read(riffle_records* blocks, void* into, size_t capacity, size_t* count,
                                     riffle_error* error);
/// The same without waiting for more: it copies the bytes that are there, at most `capacity`, and waits only
/// if there is none. `*count` receives their number; 0: the end, or a `capacity` of 0.
RIFFLE_C_API riffle_code riffle_read_some(riffle_records* blocks, void* into, size_t capacity, size_t* count,
                                          riffle_error* error);
/// Fails if the records handed out last cannot be trusted, because their mapped file shrank or its disk
/// failed. The next step checks too, so call it if you stop before the end.
RIFFLE_C_API riffle_code riffle_records_check(const riffle_records* records, riffle_error* error);
/// Returns the offset at which the reading started, in bytes: the position of a descriptor or a `FILE*`; else
/// 0, also of decoded bytes and for NULL.
RIFFLE_C_API uint64_t riffle_records_start(const riffle_records* records);
/// Returns the method in use, RIFFLE_METHOD_...; automatic for memory, which needs none, and for NULL.
RIFFLE_C_API int32_t riffle_records_method(const riffle_records* records);
/// Returns why riffle uses this method; empty for NULL. Lifetime: until the next step.
RIFFLE_C_API riffle_string riffle_records_reason(const riffle_records* records);
/// Destroys `*records`.
RIFFLE_C_API void riffle_records_close(riffle_records** records);

/// Names what becomes of a row that has more or fewer fields than the header, or than the first row.
enum {
  RIFFLE_RAGGED_KEEP = 0,  ///< it is handed out as it is
  RIFFLE_RAGGED_FAIL = 1,  ///< RIFFLE_WRONG_FIELD_COUNT; the next step goes on after it
  RIFFLE_RAGGED_PAD = 2    ///< fields that are missing are empty ones
};

/// Names the dialects that `riffle_dialect_init` sets.
enum {
  RIFFLE_CSV = 0,   ///< commas, quotes, perhaps a '\r' at the end of a row
  RIFFLE_TSV = 1,   ///< tabs, no quotes
  RIFFLE_PLAIN = 2  ///< commas; each other byte counts
};

/// Says how rows are cut into fields. No two of its bytes may be the same.
typedef struct riffle_dialect {
  size_t size;         ///< of this struct
  size_t max_length;   ///< the longest row accepted: RIFFLE_RECORD_TOO_LONG; default: SIZE_MAX
  uint64_t skip_rows;  ///< rows to skip at the start of the input
  int32_t quote;       ///< the byte around fields that may hold separators, 0 to 255; -1: none
  int32_t comment;     ///< skip rows that start with this byte; -1: none
  int32_t ragged;      ///< RIFFLE_RAGGED_...
  char separator;      ///< the byte between fields
  char delimiter;      ///< the byte that ends a row
  uint8_t
      strict_quoting;  ///< 1: a quote in the wrong place is RIFFLE_BAD_QUOTING; 0: it is a byte of its field
  uint8_t strip_cr;    ///< drop one '\r' at the end of a row
  uint8_t skip_bom;    ///< skip a byte order mark of UTF-8; default: 1
  uint8_t skip_blank;  ///< skip rows without a byte
  uint8_t trim;        ///< drop spaces and tabs around fields; needs `unescape`
  uint8_t header;      ///< the first row names the columns, and is not handed out
  uint8_t unescape;  ///< hand out fields without quotes, and one quote for two; 0: as they stand; default: 1
  uint8_t reserved[3];  ///< zeros
} riffle_dialect;
/// Sets the dialect RIFFLE_CSV, RIFFLE_TSV or RIFFLE_PLAIN. A function that takes a struct that was set by
/// another number returns RIFFLE_INVALID_ARGUMENT.
RIFFLE_C_API void riffle_dialect_init(riffle_dialect* rows, size_t size, int32_t dialect);

/// Holds a row. Lifetime: until the next call with the handle.
typedef struct riffle_row {
  const riffle_string* fields;  ///< one at least
  size_t count;                 ///< of the fields
  uint64_t offset;              ///< of the first byte, in bytes from the start of the input
} riffle_row;

/// Opens an input to hand out its rows. `*opened` receives the handle; NULL if it fails.
RIFFLE_C_API riffle_code riffle_rows_open(const riffle_input* input, const riffle_dialect* rows,
                                          const riffle_read_options* reading, riffle_records** opened,
                                          riffle_error* error);
/// Writes the next rows to `rows`, as `riffle_records_next` does.
RIFFLE_C_API riffle_code riffle_rows_next(riffle_records* records, riffle_row* rows, size_t capacity,
                                          size_t* count, riffle_error* error);
/// Finds the column of that name: `*index` receives its place among the fields of a row. The dialect must
/// have a header, which is read if no row was. RIFFLE_NO_SUCH_COLUMN if no column has the name, or several
/// have.
RIFFLE_C_API riffle_code riffle_rows_column(riffle_records* records, riffle_string name, size_t* index,
                                            riffle_error* error);
/// Writes the names of the columns to `views`, at most `capacity`, and the number of columns to `*count`: 0
/// without a header. Lifetime: that of the handle.
RIFFLE_C_API riffle_code riffle_rows_names(riffle_records* records, riffle_string* views, size_t capacity,
                                           size_t* count, riffle_error* error);

/// Says how an input is split among threads. A split owns each record that starts in it.
typedef struct riffle_parallel_options {
  size_t size;         ///< of this struct
  size_t split_size;   ///< bytes in a split, approximately; 0: 4 MiB
  size_t record_size;  ///< bytes in a record, if there is no delimiter; 1: split anywhere; default: 1
  uint32_t threads;    ///< 0: as many as the process runs at once
  int32_t delimiter;   ///< the byte that ends a record, 0 to 255; -1: records have a size; default: '\n'
} riffle_parallel_options;
RIFFLE_C_API void riffle_parallel_options_init(riffle_parallel_options* options, size_t size);

/// Calls `each` with every split of an input, and the offset of its first byte, in no particular order.
/// Another result than 0 stops all threads: RIFFLE_STOPPED. If the call fails, nothing of what `each` made
/// counts.
///
/// Thread safety: several threads call `each` at once. Lifetime: a split stays valid during the call of
/// `each`.
RIFFLE_C_API riffle_code riffle_parallel(const riffle_input* input,
                                         int (*each)(void* user, riffle_string split, uint64_t offset),
                                         void* user, const riffle_parallel_options* splitting,
                                         const riffle_read_options* reading, riffle_error* error);

/// Holds a file, or a range of it, as contiguous memory that cannot be written.
typedef struct riffle_mapped riffle_mapped;

/// Says how a file is mapped.
typedef struct riffle_mapping_options {
  size_t size;          ///< of this struct
  uint64_t offset;      ///< where the mapping starts in the file, in bytes
  uint64_t length;      ///< bytes to map; UINT64_MAX, the default: to the end
  uint8_t sequential;   ///< tell the OS kernel that you use the bytes from front to back
  uint8_t random;       ///< tell the OS kernel that you use the bytes in no order
  uint8_t will_need;    ///< ask the OS kernel to start reading the whole mapping now
  uint8_t populate;     ///< fault the whole mapping in now
  uint8_t fault_guard;  ///< 0: a page that cannot be read raises SIGBUS; default: 1
  uint8_t reserved[3];  ///< zeros
} riffle_mapping_options;
RIFFLE_C_API void riffle_mapping_options_init(riffle_mapping_options* options, size_t size);

/// Maps the file of an input, which must be a path or a descriptor. `*opened` receives the handle; NULL if it
/// fails.
RIFFLE_C_API riffle_code riffle_mapped_open(const riffle_input* input, const riffle_mapping_options* options,
                                            riffle_mapped** opened, riffle_error* error);
/// Returns all bytes of the mapping; none for NULL. Lifetime: that of the handle.
RIFFLE_C_API riffle_string riffle_mapped_bytes(const riffle_mapped* mapped);
/// Fails if a page was lost, whose bytes then read as zeros, or if the file now ends before the mapping. Call
/// it after you used the bytes and before you trust the result.
RIFFLE_C_API riffle_code riffle_mapped_check(const riffle_mapped* mapped, riffle_error* error);
/// Makes an input of the mapping, as the functions above; what reads it checks it. Lifetime: the mapping must
/// outlive the reading.
RIFFLE_C_API riffle_input* riffle_input_mapped(const riffle_mapped* mapped);
/// Destroys `*mapped`.
RIFFLE_C_API void riffle_mapped_close(riffle_mapped** mapped);

#ifdef __cplusplus
}
#endif

#endif
