// parallel_count FILE TEXT: prints how many lines start with a text, by all threads.
#include <pthread.h>
#include <riffle.h>
#include <stdio.h>
#include <string.h>

struct count {
  const char* text;
  pthread_mutex_t mutex;
  unsigned long long lines;
};

// A split holds whole lines. Several threads are here at once.
static int count_split(void* user, riffle_string split, uint64_t offset) {
  struct count* to = (struct count*)user;
  const size_t size = strlen(to->text);
  const char* line = split.data;
  const char* const end = split.data + split.size;
  unsigned long long found = 0;
  (void)offset;
  while (line != end) {
    const char* newline = (const char*)memchr(line, '\n', (size_t)(end - line));
    const char* const next = newline == NULL ? end : newline + 1;
    found += (size_t)(next - line) >= size && memcmp(line, to->text, size) == 0;
    line = next;
  }
  pthread_mutex_lock(&to->mutex);
  to->lines += found;
  pthread_mutex_unlock(&to->mutex);
  return 0;
}

int main(int argc, char** argv) {
  riffle_error error;
  struct count count = {NULL, PTHREAD_MUTEX_INITIALIZER, 0};
  if (argc != 3) {
    fprintf(stderr, "usage: parallel_count FILE TEXT\n");
    return 2;
  }
  count.text = argv[2];
  riffle_input* input = riffle_input_path(argv[1]);
  const riffle_code code = riffle_parallel(input, count_split, &count, NULL, NULL, &error);
  riffle_input_close(&input);
  if (code != RIFFLE_OK) {
    fprintf(stderr, "parallel_count: %s\n", error.message);
    return 1;
  }
  printf("%llu\n", count.lines);
  return 0;
}
