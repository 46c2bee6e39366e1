/// Counts a text in parts that may be cut anywhere. Each part keeps the bytes at its borders, in which the
/// text may lie across two or more parts; the parts are joined in the order of the input.
#include <riffle/count.hpp>
#include <riffle/error.hpp>
#include <riffle/parallel.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include "kernel/kernels.hpp"

namespace riffle::inline v0 {

namespace {

constexpr std::size_t none = std::string_view::npos;

// Finds the text, with a plan that is made once.
class text_search {
 public:
  explicit text_search(std::string_view text) : plan_(kernel::plan(text)) {}

  std::size_t size() const { return plan_.bytes.size(); }
  std::size_t find(std::string_view bytes, std::size_t from) const {
    const std::size_t rest = bytes.size() - from;
    const std::size_t found = kernel::active().find_text(bytes.data() + from, rest, plan_);
    return found == rest ? none : from + found;
  }

 private:
  kernel::text_plan plan_;
};

// The bytes at the borders of a part: one byte less than the text has, or the whole part.
struct borders {
  borders() = default;
  borders(std::string_view part, std::size_t text_size)
      : size(part.size()),
        head(part.substr(0, text_size - 1)),
        tail(part.substr(part.size() - std::min(part.size(), text_size - 1))) {}

  // Adds the part that follows.
  void add(const borders& next, std::size_t text_size) {
    size += next.size;
    tail += next.tail;
    tail.erase(0, tail.size() - std::min(tail.size(), text_size - 1));
  }

  std::uint64_t size = 0;
  std::string head = {};
  std::string tail = {};
};

// The occurrences in a part. What is counted depends on those before it only in `open`: each of these begins
// before the end of another one, or of one that begins before the part.
struct part_occurrences {
  borders bytes;
  std::vector<std::size_t> open = {};  // their places, whether or not they overlap
  std::uint64_t counted = 0;           // after those
  std::size_t end = 0;                 // of the last one that was counted
};

part_occurrences occurrences_in(std::string_view part, const text_search& text) {
  part_occurrences found{.bytes = borders(part, text.size())};
  std::size_t clear = text.size() - 1;  // one that begins here or later overlaps none before it
  for (std::size_t from = 0;;) {
    const std::size_t place = text.find(part, from);
    if (place == none) return found;
    if (found.counted == 0 && place < clear) {
      found.open.push_back(place);
      clear = place + text.size();
      from = place + 1;
    } else {
      ++found.counted;
      found.end = from = place + text.size();
    }
  }
}

// The occurrences up to a place of the input.
struct occurrences {
  void add(const part_occurrences& part, const text_search& text, std::uint64_t& total) {
    const auto take = [&](std::uint64_t place) {
      if (place < free) return;
      ++total;
      free = place + text.size();
    };
    const std::string across = bytes.tail + part.bytes.head;
    const std::uint64_t start = bytes.size - bytes.tail.size();
    for (std::size_t at = text.find(across, 0); at != none; at = text.find(across, at + 1)) take(start + at);
    for (const std::size_t place : part.open) take(bytes.size + place);
    total += part.counted;
    if (part.counted != 0) free = bytes.size + part.end;
    bytes.add(part.bytes, text.size());
  }

  borders bytes = {};
  std::uint64_t free = 0;  // where the next one may begin
};

// The lines of a part that contain the text.
struct part_lines_with {
  borders bytes;
  bool first = false;         // the first line does
  bool has_newline = false;   // there are more lines
  std::uint64_t counted = 0;  // of these
  bool last = false;          // the last of these does, and has no end yet
};

part_lines_with lines_in(std::string_view part, const text_search& text) {
  part_lines_with found{.bytes = borders(part, text.size())};
  const std::size_t newline = scan::find_byte(part, '\n');
  found.has_newline = newline != none;
  for (std::size_t from = 0;;) {
    const std::size_t place = text.find(part, from);
    if (place == none) return found;
    if (place < newline) {
      found.first = true;
      from = newline;
    } else {
      ++found.counted;
      from = scan::find_byte(part, '\n', place);
      found.last = from == none;
    }
    if (from == none) return found;
  }
}

// The lines up to a place of the input.
struct lines_with {
  void add(const part_lines_with& part, const text_search& text, std::uint64_t& total) {
    const std::string across = bytes.tail + part.bytes.head;  // the text holds no newline
    const bool in_first = part.first || text.find(across, 0) != none;
    if (in_first && !counted) ++total;
    total += part.counted;
    counted = part.has_newline ? part.last : counted || in_first;
    bytes.add(part.bytes, text.size());
  }

  borders bytes = {};
  bool counted = false;  // the line that has no end yet
};

template <class All, class Map>
void count_found(std::uint64_t& total, source from, std::string_view wanted, parallel_options splitting,
                 Map map) {
  total = 0;
  if (wanted.empty()) {
    throw error(errc::invalid_argument, "search", from.name(), std::nullopt, "the text is empty");
  }
  splitting.delimiter.reset();
  const text_search text(wanted);
  const auto in_part = [&](std::string_view part) { return map(part, text); };
  const auto add = [&](All all, const auto& part) {
    all.add(part, text, total);
    return all;
  };
  All all;
  parallel_reduce_into(all, std::move(from), in_part, add, splitting);
}

}  // namespace

void count_lines_with_into(std::uint64_t& total, source from, std::string_view text,
                           const parallel_options& splitting) {
  if (text.find('\n') != none) {
    throw error(errc::invalid_argument, "search", from.name(), std::nullopt,
                "the text holds a newline, and no line does; use count_occurrences");
  }
  count_found<lines_with>(total, std::move(from), text, splitting, lines_in);
}

void count_occurrences_into(std::uint64_t& total, source from, std::string_view text,
                            const parallel_options& splitting) {
  count_found<occurrences>(total, std::move(from), text, splitting, occurrences_in);
}

}  // namespace riffle::inline v0
