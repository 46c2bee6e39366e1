/// Hands out rows to C: an array of rows, which point into an array of fields.
#include <riffle/rows.hpp>

#include <cstring>
#include <deque>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "c/records.hpp"

namespace riffle::inline v0::c {

template <>
riffle_dialect defaults() {
  riffle_dialect to{};
  to.size = sizeof to;
  to.max_length = std::numeric_limits<std::size_t>::max();
  to.quote = '"';
  to.comment = -1;
  to.separator = ',';
  to.delimiter = '\n';
  to.strip_cr = to.skip_bom = to.skip_blank = to.unescape = 1;
  return to;
}

namespace {

static_assert(static_cast<int>(ragged::keep) == RIFFLE_RAGGED_KEEP &&
              static_cast<int>(ragged::fail) == RIFFLE_RAGGED_FAIL &&
              static_cast<int>(ragged::pad) == RIFFLE_RAGGED_PAD);

constexpr std::uint8_t unknown_dialect = 1;  // in `reserved`

dialect dialect_of(const riffle_dialect& own) {
  require(own.reserved[0] != unknown_dialect,
          "riffle_dialect_init was called for an unknown dialect; use RIFFLE_CSV (0) to RIFFLE_PLAIN (2)");
  require(own.trim == 0 || own.unescape != 0, "trim is 1 and unescape 0; trim needs unescape");
  return {.separator = own.separator,
          .delimiter = own.delimiter,
          .quote = optional_byte("quote", own.quote),
          .quoting = own.strict_quoting != 0 ? quoting::strict : quoting::lax,
          .strip_cr = own.strip_cr != 0,
          .skip_bom = own.skip_bom != 0,
          .skip_rows = own.skip_rows,
          .comment = optional_byte("comment", own.comment),
          .skip_blank = own.skip_blank != 0,
          .ragged = enumerator("ragged", own.ragged, ragged::pad,
                               "RIFFLE_RAGGED_KEEP (0) to RIFFLE_RAGGED_PAD (2)"),
          .trim = own.trim != 0,
          .null = {},
          .quoted_null = true,
          .header = own.header != 0,
          .max_length = own.max_length};
}

}  // namespace

class row_records final : public riffle_records {
 public:
  row_records(const riffle_input& input, const riffle_dialect& own, const riffle_read_options* reading)
      : riffle_records(input, reading),
        batches_(from.from, dialect_of(own), how.get()),
        unescapes_(own.unescape != 0) {}

  std::size_t next(riffle_string* /*views*/, std::size_t /*capacity*/) override {
    throw refusal{"the records are rows; call riffle_rows_next"};
  }
  std::size_t next_rows(riffle_row* rows, std::size_t capacity) {
    if (lost_) std::rethrow_exception(lost_);
    fields_.clear();
    copies_.clear();
    const std::size_t count = batches_.next(capacity, [&](const row& each, std::size_t index) {
      rows[index] = {nullptr, each.size(), each.offset()};
      take_fields(each);
      return fields_.size() < most_fields;
    });
    const riffle_string* fields = fields_.data();
    for (std::size_t i = 0; i != count; ++i) {
      rows[i].fields = fields;
      fields += rows[i].count;
    }
    return count;
  }
  const riffle::source& source() const override { return batches_.range().from(); }
  row_records* rows() noexcept override { return this; }
  const row_range& range() const noexcept { return batches_.range(); }

 private:
  static constexpr std::size_t most_fields = 4096;  // of a batch, which stay in the cache

  // A row whose fields found no memory is not passed over.
  void take_fields(const row& each) try {
    const std::size_t size = each.size();
    for (std::size_t i = 0; i != size; ++i) {
      const std::string_view field = unescapes_ ? kept(each[i], each.unescaped(i)) : each[i];
      fields_.push_back({field.data(), field.size()});
    }
  } catch (...) {
    lost_ = std::current_exception();
    throw;
  }

  // The range uses its copy of a row again for the next one.
  std::string_view kept(std::string_view raw, std::string_view text) {
    if (text.data() >= raw.data() && text.data() <= raw.data() + raw.size()) return text;
    return copies_.emplace_back(text);
  }

  batches<row_range> batches_;
  bool unescapes_;
  std::vector<riffle_string> fields_;
  std::deque<std::string> copies_;  // of fields that the range changed
  std::exception_ptr lost_;
};

namespace {

// Returns the rows of a handle. Throws `refusal` if its records are none.
row_records& rows_of(riffle_records* records) {
  row_records* const rows = required(records).rows();
  require(rows != nullptr, "the records are no rows; open them by riffle_rows_open");
  return *rows;
}

}  // namespace

}  // namespace riffle::inline v0::c

using namespace riffle;

void riffle_dialect_init(riffle_dialect* rows, size_t size, int32_t which) {
  riffle_dialect of = c::defaults<riffle_dialect>();
  if (which == RIFFLE_TSV) of.separator = '\t';
  if (which == RIFFLE_TSV || which == RIFFLE_PLAIN) of.quote = -1;
  if (which == RIFFLE_PLAIN) of.strip_cr = of.skip_blank = 0;
  if (which < RIFFLE_CSV || which > RIFFLE_PLAIN) of.reserved[0] = c::unknown_dialect;
  c::init(rows, size, of);
}

riffle_code riffle_rows_open(const riffle_input* input, const riffle_dialect* rows,
                             const riffle_read_options* reading, riffle_records** opened,
                             riffle_error* error) {
  return c::open(opened, error,
                 [&] { return new c::row_records(c::required(input), c::taken(rows), reading); });
}

riffle_code riffle_rows_next(riffle_records* records, riffle_row* rows, size_t capacity, size_t* count,
                             riffle_error* error) {
  if (count != nullptr) *count = 0;
  return c::guarded(error, [&] {
    c::require(rows != nullptr && capacity != 0, "the rows are NULL, or their capacity is 0");
    c::require(count != nullptr, "the pointer for the count is NULL");
    *count = c::rows_of(records).next_rows(rows, capacity);
  });
}

riffle_code riffle_rows_column(riffle_records* records, riffle_string name, size_t* index,
                               riffle_error* error) {
  return c::guarded(error, [&] {
    c::require(index != nullptr, "the pointer for the index is NULL");
    c::require(name.data != nullptr || name.size == 0, "the name is NULL");
    *index = c::rows_of(records).range().column(std::string_view(name.data, name.size));
  });
}

riffle_code riffle_rows_names(riffle_records* records, riffle_string* views, size_t capacity, size_t* count,
                              riffle_error* error) {
  if (count != nullptr) *count = 0;
  return c::guarded(error, [&] {
    c::require(views != nullptr || capacity == 0, "the views are NULL, and their capacity is not 0");
    c::require(count != nullptr, "the pointer for the count is NULL");
    const std::vector<std::string>& names = c::rows_of(records).range().names();
    for (std::size_t i = 0; i != std::min(capacity, names.size()); ++i)
      views[i] = {names[i].data(), names[i].size()};
    *count = names.size();
  });
}
