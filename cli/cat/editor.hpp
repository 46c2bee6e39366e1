/// Writes lines with numbers, without a '\r' at their end, or with another delimiter.
#ifndef RIFFLE_CLI_CAT_EDITOR_HPP
#define RIFFLE_CLI_CAT_EDITOR_HPP

#include <cstdint>
#include <string_view>

#include "cli/cat/arguments.hpp"
#include "cli/cat/line_number.hpp"
#include "cli/cat/output.hpp"

namespace riffle::cli {

/// Takes inputs in pieces that may be cut anywhere, and keeps none of their bytes.
class line_editor {
 public:
  line_editor(const cat_arguments& given, cat_output& out) : given_(given), out_(out) {}

  /// Numbers the next line by `number`. Without this call, numbers run through all inputs, and a line may run
  /// from one input into the next, as `cat -n` does it.
  void start_at(std::uint64_t number);
  /// Writes the next piece of the input. Throws output_lost.
  void add(std::string_view piece);
  /// Ends an input. Throws output_lost.
  void end_input();

 private:
  void add_part(std::string_view part);
  void replace(std::string_view piece);

  const cat_arguments& given_;
  cat_output& out_;
  line_number number_;
  bool at_start_ = true;   // of a line
  bool cr_waits_ = false;  // a '\r' was read, and is dropped if the line ends here
};

}  // namespace riffle::cli

#endif
