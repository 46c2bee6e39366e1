/// Opens an input, puts a method to work on it, and makes cut records whole.
#include <riffle/methods.hpp>
#include <riffle/source.hpp>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "source/carry.hpp"
#include "source/input.hpp"

namespace riffle {

namespace {

void validate(const read_options& options, const std::string& name) {
  if (options.block_size > std::numeric_limits<std::size_t>::max() / 4) {
    throw error(errc::invalid_argument, "read", name, std::nullopt, "block_size is too large");
  }
  if (options.queue_depth > 4096) {
    throw error(errc::invalid_argument, "read", name, std::nullopt, "queue_depth is above 4096");
  }
}

// A method named by the user is used or refused with the reason.
void require(method wanted, input_kind kind, const std::string& name) {
  const method_info* info = find_method(wanted);
  std::string detail(name_of(wanted));
  if (info == nullptr) throw error(errc::invalid_argument, "read", name, std::nullopt, "no such method");
  if (!info->takes(kind)) {
    detail.append(": reads ").append(info->inputs).append(" only (leave the choice automatic)");
    throw error(errc::method_unavailable, "read", name, std::nullopt, detail);
  }
  if (const auto reason = info->unavailable()) {
    throw error(errc::method_unavailable, "read", name, std::nullopt, detail.append(": ").append(*reason));
  }
}

}  // namespace

class source::reading {
 public:
  reading(const input& from, const read_options& options)
      : input_(open_input(from)), options_(options), offset_(input_.how.start) {
    validate(options_, name());
    if (input_.file.descriptor() >= 0) input_.how.file = &input_.file;
    automatic_ = options_.method == method::automatic;
    if (automatic_) {
      choice chosen = choose(facts_of(input_, options_, false));
      options_.method = chosen.method;
      options_.block_size = chosen.block_size;
      reason_ = std::move(chosen.reason);
    } else {
      require(options_.method, input_.kind, name());
      reason_ = "it was asked for by name";
    }
    if (options_.method == method::automatic) return;
    try {
      open();
    } catch (const error& refusal) {
      fall_back(refusal);
    }
  }

  reading(const reading&) = delete;
  reading& operator=(const reading&) = delete;

  // What was read last is given back too; a mapping must go first, as mapped pages stay in the cache.
  ~reading() {
    method_.reset();
    if (!options_.keep_cache) input_.file.drop_cache(input_.how.start, offset_ - input_.how.start);
  }

  block next(std::size_t keep) {
    if (failure_) throw error(*failure_);
    try {
      return input_.kind == input_kind::memory ? next_of_memory(keep) : next_of_method(keep);
    } catch (const error& failure) {
      failure_ = failure;
      throw;
    }
  }

  void check() const {
    if (method_) method_->check();
  }

  void seek(std::uint64_t offset) {
    if (!input_.how.seekable) {
      throw error(std::make_error_code(std::errc::invalid_seek), "seek in", name(), offset);
    }
    if (failure_) throw error(*failure_);
    check();
    if (method_) method_->seek(offset);
    offset_ = offset;
    ended_ = false;
    last_ = {};
  }

  bool seekable() const noexcept { return input_.how.seekable; }
  riffle::method method() const noexcept { return options_.method; }
  const std::string& reason() const noexcept { return reason_; }
  const std::string& name() const noexcept { return input_.how.name; }
  std::uint64_t start() const noexcept { return input_.how.start; }
  std::uint64_t size_hint() const noexcept { return input_.size; }

 private:
  void open() {
    opened at = input_.how;
    at.start = offset_;
    method_ = opener(options_.method)(at, options_);
  }

  block next_of_memory(std::size_t keep) {
    const std::uint64_t from = std::min<std::uint64_t>(offset_, input_.memory.size());
    const std::uint64_t start = std::min(offset_, from) - keep;
    offset_ = std::max<std::uint64_t>(offset_, input_.memory.size());
    last_ = input_.memory.substr(static_cast<std::size_t>(start));
    return {last_, start};
  }

  block next_of_method(std::size_t keep) {
    check();
    carry_.save(last_.substr(last_.size() - keep));
    const std::uint64_t start = offset_ - keep;
    const std::span<char> fresh = ended_ ? std::span<char>() : fetch();
    if (!options_.keep_cache) input_.file.drop_cache(dropped_, offset_ - dropped_);
    dropped_ = offset_;
    offset_ += fresh.size();
    if (fresh.empty() && !ended_) end();
    last_ = carry_.join(fresh, method_->room());
    return {last_, start};
  }

  std::span<char> fetch() {
    try {
      return method_->next();
    } catch (const error& refusal) {
      fall_back(refusal);
      return method_->next();
    }
  }

  // A mapping refused (address space, a file system that cannot), even half-way, is no reason to give up
  // where the choice was ours: what was delivered stays, and `read` goes on from there.
  void fall_back(const error& refusal) {
    if (!automatic_ || refusal.operation() != "map") throw error(refusal);
    reason_ = "mapping was refused (" + refusal.code().message() + ")";
    options_.method = method::read;
    options_.block_size = 0;
    method_.reset();
    open();
  }

  // The end of a regular file that has become shorter than it was is not an end but a loss.
  void end() {
    ended_ = true;
    if (input_.kind != input_kind::regular_file) return;
    const bool short_of_its_size = offset_ < input_.size;
    if (!short_of_its_size && input_.file.owned()) return;
    const std::uint64_t size = input_.file.status().size;
    if (short_of_its_size && size < input_.size) throw error(errc::truncated, "read", name(), offset_);
    if (input_.file.owned()) return;
    // After a seek beyond the end, the end is where the size says; a size of 0 may be a lie.
    input_.file.set_position(size != 0 ? std::min(offset_, size) : offset_);
  }

  open_file input_;
  read_options options_;
  bool automatic_ = false;
  std::string reason_;
  std::uint64_t offset_;       // of the first byte not handed out yet
  std::uint64_t dropped_ = 0;  // up to where the page cache was given back
  bool ended_ = false;
  std::optional<error> failure_;
  std::string_view last_;  // the block handed out last, its carry included
  carry carry_;
  std::unique_ptr<active_method> method_;
};

source::source(const input& from, const read_options& options)
    : reading_(std::make_unique<reading>(from, options)) {}
source::source(source&&) noexcept = default;
source& source::operator=(source&&) noexcept = default;
source::~source() = default;

block source::next(std::size_t keep) {
  return reading_->next(keep);
}
void source::check() const {
  reading_->check();
}
bool source::seekable() const noexcept {
  return reading_->seekable();
}
void source::seek(std::uint64_t offset) {
  reading_->seek(offset);
}
method source::method() const noexcept {
  return reading_->method();
}
const std::string& source::reason() const noexcept {
  return reading_->reason();
}
const std::string& source::name() const noexcept {
  return reading_->name();
}
std::uint64_t source::start() const noexcept {
  return reading_->start();
}
std::uint64_t source::size_hint() const noexcept {
  return reading_->size_hint();
}

}  // namespace riffle
