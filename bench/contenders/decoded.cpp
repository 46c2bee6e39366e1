/// The ways to read a compressed file: riffle's, zlib's gzread, and pipes from the formats' own tools. Their
/// limits are the decoder alone, and the device.
#if RIFFLE_WITH_ZLIB
#include <zlib.h>
#endif

#include <array>
#include <riffle/methods.hpp>
#include <stdexcept>
#include <vector>

#include "bench/contenders/published.hpp"
#include "bench/contenders/registry.hpp"
#include "bench/host/command.hpp"

namespace riffle::bench {

namespace {

using std::filesystem::path;

// The tools that write what a file decodes to.
constexpr std::array<std::pair<const char*, decoding>, 9> tools{{{"gzip", decoding::gzip},
                                                                 {"pigz", decoding::gzip},
                                                                 {"igzip", decoding::gzip},
                                                                 {"bgzip", decoding::gzip},
                                                                 {"zstd", decoding::zstd},
                                                                 {"xz", decoding::xz},
                                                                 {"bzip2", decoding::bzip2},
                                                                 {"lbzip2", decoding::bzip2},
                                                                 {"lz4", decoding::lz4}}};

answer through_pipe(task which, os::launcher& runs, const std::string& program, const path& file) {
  constexpr double most_seconds = 1e9;
  tally all(which);
  std::array<char, 64 << 10> block;
  runs.start({{program, "-dc", "--", std::filesystem::absolute(file).string()}}, most_seconds);
  while (const std::size_t count = runs.read(block)) all.add({block.data(), count});
  if (const os::command_end end = runs.end(); !end.failure.empty())
    throw std::runtime_error(program + ": " + end.failure);
  return all.result();
}

#if RIFFLE_WITH_ZLIB

constexpr bool has_gzread = true;

// As programs that use zlib call it.
answer gzread_tally(task which, const path& file) {
  constexpr unsigned size = 256U << 10U;
  const auto close = [](gzFile opened) { gzclose(opened); };
  const std::unique_ptr<gzFile_s, decltype(close)> opened(gzopen(file.string().c_str(), "rb"), close);
  if (!opened) throw std::runtime_error("gzopen cannot open " + file.string());
  gzbuffer(opened.get(), size);
  std::vector<char> buffer(size);
  tally all(which);
  int count = 0;
  while ((count = gzread(opened.get(), buffer.data(), size)) > 0) {
    all.add({buffer.data(), static_cast<std::size_t>(count)});
  }
  if (count < 0) throw std::runtime_error("gzread cannot decode " + file.string());
  return all.result();
}

#else

constexpr bool has_gzread = false;

answer gzread_tally(task, const path&) {
  return {};
}

#endif

}  // namespace

void add_decoded(task which, const contender_options& options, std::vector<contender>& to) {
  contender_options ours = options;
  ours.reading.decode = decoding::automatic;
  add_decode_limit(which, ours, to);
  add_riffle(which, ours, to);
  const decoding format = options.reading.decode;
  const auto add = [&](contender one, const std::string& missing) {
    one.task = which;
    one.unavailable = [=](input_files files) -> std::optional<std::string> {
      for (const path& file : files) {
        if (decoding_of(file) != format) return "it decodes " + std::string(name_of(format)) + " alone";
      }
      return missing.empty() ? std::nullopt : std::optional(missing);
    };
    to.push_back(std::move(one));
  };
  for (const auto& [tool, decodes] : tools) {
    if (decodes != format) continue;
    const std::string name = tool;
    add({.name = name + " -dc",
         .program = "pipe",
         .method = "process",
         .description = name + " -dc, read through a pipe",
         .run = each_file([=, runs = std::make_shared<os::launcher>()](const path& file) {
           return through_pipe(which, *runs, name, file);
         })},
        os::find_program(name) ? "" : name + " was not found");
  }
  if (format == decoding::gzip) {
    add({.name = "gzread",
         .program = "zlib",
         .method = "stdio",
         .description = "gzread of zlib into 256 KiB",
         .run = each_file([which](const path& file) { return gzread_tally(which, file); })},
        has_gzread ? "" : "riffle was built without zlib");
  }
}

}  // namespace riffle::bench
