/// Compares the names of columns with those in the first header.
#include "cli/rows/first_header.hpp"

#include <fmt/core.h>

#include "cli/output.hpp"

namespace riffle::cli {

bool first_header::is_that_of(const std::string& file, const std::vector<std::string>& header) {
  if (header.empty() || any_header_) return true;
  const std::string name = file == "-" ? "standard input" : file;
  if (file_.empty()) {
    file_ = name;
    header_ = header;
  }
  for (const field_range& each : columns_) {
    const std::size_t index = each.first - 1;
    if (each.name || column_in(header_, index) == column_in(header, index)) continue;
    differs_ = true;
    complain(fmt::format("riffle: cannot {} '{}': {}", verb_, name,
                         why_other_header(header, index, header_, file_, option_)));
    return false;
  }
  return true;
}

}  // namespace riffle::cli
