/// Offers the tables of methods and formats, and the automatic choice of a method as a pure function.
#pragma once

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

/// Describes one method.
struct method_info {
  riffle::method id;             ///< as `read_options::method` takes it
  std::string_view name;         ///< as written after `--method`
  std::string_view description;  ///< one line
  std::string_view inputs;       ///< the inputs that it can read, as text
  std::size_t block_size;        ///< of a block in bytes, unless you give one
  bool (*takes)(input_kind);     ///< returns whether it can read such an input
  /// Returns why this machine cannot use it; `std::nullopt` if it can.
  std::optional<std::string> (*unavailable)();
  bool maps = false;          ///< its blocks are the page cache's own memory, which a fault guard watches
  bool one_position = false;  ///< it reads on from one position: each thread needs a descriptor of its own
  bool queues = false;        ///< one thread keeps several reads in flight
  bool past_cache = false;    ///< each byte comes from the device, whatever the page cache holds
};

/// Returns all methods but `automatic`, in the order in which `riffle methods` lists them. Valid
/// until the program ends.
RIFFLE_API std::span<const method_info> methods() noexcept;
/// Returns the description of a method; nullptr for `automatic`. Valid until the program ends.
RIFFLE_API const method_info* find_method(method id) noexcept;
/// Returns the method of that name, "automatic" included; `std::nullopt` if there is none.
RIFFLE_API std::optional<method> method_named(std::string_view name) noexcept;
/// Returns the name of a method as `--method` takes it. Valid until the program ends.
RIFFLE_API std::string_view name_of(method id) noexcept;

/// Holds the facts that the automatic choice depends on.
struct facts {
  input_kind kind = input_kind::regular_file;  ///< what is read
  std::uint64_t size = 0;        ///< bytes to read, as the system reports them: a hint; 0: unknown or empty
  std::string file_system = {};  ///< "ext4", "tmpfs", "proc"; empty: unknown
  bool sparse = false;           ///< the file system keeps fewer bytes than the file has: it may have holes
  bool fault_guard = true;       ///< as `read_mapping::fault_guard`
  bool mappable = true;          ///< the OS kernel can fault a window in by one call (MADV_POPULATE_READ)
  std::size_t block_size = 0;    ///< as `read_options::block_size`, in bytes
  bool keep_cache = true;        ///< as `read_options::keep_cache`
  /// The share of the file in the page cache, 0 to 1; empty: unknown, or not asked, as for a small file.
  std::optional<double> cached = {};
};

/// Holds a method, its block size, and the reason for the choice.
struct choice {
  riffle::method method;   ///< `automatic` for memory alone, which needs no method
  std::size_t block_size;  ///< in bytes; 0 for memory
  std::string reason;      ///< one sentence for a person
};

/// Returns the method that riffle takes if you name none. It depends on `known` alone.
RIFFLE_API choice choose(const facts& known);

/// Opens an input and returns the facts about it. It does not open the path of a FIFO, which would wait for a
/// writer. Throws `riffle::error` if the input cannot be opened.
RIFFLE_API facts examine(const input& from, const read_options& options = {});

/// Describes one format of compressed input.
struct decoder_info {
  decoding id;               ///< as `read_options::decode` takes it
  std::string_view name;     ///< as written after `--decode`
  std::string_view library;  ///< what decodes it, as text
  std::string_view parts;    ///< what several threads decode side by side, as text; empty: nothing
  /// Why this build of riffle cannot decode it, with the remedy; empty if it can.
  std::string_view unavailable;
};

/// Returns all formats, in the order in which `riffle methods` lists them. Valid until the program ends.
RIFFLE_API std::span<const decoder_info> decoders() noexcept;
/// Returns the description of a format; nullptr for `none` and `automatic`. Valid until the program ends.
RIFFLE_API const decoder_info* find_decoder(decoding id) noexcept;
/// Returns the format of that name, "none" and "automatic" included; `std::nullopt` if there is none.
RIFFLE_API std::optional<decoding> decoding_named(std::string_view name) noexcept;
/// Opens an input and returns the format that its first bytes show: what `decoding::automatic` decodes. It
/// does not open the path of a FIFO, and reads nothing of what is not seekable: `decoding::none`. Throws
/// `riffle::error` if the input cannot be opened.
RIFFLE_API decoding decoding_of(const input& from);
/// Returns the name of a format as `--decode` takes it. Valid until the program ends.
RIFFLE_API std::string_view name_of(decoding id) noexcept;

namespace detail {

/// Opens an input and returns whether it is BGZF that does not end in the empty block which marks its end: it
/// may have been cut between two blocks, which reading it cannot tell. It asks for no bytes of what is not
/// seekable: false. Throws `riffle::error` if the input cannot be opened or read.
RIFFLE_API bool lacks_end_marker(const input& from);

}  // namespace detail

}  // namespace riffle::inline v0
