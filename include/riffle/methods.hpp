/// The table of the ways to read, and the automatic choice among them as a pure function.
#ifndef RIFFLE_METHODS_HPP
#define RIFFLE_METHODS_HPP

#include <riffle/export.hpp>
#include <riffle/input.hpp>
#include <riffle/options.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace riffle::inline v0 {

/// What kind of thing an input is, as far as reading differs.
enum class input_kind : std::uint8_t {
  regular_file,
  block_device,
  stream,  ///< a pipe, socket, terminal or character device: no positions
  file_pointer,
  istream,
  memory
};

/// One row of the table of methods.
struct method_info {
  riffle::method id;
  std::string_view name;         ///< as written after `--method`
  std::string_view description;  ///< one line
  std::string_view inputs;       ///< what it can read, for people
  bool (*takes)(input_kind);     ///< the same, for programs
  /// Why it cannot be used on this machine, with the remedy; nothing when it can.
  std::optional<std::string> (*unavailable)();
};

/// All methods, in the order in which they are listed. Valid for ever.
RIFFLE_API std::span<const method_info> methods() noexcept;
/// The row of a method; `automatic` has none and gives nullptr.
RIFFLE_API const method_info* find_method(method id) noexcept;
/// The method of that name, "automatic" included; nothing when there is none.
RIFFLE_API std::optional<method> method_named(std::string_view name) noexcept;
RIFFLE_API std::string_view name_of(method id) noexcept;

/// What the automatic choice is made from. Each fact can be stated to a user.
struct facts {
  input_kind kind = input_kind::regular_file;
  std::uint64_t size = 0;        ///< bytes, a hint; 0: unknown or empty
  std::string file_system = {};  ///< "ext4", "tmpfs", "proc"; empty: unknown
  bool fault_guard = true;       ///< a fault in a mapping becomes an error
  bool mappable = true;          ///< the kernel can fault a window in with one call (MADV_POPULATE_READ)
  std::size_t block_size = 0;    ///< as asked for; 0: free
};

/// A method with its options and a sentence that says why.
struct choice {
  riffle::method method;
  std::size_t block_size;
  std::string reason;
};

/// The automatic choice: a pure function.
RIFFLE_API choice choose(const facts& known);

/// The facts of an input, found by opening it. Throws `riffle::error` when it cannot be opened.
RIFFLE_API facts examine(const input& from, const read_options& options = {});

}  // namespace riffle::inline v0

#endif
