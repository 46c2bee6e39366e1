/// Counts chosen lines as they come, and keeps the last ones.
#include "cli/cat/chosen.hpp"

#include "cli/lines.hpp"

namespace riffle::cli {

chosen_lines::chosen_lines(const cat_arguments& given, cat_output& out)
    : given_(given),
      out_(out),
      editor_(given, out),
      picker_(given.span.value_or(line_span{}), given.delimiter) {}

bool chosen_lines::add(std::uint64_t number, std::string_view lines) {
  if (given_.tail) {
    if (*given_.tail != 0) keep(number, lines);
    return *given_.tail != 0;
  }
  if (picker_.ended()) return false;
  const std::string_view picked = picker_.pick(lines);
  if (picked.empty()) return !picker_.ended();
  const auto passed = static_cast<std::size_t>(picked.data() - lines.data());
  write(given_.number ? number + lines_in(lines.substr(0, passed), given_.delimiter) : number, picked);
  return !picker_.ended();
}

void chosen_lines::keep(std::uint64_t number, std::string_view lines) {
  const std::uint64_t count = lines_in(lines, given_.delimiter);
  last_.push_back({number, std::string(lines), count});
  kept_ += count;
  while (kept_ - last_.front().count >= *given_.tail) {
    kept_ -= last_.front().count;
    last_.pop_front();
  }
}

void chosen_lines::write(std::uint64_t number, std::string_view lines) {
  if (!given_.edits()) return out_.add(lines);
  editor_.start_at(number);
  editor_.add(lines);
}

void chosen_lines::finish() {
  for (const run& each : last_) {
    const std::uint64_t surplus = kept_ > *given_.tail ? kept_ - *given_.tail : 0;  // of the first run only
    write(each.number + surplus,
          std::string_view(each.lines).substr(pass_lines(each.lines, given_.delimiter, surplus).size));
    kept_ -= surplus;
  }
  last_.clear();
  kept_ = 0;
  editor_.end_input();
}

}  // namespace riffle::cli
