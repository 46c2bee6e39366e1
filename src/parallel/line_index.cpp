/// Finds the offsets of lines by splits that may be cut anywhere, and reads lines between two offsets for
/// `line_index`.
#include <riffle/detail/line_scan.hpp>
#include <riffle/detail/ordered.hpp>
#include <riffle/detail/place_scan.hpp>
#include <riffle/error.hpp>
#include <riffle/line_index.hpp>
#include <riffle/parallel.hpp>
#include <riffle/source.hpp>
#include <riffle/splits.hpp>

#include <algorithm>
#include <atomic>
#include <optional>
#include <variant>
#include <vector>

#include "os/growing_array.hpp"
#include "parallel/sharing.hpp"
#include "record/record_too_long.hpp"
#include "source/source_state.hpp"

namespace riffle::inline v0::detail {

namespace {

constexpr const char* what = "read a line of";                   // in messages
constexpr std::uint64_t longest_gap = std::uint64_t{64} << 10U;  // between two offsets, but for a longer line
constexpr std::uint64_t largest_part = std::uint64_t{256} << 10U;   // tuning: of an iterator
constexpr std::uint64_t largest_decoded = std::uint64_t{4} << 20U;  // tuning: it decodes more than it takes
constexpr std::uint64_t smallest_part = 4096;                       // tuning
constexpr std::uint64_t member_size = std::uint64_t{256} << 10U;    // tuning: compressed bytes, or one member

// Calls `f` with the position after each delimiter.
template <class F>
void each_end(std::string_view bytes, char delimiter, F f) {
  place_scan<match_delimiter> scan(match_delimiter{delimiter});
  scan.start(bytes);
  for (place_cursor at = scan.resume(bytes.data()); scan.more(at);) {
    f(static_cast<std::size_t>(scan.take(at) - bytes.data()) + 1);
  }
}

const indexed_lines& of(const std::unique_ptr<const indexed_lines>& lines) {
  if (lines == nullptr) {
    throw error(errc::invalid_argument, what, "", std::nullopt, "this line_index was moved from");
  }
  return *lines;
}

}  // namespace

/// Neighbouring lines that were read together.
class line_part {
 public:
  /// The lines of `bytes` from the line `first` on, about `count`. The last one may have no delimiter.
  line_part(std::uint64_t first, std::uint64_t count, std::string bytes, char delimiter)
      : first_(first), bytes_(std::move(bytes)) {
    ends_.reserve(static_cast<std::size_t>(count));
    each_end(bytes_, delimiter, [this](std::size_t end) { ends_.push_back(end); });
    if (before(last()) != bytes_.size()) ends_.push_back(bytes_.size());
  }

  std::uint64_t first() const noexcept { return first_; }
  std::uint64_t last() const noexcept { return first_ + ends_.size(); }
  bool has(std::uint64_t line) const noexcept { return line - first_ < ends_.size(); }
  std::size_t size() const noexcept { return bytes_.size(); }
  /// Returns the bytes before a line, or before `last()`.
  std::size_t before(std::uint64_t line) const noexcept {
    return line == first_ ? 0 : ends_[static_cast<std::size_t>(line - first_ - 1)];
  }
  /// Returns a line with its delimiter.
  std::string_view line(std::uint64_t line) const noexcept {
    const std::size_t begin = before(line);
    return std::string_view(bytes_).substr(begin, before(line + 1) - begin);
  }

 private:
  std::uint64_t first_;
  std::string bytes_;
  std::vector<std::size_t> ends_;  // of the lines with their delimiters
};

class indexed_lines {
 public:
  indexed_lines(const input& from, const line_options& lines, const line_index_options& options,
                const read_options& reading)
      : rules_(lines),
        options_(options),
        reading_(reading),
        dense_(options.every <= 1 && options.max_memory == 0) {
    source opened(from, reading);
    const source_state& state = source_state::of(opened);
    const open_file& known = *state.input();
    name_ = opened.name();
    reading_.decode = state.how().decoder;
    reading_.watch = {};
    reading_.decode_threads = 1;
    decoded_ = reading_.decode != decoding::none;
    if (decoded_ && std::holds_alternative<path_string>(from.where())) {
      try {
        members_ = splits(from, {.size = member_size, .decode = reading_.decode});
        if (members_.size() > 1 || known.size() <= member_size) way_ = way::members;
      } catch (const error& failure) {
        if (failure.code() != errc::invalid_argument) throw;
      }
    } else if (opened.seekable()) {
      way_ = known.kind() == input_kind::memory ? way::memory : way::file;
      memory_ = known.memory;
      mapped_ = known.mapped;
    }
    if (way_ == way::file && known.object) {
      object_ = state.input();
    } else if (way_ == way::file) {
      file_ = known.file.duplicate();
      indexed_ = file_.status();
    }
    after_last_ = end_ = opened.start();
    offsets_.push_back(end_);
    if (!dense_) lines_.push_back(0);
    way_ == way::members ? index_members(reading) : index_whole(std::move(opened));
    finish();
  }

