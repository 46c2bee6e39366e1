/// The loops whose instructions are counted, each as a user writes it, in a program that callgrind can run.
#include <riffle.h>
#include <riffle/riffle.hpp>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <string_view>

namespace {

using riffle::read_options;

// Each loop is a function that is not inlined: together in `main`, the loops would share the registers.

[[gnu::noinline]] std::uint64_t count_newlines(const char* path, const read_options& reading) {
  std::uint64_t count = 0;
  for (const riffle::block part : riffle::blocks(path, reading))
    count += riffle::scan::count_lines(part.bytes);
  return count;
}

[[gnu::noinline]] std::uint64_t count_words(const char* path, const read_options& reading) {
  std::uint64_t count = 0;
  bool in_word = false;
  for (const riffle::block part : riffle::blocks(path, reading)) {
    count += riffle::scan::count_words(part.bytes, in_word);
    in_word = !riffle::word_separators.contains(part.bytes.back());
  }
  return count;
}

[[gnu::noinline]] std::uint64_t iterate_lines(const char* path, const read_options& reading) {
  std::uint64_t size = 0;
  for (const std::string_view line : riffle::lines(path, reading)) size += line.size();
  return size;
}

[[gnu::noinline]] std::uint64_t iterate_lines_of_c(const char* path) {
  std::uint64_t size = 0;
  riffle_read_options reading;
  riffle_read_options_init(&reading, sizeof reading);
  reading.method = RIFFLE_METHOD_READ;
  riffle_input* input = riffle_input_path(path);
  riffle_records* lines = nullptr;
  riffle_lines_open(input, nullptr, &reading, &lines, nullptr);
  riffle_string views[256];
  std::size_t count = 0;
  while (riffle_records_next(lines, views, 256, &count, nullptr) == RIFFLE_OK && count != 0) {
    for (std::size_t i = 0; i != count; ++i) size += views[i].size;
  }
  riffle_records_close(&lines);
  riffle_input_close(&input);
  return size;
}

[[gnu::noinline]] std::uint64_t sum_values(const char* path, const read_options& reading) {
  std::uint64_t sum = 0;
  for (const std::uint32_t value : riffle::values<std::uint32_t>(path, reading)) sum += value;
  return sum;
}

// Records of 8 bytes.
[[gnu::noinline]] std::uint64_t sum_gets(const char* path, const read_options& reading) {
  std::uint64_t sum = 0;
  riffle::reader in(path, reading);
  while (!in.at_end()) {
    sum += in.get<std::uint32_t>();
    const auto [low, high] = in.get<std::uint16_t, std::uint16_t>();
    sum += std::uint64_t{low} + high;
  }
  return sum;
}

constexpr riffle::dialect spaced{
    .separator = ' ', .quote = std::nullopt, .strip_cr = false, .skip_blank = false};

[[gnu::noinline]] std::uint64_t iterate_rows(const char* path, const riffle::dialect& options,
                                             const read_options& reading) {
  std::uint64_t size = 0;
  for (const riffle::row row : riffle::rows(path, options, reading)) size += row[3].size();
  return size;
}

[[gnu::noinline]] std::uint64_t iterate_fields(const char* path, const read_options& reading) {
  std::uint64_t size = 0;
  for (const std::string_view line : riffle::lines(path, reading)) {
    for (const std::string_view field : riffle::fields(line, ' ')) size += field.size();
  }
  return size;
}

[[gnu::noinline]] std::uint64_t split_lines(const char* path, const read_options& reading) {
  std::uint64_t count = 0;
  std::string_view fields[32];
  for (const std::string_view line : riffle::lines(path, reading)) count += riffle::fields(line, ' ', fields);
  return count;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) return 2;
  const std::string_view loop = arguments[1];
  const read_options reading{.method = riffle::method::read};
  try {
    const std::uint64_t answer = loop == "newlines"     ? count_newlines(arguments[2], reading)
                                 : loop == "words"      ? count_words(arguments[2], reading)
                                 : loop == "fields"     ? iterate_fields(arguments[2], reading)
                                 : loop == "split"      ? split_lines(arguments[2], reading)
                                 : loop == "lines-of-c" ? iterate_lines_of_c(arguments[2])
                                 : loop == "values"     ? sum_values(arguments[2], reading)
                                 : loop == "gets"       ? sum_gets(arguments[2], reading)
                                 : loop == "rows"       ? iterate_rows(arguments[2], spaced, reading)
                                 : loop == "quoted-rows"
                                     ? iterate_rows(arguments[2], {.separator = ' ', .quote = '"'}, reading)
                                     : iterate_lines(arguments[2], reading);
    std::printf("%llu\n", static_cast<unsigned long long>(answer));
    return 0;
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    return 1;
  }
}
