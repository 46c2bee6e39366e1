/// The remedies of the library, as options of the tool.
#include "cli/remedies/words.hpp"

#include <algorithm>
#include <string_view>

namespace riffle::cli {

namespace {

struct words {
  std::string_view option;  // that the command needs
  std::string text;
};

words words_of(const remedy& of) {
  switch (of.what) {
    case advice::use_method:
      if (of.value.empty()) return {"method", "use another --method"};
      return {"method", "use --method " + std::string(of.value)};
    case advice::use_decoding:
      return {"decode", "use --decode " + std::string(of.value)};
    case advice::use_blocks:
      return {"method", "use another --method"};
    case advice::smaller_block_size:
      return {"block-size", "use a smaller --block-size"};
    case advice::set_max_length:
      return {"max-length", "set --max-length to refuse a record this long"};
    case advice::larger_max_length:
      return {"max-length", "use a larger --max-length"};
    case advice::larger_max_size:
      return {"max-size", "use a larger --max-size"};
    case advice::larger_split_size:
    case advice::fewer_threads:
      return {"threads", "use fewer --threads"};
    case advice::none:
    case advice::one_decode_thread:  // the tool does not fork
    case advice::fewer_bytes:        // nor takes bytes by their number
      break;
  }
  return {};
}

}  // namespace

std::string as_typed(const error& failure, const command& running) {
  if (failure.remedy().what == advice::none) return failure.what();
  const auto [option, text] = words_of(failure.remedy());
  const bool has =
      std::ranges::any_of(running.options, [&](const auto& each) { return each.name == option; });
  return has ? failure.message() + "; " + text : failure.message();
}

}  // namespace riffle::cli
