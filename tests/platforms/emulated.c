/// Starts an emulator with the name that this program was called by. A script cannot: it gets the name of its file.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int count, char** arguments) {
  char* const start[] = {EMULATOR, "-0", arguments[0], PROGRAM};
  const int length = sizeof start / sizeof *start;
  char** const command = malloc((size_t)(length + count) * sizeof *command);
  for (int i = 0; i < length; ++i) command[i] = start[i];
  for (int i = 1; i <= count; ++i) command[length + i - 1] = arguments[i];  // a null pointer ends them
  execvp(command[0], command);
  perror(command[0]);
  return 127;
}
