/// Generates inputs, the same bytes for the same size everywhere, and looks at the user's before they are
/// timed.
#include "bench/inputs/inputs.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <riffle/error.hpp>

#include "bench/stats/statistics.hpp"
#include "os/facts.hpp"

namespace riffle::bench {

namespace {

using std::filesystem::path;

// Takes the bytes of an input in order. Returns false if it takes no more.
using sink = std::function<bool(std::string_view)>;

// ---- the generators: each writes about `size` bytes, never more: whole lines, arrays or values

std::vector<std::string> vocabulary() {
  constexpr std::array onsets{"b", "c", "d", "f", "g",  "h",  "l", "m", "n",
                              "p", "r", "s", "t", "th", "st", "w", "tr"};
  constexpr std::array vowels{"a", "e", "i", "o", "u", "ea", "ou"};
  constexpr std::array endings{"", "", "n", "r", "s", "t", "nd", "ll", "ck"};
  random_numbers random(7);
  std::vector<std::string> words;
  for (unsigned i = 0; i < 4096; ++i) {
    // Frequent words are short.
    const std::uint64_t syllables = 1 + random.below(i < 128 ? 2 : 4);
    std::string word;
    for (std::uint64_t s = 0; s < syllables; ++s) {
      word += onsets[random.below(onsets.size())];
      word += vowels[random.below(vowels.size())];
    }
    words.push_back(word + endings[random.below(endings.size())]);
  }
  return words;
}

// Zipf's law, near enough: a word's rank is 2^x - 1 for
// x uniform, so each doubling of rank is equally likely.
std::size_t rank(random_numbers& random) {
  const std::size_t ranks = std::size_t{1} << random.below(12);
  return ranks - 1 + random.below(ranks);
}

std::string next_line(random_numbers& random, const std::vector<std::string>& words) {
  // From 12 to 115 bytes, the longest word's part included.
  const std::uint64_t least = 12 + random.below(104);
  std::string line = words[rank(random)];
  if (random.below(8) == 0) line[0] = static_cast<char>(line[0] - 'a' + 'A');
  while (line.size() + 1 < least) {
    const std::uint64_t mark = random.below(16);
    if (mark == 0) line += ',';
    if (mark == 1) line += '.';
    line += ' ';
    line += words[rank(random)];
  }
  line += '\n';
  return line;
}

/// Collects small pieces and passes them on in large ones.
class gathered {
 public:
  explicit gathered(const sink& to) : to_(to) {}
  /// Returns false if no more is taken.
  bool add(std::string_view bytes) {
    pending_.append(bytes);
    return pending_.size() <= (std::size_t{1} << 20) || flush();
  }
  bool flush() {
    const bool taken = to_(pending_);
    pending_.clear();
    return taken;
  }