  std::uint64_t size() const noexcept { return size_; }
  std::span<const std::uint64_t> offsets() const noexcept { return {offsets_.data(), offsets_.size()}; }
  const std::string& name() const noexcept { return name_; }
  bool in_memory() const noexcept { return way_ == way::memory; }
  /// Returns where a line starts; for `size()`, the end.
  std::uint64_t offset(std::uint64_t line) const {
    if (line == size_) return end_;
    require(line);
    const std::size_t mark = mark_of(line);
    const std::uint64_t start = offsets_.data()[mark];
    return line_at(mark) == line ? start : start + part(mark, mark + 1).before(line);
  }
  /// Reads the lines from one offset to the next one, `line` among them.
  line_part around(std::uint64_t line) const {
    require(line);
    const std::size_t mark = mark_of(line);
    return part(mark, mark + 1);
  }
  /// Returns a line of those that were read, as the options say. Throws if it exceeds `max_length`.
  std::string_view line(const line_part& read, std::uint64_t line) const {
    const std::string_view whole = read.line(line);
    const std::size_t ends = whole.ends_with(rules_.delimiter()) ? 1 : 0;
    const std::string_view text = whole.substr(0, whole.size() - ends);
    if (rules_.too_long(text)) throw too_long(name_, offset(line));
    return whole.substr(0, rules_.record_size(text, ends));
  }
  /// Reads them for an iterator that has read `before` last, if that is not null: more, if it moves on.
  std::shared_ptr<const line_part> around(std::uint64_t line, const line_part* before) const {
    require(line);
    const bool forwards = before == nullptr || line >= before->first();
    const bool moves_on = before != nullptr && (line == before->last() || line + 1 == before->first());
    const std::uint64_t size = moves_on ? std::clamp<std::uint64_t>(4 * before->size(), smallest_part,
                                                                    decoded_ ? largest_decoded : largest_part)
                                        : smallest_part;
    const std::span all = offsets();
    std::size_t first = mark_of(line);
    std::size_t last = first + 1;
    if (forwards) {
      const auto after =
          std::upper_bound(all.begin() + static_cast<std::ptrdiff_t>(last), all.end(), all[first] + size);
      last = std::max(static_cast<std::size_t>(after - all.begin()) - 1, last);
    } else {
      const std::uint64_t least = all[last] - std::min(size, all[last]);
      first = std::min(static_cast<std::size_t>(std::ranges::lower_bound(all, least) - all.begin()), first);
    }
    return std::make_shared<const line_part>(part(first, last));
  }

 private:
  enum class way : std::uint8_t { memory, file, members, none };
  // What was found in a split.
  struct found {
    os::growing_array<std::uint64_t> offsets;
    os::growing_array<std::uint64_t> lines;  // from the split on; none if each line has its offset
    std::uint64_t count = 0;                 // of delimiters
    std::uint64_t after_last = 0;            // of them
    std::uint64_t end = 0;
  };

