/// Chooses the format, decodes ahead or in turn, and gives errors their offsets.
#include "decode/decoder.hpp"

#include <riffle/error.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "decode/ahead.hpp"
#include "decode/compressed_input.hpp"
#include "decode/format.hpp"
#include "decode/members.hpp"
#include "method/buffer.hpp"
#include "os/machine.hpp"

namespace riffle::inline v0 {

namespace {

using namespace decode;

// Throws if this build lacks the library.
const format& usable(const format& found, const std::string& name) {
  if (found.open == nullptr) {
    throw error(errc::method_unavailable, "decode", name, std::nullopt, found.info.unavailable);
  }
  return found;
}

class decoder final : public active_method {
 public:
  decoder(active_method& below, const open_file& input, const read_options& given)
      : below_(below), input_(input), given_(given), from_(below, input.start) {}

  std::span<char> next() override {
    if (given_.max_size == offset_ && too_much_) fail_too_large();
    std::span<char> block = decoded();
    const std::uint64_t left = given_.max_size - offset_;
    too_much_ = block.size() > left;
    if (too_much_ && left == 0) fail_too_large();
    block = block.first(static_cast<std::size_t>(std::min<std::uint64_t>(block.size(), left)));
    offset_ += block.size();
    return block;
  }
  std::size_t room() const noexcept override { return passes_on_ ? below_.room() : headroom; }
  void check(std::uint64_t trusted) const override {
    if (passes_on_) below_.check(trusted);
  }
  void seek(std::uint64_t /*offset*/) override {}

 private:
  std::span<char> decoded() {
    try {
      if (passes_on_) return below_.next();
      if (!format_ && !start()) return first_bytes();
      return ahead_ ? read_ahead() : read_in_turn();
    } catch (const failure& what) {
      const std::uint64_t verified = (ahead_ ? ahead_->before_part() : 0) + what.verified();
      std::string detail = what.what();
      if (verified < offset_) {
        detail.append("; the bytes from ").append(std::to_string(verified)).append(" on are not verified");
      }
      throw error(what.code(), "decode", input_.name(), offset_, detail, what.compressed_offset());
    } catch (const error& problem) {
      throw error(problem.code(), problem.operation(), problem.path(), offset_, problem.detail(),
                  problem.offset());
    }
  }

  // Returns false if the bytes are handed on as they are.
  bool start() {
    format_ = given_.decode == decoding::automatic ? format_of(from_.gather(longest_magic))
                                                   : find_format(given_.decode);
    passes_on_ = format_ == nullptr;
    if (passes_on_) return false;
    usable(*format_, input_.name());
    const unsigned threads = given_.decode_threads == 0 ? os::usable_processors() : given_.decode_threads;
    if (threads > 1 && input_.seekable) {
      try {
        ahead_.emplace(*format_, from_, threads);
        return true;
      } catch (const std::system_error&) {
        ahead_.reset();  // the system has no more threads
      }
    }
    codec_ = format_->open(1);
    memory_.emplace(copied_block);
    in_turn_.emplace(*format_, from_, *codec_, true);
    return true;
  }

  // What was looked at to find a format.
  std::span<char> first_bytes() {
    const std::string_view bytes = from_.at_hand();
    memory_.emplace(std::max(bytes.size(), std::size_t{1}));
    std::ranges::copy(bytes, memory_->space().begin());
    return memory_->space().first(bytes.size());
  }

  std::span<char> read_ahead() {
    if (ahead_->was_forked()) {
      throw error(std::make_error_code(std::errc::operation_not_permitted), "decode", input_.name(), offset_,
                  "another process opened it and has the threads that decode; open it again, or set "
                  "decode_threads to 1");
    }
    return ahead_->next(given_.before_block);
  }

  std::span<char> read_in_turn() {
    const std::span<char> space = memory_->space();
    return space.first(in_turn_->read(space));
  }

  [[noreturn]] void fail_too_large() const {
    throw error(errc::too_large, "decode", input_.name(), offset_,
                "it holds more than max_size, " + std::to_string(given_.max_size) + " bytes", from_.offset());
  }

  active_method& below_;
  const open_file& input_;
  const read_options& given_;
  compressed_input from_;
  const format* format_ = nullptr;
  bool passes_on_ = false;    // the bytes below, as they are
  bool too_much_ = false;     // the last block was cut at `max_size`
  std::uint64_t offset_ = 0;  // of the decoded bytes handed out
  std::unique_ptr<codec> codec_;
  std::optional<buffer> memory_;
  std::optional<member_reader> in_turn_;
  std::optional<decode_ahead> ahead_;
};

std::unique_ptr<active_method> open_decoder(const stage& /*self*/, active_method& below,
                                            const open_file& input, const read_options& given) {
  return std::make_unique<decoder>(below, input, given);
}

constexpr stage decodes{open_decoder, false};

// Returns the first bytes of an input that can be read again; `std::nullopt` if it cannot.
std::optional<std::string_view> first_bytes(const open_file& input, std::span<char> space) {
  if (!input.seekable) return std::nullopt;
  if (input.kind == input_kind::memory) return input.memory.substr(0, space.size());
  try {
    return std::string_view(space.data(), input.file.read_at(space, input.start));
  } catch (const error&) {
    return std::nullopt;  // reading it tells why
  }
}

}  // namespace

const stage* decoder_for(const open_file& input, const read_options& given) {
  if (given.decode == decoding::none) return nullptr;
  if (given.decode != decoding::automatic) {
    const format* const named = find_format(given.decode);
    if (named == nullptr) {
      throw error(errc::invalid_argument, "decode", input.name(), std::nullopt,
                  "options.decode is no riffle::decoding");
    }
    usable(*named, input.name());
    return &decodes;
  }
  std::array<char, longest_magic> space{};
  if (const auto bytes = first_bytes(input, space)) {
    const format* const found = format_of(*bytes);
    if (found == nullptr) return nullptr;
    usable(*found, input.name());
  }
  return &decodes;
}

}  // namespace riffle::inline v0