 private:
  const sink& to_;
  std::string pending_;
};

template <class T>
std::string_view bytes_of(const T& values) {
  return {static_cast<const char*>(static_cast<const void*>(values.data())),
          values.size() * sizeof(typename T::value_type)};
}

// Words of a fixed vocabulary, frequent ones first as in any language, in lines of 67 bytes on average.
void write_text(const sink& out, std::uint64_t size, std::uint64_t seed = 1) {
  const std::vector<std::string> words = vocabulary();
  random_numbers random(seed);
  gathered text(out);
  std::string line = next_line(random, words);
  for (std::uint64_t left = size; line.size() <= left && text.add(line); line = next_line(random, words))
    left -= line.size();
  text.flush();
}

// A FASTA file: a header line, then bases in lines of 60.
void write_genome(const sink& out, std::uint64_t size) {
  constexpr std::string_view header = ">riffle made sequence\n";
  constexpr std::size_t line_size = 61;
  if (size < header.size()) return;
  random_numbers random(11);
  gathered genome(out);
  genome.add(header);
  for (std::uint64_t left = size - header.size(); left >= line_size; left -= line_size) {
    std::array<char, line_size> line;
    for (std::size_t i = 0; i < line_size - 1; i += 30) {
      std::uint64_t bits = random.next();
      for (std::size_t j = 0; j < 30; ++j, bits >>= 2) line[i + j] = "ACGT"[bits & 3U];
    }
    line.back() = '\n';
    if (!genome.add({line.data(), line.size()})) break;
  }
  genome.flush();
}

// Lemire's arrays of 512 int32, each after its length.
void write_ints(const sink& out, std::uint64_t size) {
  constexpr std::int32_t length = 512;
  std::array<std::int32_t, length + 1> array{};
  array[0] = length;
  random_numbers random(13);
  gathered arrays(out);
  for (std::uint64_t left = size; left >= sizeof array; left -= sizeof array) {
    for (std::size_t i = 1; i < array.size(); ++i) array[i] = static_cast<std::int32_t>(random.next() >> 33);
    if (!arrays.add(bytes_of(array))) break;
  }
  arrays.flush();
}

// The primes from 2 up, as 64-bit values of this machine's byte order.
void write_primes(const sink& out, std::uint64_t size) {
  // A segmented sieve of Eratosthenes. `small` holds the primes up to the square root of the segment's end,
  // and `next` the first multiple of each that has not been crossed out.
  constexpr std::size_t segment = std::size_t{1} << 18;
  std::uint64_t wanted = size / sizeof(std::uint64_t);
  std::vector<std::uint64_t> small;
  std::vector<std::uint64_t> next;
  std::vector<std::uint64_t> found;
  std::uint64_t candidate = 2;  // the next that may join `small`
  gathered primes(out);
  for (std::uint64_t low = 0; wanted > 0; low += segment) {
    for (; candidate * candidate < low + segment; ++candidate) {
      if (std::none_of(small.begin(), small.end(), [&](std::uint64_t p) { return candidate % p == 0; })) {
        small.push_back(candidate);
        next.push_back(candidate * candidate);
      }
    }
    std::vector<bool> composite(segment, false);
    if (low == 0) composite[0] = composite[1] = true;
    for (std::size_t i = 0; i < small.size(); ++i) {
      for (; next[i] < low + segment; next[i] += small[i]) {
        composite[static_cast<std::size_t>(next[i] - low)] = true;
      }
    }
    found.clear();
    for (std::size_t i = 0; i < segment && found.size() < wanted; ++i) {
      if (!composite[i]) found.push_back(low + i);
    }
    wanted -= found.size();
    if (!primes.add(bytes_of(found))) break;
  }
  primes.flush();
}

// ---- the inputs of the tasks

// Program 4 reads 185 files of 0.02 to 1.8 MB. Here their sizes go from
// a third to five thirds of the average. Together they have a quarter of
// the size asked for, as the 30 contenders that count words are slow.
constexpr std::uint64_t number_of_small_files = 185;

constexpr std::uint64_t longest_line = 128;

/// The large input of a task.
struct recipe {
  const char* name;
  const char* file;
  void (*write)(const sink&, std::uint64_t size);
  std::uint64_t least;  // size for which it is not empty
};

constexpr recipe text{"text", "text.txt", [](const sink& out, std::uint64_t size) { write_text(out, size); },
                      longest_line};

// In the order of the tasks.
constexpr std::array<recipe, all_tasks.size()> recipes{{{"genome", "genome.fa", write_genome, longest_line},
                                                        text,
                                                        text,
                                                        {"arrays", "arrays.bin", write_ints, 4096},
                                                        {"primes", "primes.dat", write_primes, 8}}};

const recipe& recipe_of(task which) noexcept {
  return recipes[static_cast<std::size_t>(which)];
}

// Walks from length to length: every array must lie within the file.
void check_arrays(const path& file, std::uint64_t size) {
  std::ifstream in(file, std::ios::binary);
  std::uint64_t offset = 0;
  std::int32_t length = 0;
  while (in.read(static_cast<char*>(static_cast<void*>(&length)), sizeof length)) {
    const std::uint64_t array = sizeof length + static_cast<std::uint64_t>(length) * sizeof(std::int32_t);
    if (length < 0 || array > size - offset) break;
    offset += array;
    in.seekg(static_cast<std::streamoff>(offset));
  }
  if (offset == size) return;
  throw error(errc::invalid_argument, "read", file.string(), offset,
              "the task ints needs arrays of 32-bit integers, each after its length");
}

void check_format(task which, const path& file, std::uint64_t size) {
  if (which == task::ints) check_arrays(file, size);
  if (which == task::primes && size % sizeof(std::uint64_t) != 0) {
    throw error(errc::invalid_argument, "read", file.string(), size,
                "the task primes needs 64-bit values, and the size is not a multiple of 8 bytes");
  }
}

// Why contenders cannot read the bytes of a file one after the other and find the same, with the remedy.
std::optional<std::string> not_measurable(const path& file, std::filesystem::file_type type) {
  using std::filesystem::file_type;
  if (type == file_type::fifo) {
    return "a pipe, which each contender must read anew; write it to a file first";
  }
  if (type != file_type::regular) {
    return "a device, socket or terminal, which may give other bytes each time; copy it to a file first";
  }
  const os::file opened = os::file::open(file);
  const std::string file_system = os::file_system_of(opened);
  if (file_system == "proc" || file_system == "sysfs" || !opened.seekable()) {
    return "a file that the OS kernel generates on each read; copy it to a file first";
  }
  return std::nullopt;
}

}  // namespace

std::vector<input> make_inputs(task which, std::uint64_t size, const path& directory,
                               const std::function<bool()>& interrupted) {
  const auto add = [&](input& to, const std::string& name, const auto& write) {
    to.files.push_back(directory / name);
    const os::file file = os::file::open(to.files.back(), os::open_mode::create);
    file.resize(0);
    write([&](std::string_view bytes) {
      if (interrupted && interrupted()) return false;
      file.write(bytes);
      to.bytes += bytes.size();
      return true;
    });
  };
  const recipe& by = recipe_of(which);
  std::vector<input> all{{by.name, {}, 0, true}};
  add(all.front(), by.file, [&](const sink& out) { by.write(out, size); });
  if (inputs_made(which) == 1) return all;
  input& small = all.emplace_back(input{"small files", {}, 0, true});
  for (std::uint64_t i = 0; i < number_of_small_files; ++i) {
    const std::uint64_t share = size / 4 / number_of_small_files * (1 + i % 5) / 3;
    add(small, "book" + std::to_string(i) + ".txt",
        [&](const sink& out) { write_text(out, share, 100 + i); });
  }
  return all;
}

std::uint64_t least_size(task which, std::size_t input) noexcept {
  return input == 0 ? recipe_of(which).least : number_of_small_files * 4 * longest_line * 3 / 5;
}

std::size_t inputs_made(task which) noexcept {
  return which == task::words ? 2 : 1;
}

input copy_of(const input& original, const path& directory) {
  input copy{original.name, {}, original.bytes, false};
  for (const path& file : original.files) {
    path to = directory / ("copy" + std::to_string(copy.files.size()));
    std::error_code failure;
    std::filesystem::copy_file(file, to, failure);
    if (failure) throw error(failure, "copy", file.string());
    copy.files.push_back(std::move(to));
  }
  return copy;
}

input take_files(task which, const std::vector<path>& files) {
  input all{files.size() == 1 ? files.front().filename().string() : std::to_string(files.size()) + " files",
            files};
  for (const path& file : files) {
    std::error_code failure;
    const std::filesystem::file_status status = std::filesystem::status(file, failure);
    if (status.type() == std::filesystem::file_type::not_found) {
      throw error(std::make_error_code(std::errc::no_such_file_or_directory), "open", file.string());
    }
    if (failure) throw error(failure, "examine", file.string());
    if (std::filesystem::is_directory(status)) {
      throw error(std::make_error_code(std::errc::is_a_directory), "read", file.string());
    }
    if (const auto reason = not_measurable(file, status.type()))
      throw error(errc::invalid_argument, "measure", file.string(), std::nullopt, "it is " + *reason);
    const std::uint64_t size = std::filesystem::file_size(file);
    check_format(which, file, size);
    all.bytes += size;
  }
  if (all.bytes == 0)
    throw error(errc::invalid_argument, "measure", files.front().string(), std::nullopt,
                "it is empty; name a file that is not");
  return all;
}

}  // namespace riffle::bench