  void index_whole(source opened) {
    const std::uint64_t start = end_;
    const std::uint64_t size = std::max(opened.size_hint(), start) - start;
    const auto map = [&](const block& split) {
      found lines;
      find(lines, split);
      return lines;
    };
    const auto combine = [&](std::uint64_t, const found& added) {
      const std::size_t count = offsets_.size() + added.offsets.size();
      if (dense_ && count > offsets_.capacity()) {  // the size is a hint, so the number is bounded
        const double all = 1.05 * static_cast<double>(size) / static_cast<double>(added.end - start);
        offsets_.reserve(static_cast<std::size_t>(static_cast<double>(count) * std::clamp(all, 1.0, 64.0)));
      }
      append(added);
      return end_;
    };
    std::uint64_t end = start;
    parallel_reduce_into(end, std::move(opened), map, combine,
                         {.threads = options_.threads, .delimiter = std::nullopt});
  }
  // The records of the members, one after the other, are the decoded input.
  void index_members(read_options reading) {
    reading.decode = reading_.decode;
    reading.decode_threads = 1;
    ordered<found> results;
    std::atomic<std::size_t> next = 0;
    first_failure failure;
    const auto add = [&](found&& lines) {
      starts_.push_back(end_);
      for (std::size_t i = 0; i != lines.offsets.size(); ++i) lines.offsets.data()[i] += end_;
      lines.after_last += end_;
      lines.end += end_;
      append(lines);
      if (end_ > reading_.max_size) {
        throw error(errc::too_large, "read", name_, reading_.max_size, {}, {advice::larger_max_size});
      }
    };
    run_on_threads(thread_count(options_.threads), [&] {
      std::size_t index = 0;
      try {
        while (!failure.stop() && (index = next++) < members_.size()) {
          found lines;
          source opened = open(index, reading);
          for (block part = opened.next(); !part.empty(); part = opened.next()) find(lines, part);
          results.add(index, std::move(lines), add);
        }
      } catch (...) {
        failure.note(index);
      }
    });
    failure.rethrow();
  }
  void find(found& lines, const block& in) const {
    std::uint64_t marked = lines.lines.size() == 0 ? 0 : lines.lines.data()[lines.lines.size() - 1];
    std::uint64_t at = lines.offsets.size() == 0 ? 0 : lines.offsets.data()[lines.offsets.size() - 1];
    each_end(in.bytes, rules_.delimiter(), [&](std::size_t found_at) {
      const std::uint64_t end = in.offset + found_at;
      ++lines.count;
      lines.after_last = end;
      if (dense_) return lines.offsets.push_back(end);
      if (marked != 0 && lines.count - marked < options_.every && end - at < longest_gap) return;
      marked = lines.count;
      at = end;
      lines.offsets.push_back(end);
      lines.lines.push_back(marked);
    });
    lines.end = in.offset + in.size();
  }
  void append(const found& lines) {
    if (dense_) offsets_.append({lines.offsets.data(), lines.offsets.size()});
    for (std::size_t i = 0; i != lines.lines.size(); ++i) {
      const std::uint64_t line = size_ + lines.lines.data()[i];
      const std::uint64_t offset = lines.offsets.data()[i];
      const std::size_t last = lines_.size() - 1;
      if (scale_ != 1 && line - lines_.data()[last] < scale_ * options_.every &&
          offset - offsets_.data()[last] < scale_ * longest_gap) {
        continue;
      }
      lines_.push_back(line);
      offsets_.push_back(offset);
    }
    size_ += lines.count;
    if (lines.count != 0) after_last_ = lines.after_last;
    end_ = lines.end;
    if (options_.max_memory == 0) return;
    const std::uint64_t most =
        std::max<std::uint64_t>(options_.max_memory, 4096) / (2 * sizeof(std::uint64_t));
    while (offsets_.size() > most) {
      const std::size_t half = (offsets_.size() + 1) / 2;
      for (std::size_t i = 1; i != half; ++i) {
        offsets_.data()[i] = offsets_.data()[2 * i];
        lines_.data()[i] = lines_.data()[2 * i];
      }
      offsets_.resize(half);
      lines_.resize(half);
      scale_ *= 2;
    }
  }
  // The last offset is that of the end.
  void finish() {
    if (end_ != after_last_) ++size_;
    if (offsets_.data()[offsets_.size() - 1] != end_) {
      offsets_.push_back(end_);
      if (!dense_) lines_.push_back(size_);
    }
    offsets_.shrink();
    lines_.shrink();
  }
  void require(std::uint64_t line) const {
    if (line < size_) return;
    throw error(errc::invalid_argument, what, name_, std::nullopt,
                "it has " + std::to_string(size_) + " lines, and none of the number " + std::to_string(line) +
                    ", counted from 0");
  }
  std::size_t mark_of(std::uint64_t line) const noexcept {
    if (dense_) return static_cast<std::size_t>(line);
    const std::span all(lines_.data(), lines_.size());
    return static_cast<std::size_t>(std::ranges::upper_bound(all, line) - all.begin()) - 1;
  }
  std::uint64_t line_at(std::size_t mark) const noexcept {
    return lines_.size() == 0 ? mark : lines_.data()[mark];
  }
  source open(std::size_t member, const read_options& reading) const {
    return source(read_split(members_[member], {.delimiter = rules_.delimiter()}), reading);
  }
  line_part part(std::size_t first, std::size_t last) const {
    const std::uint64_t offset = offsets_.data()[first];
    std::string bytes(static_cast<std::size_t>(offsets_.data()[last] - offset), '\0');
    read(offset, bytes);
    line_part lines(line_at(first), line_at(last) - line_at(first), std::move(bytes), rules_.delimiter());
    if (lines.last() != line_at(last)) fail_changed(offset);
    return lines;
  }
  void read(std::uint64_t offset, std::span<char> to) const {
    std::span<char> left = to;
    switch (way_) {
      case way::memory:
        std::ranges::copy(memory_.substr(static_cast<std::size_t>(offset), to.size()), to.begin());
        if (mapped_) mapped_->check(mapped_->file);
        return;
      case way::file:
        if (object_ != nullptr) return read_object(offset, to);
        while (!left.empty()) {
          const std::size_t count = file_.read_at(left, offset + to.size() - left.size());
          if (count == 0) break;
          left = left.subspan(count);
        }
        // After the reading, which a change may have met.
        if (const os::file_status now = file_.status();
            !left.empty() || now.size != indexed_.size || now.modified != indexed_.modified) {
          fail_changed(offset);
        }
        return;
      case way::members:
        if (read_members(offset, to) != to.size()) fail_changed(offset);
        return;
      case way::none:
        throw error(std::make_error_code(std::errc::invalid_seek), what, name_, offset,
                    decoded_ && reading_.decode != decoding::automatic
                        ? "its bytes can be decoded from the start only; decompress it first, and index the "
                          "result"
                        : "index a path or bytes to get its lines");
    }
  }
  void read_object(std::uint64_t offset, std::span<char> to) const {
    std::size_t count = 0;
    object_->read_at(to, offset, count);
    const std::uint64_t size = object_->object->size(object_->object->object);
    if (count != to.size() || size != object_->size()) fail_changed(offset);
  }
  std::size_t read_members(std::uint64_t offset, std::span<char> to) const {
    std::size_t done = 0;
    std::size_t member =
        static_cast<std::size_t>(std::ranges::upper_bound(starts_, offset) - starts_.begin()) - 1;
    for (std::uint64_t skip = offset - starts_[member]; done != to.size() && member != members_.size();
         ++member) {
      source opened = open(member, reading_);
      for (block next = opened.next(); done != to.size() && !next.empty(); next = opened.next()) {
        const std::uint64_t drop = std::min<std::uint64_t>(skip, next.size());
        skip -= drop;
        done += next.bytes.substr(static_cast<std::size_t>(drop)).copy(to.data() + done, to.size() - done);
      }
    }
    return done;
  }
  [[noreturn]] void fail_changed(std::uint64_t offset) const {
    throw error(errc::changed, what, name_, offset, "the file changed; index it again");
  }

