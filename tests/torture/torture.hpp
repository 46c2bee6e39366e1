/// The parts of riffle-torture: dice with a seed, the thread that changes a file, and those that read it.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <random>
#include <string>

#include "tests/torture/history.hpp"

namespace riffle::torture {

class dice {
 public:
  explicit dice(std::uint64_t seed) : random_(seed) {}
  std::uint64_t below(std::uint64_t most) { return most == 0 ? 0 : random_() % most; }

 private:
  std::mt19937_64 random_;
};

/// Creates the file at `at`, calls `ready`, and changes it some times. Signals the process in between.
void mutate(place& at, dice& random, std::uint64_t largest, const std::function<void()>& ready);

/// Reads the file once, in any way. Returns the kind of error that ended it, or an empty text. Throws
/// `wrong`. `beat` is called as records come, and `progress` counts the bytes that were read.
std::string read_once(const place& at, dice& random, bool large, bool few_descriptors,
                      const std::function<void()>& beat, std::atomic<std::uint64_t>& progress);

/// Puts a compressed file in the place of that at `path`. Returns false if there is no library for one.
bool place_compressed(const std::filesystem::path& path, dice& random);
/// Cuts and replaces that file some times.
void mutate_compressed(const std::filesystem::path& path, dice& random);
/// Decodes that file once, as `read_once` reads others.
std::string decode_once(const std::filesystem::path& path, dice& random, const std::function<void()>& beat);

}  // namespace riffle::torture
