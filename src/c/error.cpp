/// Words failures for C, without memory of its own.
#include <riffle/error.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <iterator>
#include <new>
#include <string_view>
#include <system_error>

#include "c/guarded.hpp"

namespace riffle::inline v0::c {

namespace {

static_assert(static_cast<int>(errc::method_unavailable) == RIFFLE_METHOD_UNAVAILABLE &&
              static_cast<int>(errc::partial_value) == RIFFLE_PARTIAL_VALUE &&
              static_cast<int>(errc::unexpected_end) == RIFFLE_UNEXPECTED_END &&
              static_cast<int>(errc::record_too_long) == RIFFLE_RECORD_TOO_LONG &&
              static_cast<int>(errc::truncated) == RIFFLE_TRUNCATED &&
              static_cast<int>(errc::sum_overflow) == RIFFLE_SUM_OVERFLOW &&
              static_cast<int>(errc::invalid_argument) == RIFFLE_INVALID_ARGUMENT &&
              static_cast<int>(errc::changed) == RIFFLE_CHANGED &&
              static_cast<int>(errc::bad_quoting) == RIFFLE_BAD_QUOTING &&
              static_cast<int>(errc::missing_field) == RIFFLE_MISSING_FIELD &&
              static_cast<int>(errc::bad_value) == RIFFLE_BAD_VALUE &&
              static_cast<int>(errc::value_out_of_range) == RIFFLE_VALUE_OUT_OF_RANGE &&
              static_cast<int>(errc::no_such_column) == RIFFLE_NO_SUCH_COLUMN &&
              static_cast<int>(errc::bad_compression) == RIFFLE_BAD_COMPRESSION &&
              static_cast<int>(errc::too_large) == RIFFLE_TOO_LARGE &&
              static_cast<int>(errc::wrong_field_count) == RIFFLE_WRONG_FIELD_COUNT);

// A remedy and its words in C; a name follows "=".
struct c_remedy {
  advice what;
  int number;
  std::string_view words;
};

constexpr std::array<c_remedy, 13> remedies{
    {{advice::none, RIFFLE_REMEDY_NONE, ""},
     {advice::use_method, RIFFLE_REMEDY_USE_METHOD, "use another method"},
     {advice::use_decoding, RIFFLE_REMEDY_USE_DECODING, "use another decode"},
     {advice::use_blocks, RIFFLE_REMEDY_USE_BLOCKS, "read it with riffle_blocks_open or another method"},
     {advice::smaller_block_size, RIFFLE_REMEDY_SMALLER_BLOCK_SIZE, "use a smaller block_size"},
     {advice::set_max_length, RIFFLE_REMEDY_SET_MAX_LENGTH, "set max_length to refuse a record this long"},
     {advice::larger_max_length, RIFFLE_REMEDY_LARGER_MAX_LENGTH, "use a larger max_length"},
     {advice::larger_max_size, RIFFLE_REMEDY_LARGER_MAX_SIZE, "use a larger max_size"},
     {advice::larger_split_size, RIFFLE_REMEDY_LARGER_SPLIT_SIZE, "use a larger split_size"},
     {advice::fewer_threads, RIFFLE_REMEDY_FEWER_THREADS, "use fewer threads"},
     {advice::name_null, RIFFLE_REMEDY_NAME_NULL, ""},
     {advice::one_decode_thread, RIFFLE_REMEDY_ONE_DECODE_THREAD,
      "open it again, or set decode_threads to 1"},
     {advice::fewer_bytes, RIFFLE_REMEDY_FEWER_BYTES, "take fewer bytes at a time"}}};
static_assert([] {
  for (std::size_t i = 0; i != remedies.size(); ++i) {
    if (static_cast<std::size_t>(remedies[i].what) != i || remedies[i].number != static_cast<int>(i))
      return false;
  }
  return true;
}());

// Writes a message of several parts. One that is too long keeps its start and its end.
void write_message(riffle_error& to, std::initializer_list<std::string_view> parts) {
  constexpr std::string_view gap = "...";
  constexpr std::size_t most = sizeof to.message - 1;
  constexpr std::size_t front = (most - gap.size()) / 2;
  std::size_t size = 0;
  for (const std::string_view part : parts) size += part.size();
  const std::size_t dropped_end = size <= most ? 0 : size - (most - front - gap.size());
  std::size_t at = 0;
  char* out = to.message;
  const auto write = [&](std::string_view text) { out = std::ranges::copy(text, out).out; };
  for (const std::string_view part : parts) {
    if (size <= most) {
      write(part);
    } else {
      if (at < front) write(part.substr(0, front - at));
      if (at < front && at + part.size() >= front) write(gap);
      if (at + part.size() > dropped_end) write(part.substr(std::max(at, dropped_end) - at));
    }
    at += part.size();
  }
  *out = '\0';
}

void fill(riffle_error* to, riffle_code code, std::initializer_list<std::string_view> message) {
  if (to == nullptr) return;
  std::memset(to, 0, sizeof *to);
  to->code = code;
  to->offset = to->compressed_offset = RIFFLE_NO_OFFSET;
  write_message(*to, message);
}

riffle_code code_of(const std::error_code& code) {
  if (code.category() == riffle_category()) return code.value();
  return code == std::errc::not_enough_memory ? RIFFLE_NO_MEMORY : RIFFLE_SYSTEM;
}

riffle_code fill(riffle_error* to, const error& failure) {
  const riffle_code code = code_of(failure.code());
  if (to == nullptr) return code;
  const auto [what, value] = failure.remedy();
  const c_remedy& helps = remedies[static_cast<std::size_t>(what)];
  const bool is_named = !value.empty();
  fill(to, code,
       {failure.message(), helps.words.empty() ? "" : "; ",
        is_named ? (what == advice::use_method ? "use method " : "use decode ") : helps.words, value});
  if (code >= RIFFLE_SYSTEM) to->system_error = failure.code().value();
  to->remedy = helps.number;
  to->offset = failure.offset().value_or(RIFFLE_NO_OFFSET);
  to->compressed_offset = failure.compressed_offset().value_or(RIFFLE_NO_OFFSET);
  return code;
}

}  // namespace

riffle_code report(riffle_error* to) {
  try {
    throw;
  } catch (const error& failure) {
    return fill(to, failure);
  } catch (const refusal& refused) {
    char digits[16] = "";
    if (refused.given) std::to_chars(digits, std::end(digits), *refused.given);
    fill(to, RIFFLE_INVALID_ARGUMENT,
         {"invalid argument: ", refused.text, refused.given ? " is " : "", digits,
          refused.given ? "; use " : "", refused.allowed});
    return RIFFLE_INVALID_ARGUMENT;
  } catch (const stopped& by) {
    fill(to, RIFFLE_STOPPED, {"a function of yours stopped the reading"});
    if (to != nullptr) to->returned = by.returned;
    return RIFFLE_STOPPED;
  } catch (const std::bad_alloc&) {
    fill(to, RIFFLE_NO_MEMORY, {"there is no memory"});
    return RIFFLE_NO_MEMORY;
  } catch (const std::exception& thrown) {
    fill(to, RIFFLE_EXCEPTION, {"a C++ exception: ", thrown.what()});
    return RIFFLE_EXCEPTION;
  } catch (...) {
    fill(to, RIFFLE_EXCEPTION, {"a C++ exception"});
    return RIFFLE_EXCEPTION;
  }
}

}  // namespace riffle::inline v0::c