  line_rules rules_;
  line_index_options options_;
  read_options reading_;
  std::string name_;
  bool decoded_ = false;
  way way_ = way::none;
  std::string_view memory_;
  std::optional<mapped_bytes> mapped_;
  os::file file_;
  os::file_status indexed_ = {};
  std::shared_ptr<const open_file> object_;  // null: `file_` is read
  std::vector<file_split> members_;
  std::vector<std::uint64_t> starts_;  // of the records of each member, in decoded bytes

  bool dense_;               // an offset of each line, so that their numbers need no memory
  std::uint64_t scale_ = 1;  // grows as offsets are dropped
  os::growing_array<std::uint64_t> offsets_;
  os::growing_array<std::uint64_t> lines_;  // of each offset, unless `dense_`
  std::uint64_t size_ = 0;
  std::uint64_t after_last_ = 0;  // delimiter
  std::uint64_t end_ = 0;
};

}  // namespace riffle::inline v0::detail

namespace riffle::inline v0 {

line_index::line_index(const input& from, const line_options& lines, const line_index_options& options,
                       const read_options& reading)
    : lines_(std::make_unique<const detail::indexed_lines>(from, lines, options, reading)) {}
line_index::line_index(line_index&&) noexcept = default;
line_index& line_index::operator=(line_index&&) noexcept = default;
line_index::~line_index() = default;

std::uint64_t line_index::size() const noexcept {
  return lines_ == nullptr ? 0 : lines_->size();
}

std::string line_index::operator[](std::uint64_t line) const {
  const detail::indexed_lines& all = detail::of(lines_);
  return std::string(all.line(all.around(line), line));
}

std::uint64_t line_index::offset(std::uint64_t line) const {
  return detail::of(lines_).offset(line);
}

std::span<const std::uint64_t> line_index::offsets() const noexcept {
  return lines_ == nullptr ? std::span<const std::uint64_t>() : lines_->offsets();
}

std::string_view line_index::name() const noexcept {
  return lines_ == nullptr ? std::string_view() : lines_->name();
}

bool line_index::in_memory() const noexcept {
  return lines_ != nullptr && lines_->in_memory();
}

line_index::iterator line_index::begin() const noexcept {
  return lines_ == nullptr ? iterator() : iterator(*lines_, 0);
}

line_index::iterator line_index::end() const noexcept {
  return lines_ == nullptr ? iterator() : iterator(*lines_, size());
}

bool line_index::iterator::ready() const noexcept {
  return part_ != nullptr && part_->has(line_);
}

std::string_view line_index::iterator::view() const {
  if (!ready()) part_ = lines_->around(line_, part_.get());
  return lines_->line(*part_, line_);
}

}  // namespace riffle::inline v0
