/// gzread, as programs that use zlib call it.

#if RIFFLE_WITH_ZLIB
#include <zlib.h>
#endif

#include <memory>
#include <stdexcept>
#include <vector>

#include "bench/contenders/registry.hpp"
#include "bench/contenders/scans.hpp"

namespace riffle::bench {

#if RIFFLE_WITH_ZLIB

const bool has_gzread = true;

answer gzread_tally(task which, const std::filesystem::path& file) {
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

const bool has_gzread = false;

answer gzread_tally(task, const std::filesystem::path&) {
  return {};
}

#endif

}  // namespace riffle::bench
