/// Replaces what the library calls its options in the last clause of a message, where remedies stand.
#include "cli/remedies/typed.hpp"

#include <algorithm>
#include <array>

namespace riffle::cli {

namespace {

const command* running = nullptr;

struct term {
  std::string_view of_library;
  std::string_view typed;
  std::string_view option;
};

constexpr std::array terms{term{"riffle::blocks or another method", "another --method", "method"},
                           term{"use another method", "use another --method", "method"},
                           term{"use the method ", "use --method ", "method"},
                           term{"smaller block_size", "smaller --block-size", "block-size"},
                           term{"blocks smaller than ", "a --block-size below ", "block-size"},
                           term{"a larger split_size", "fewer --threads", "threads"},
                           term{"fewer threads", "fewer --threads", "threads"},
                           term{"max_length", "--max-length", "max-length"},
                           term{"max_size", "--max-size", "max-size"},
                           term{"use the format ", "use --decode ", "decode"}};

struct clause {
  std::size_t start;
  bool is_remedy;
};

// The remedy, or the cause of a message without one. A path, which stands before the cause, may look like
// one.
clause last_clause(std::string_view message) {
  const std::size_t cause = message.rfind(": ") + 1;  // 0 if there is none
  const std::size_t remedy = message.rfind("; ") + 1;
  if (cause == 0 && remedy == 0) return {message.size(), false};
  return {std::max(cause, remedy) - 1, remedy > cause};
}

}  // namespace

void set_running(const command& self) {
  running = &self;
}

bool running_has(std::string_view option) {
  return running == nullptr ||
         std::ranges::any_of(running->options, [option](const auto& each) { return each.name == option; });
}

std::string as_typed(std::string message) {
  const clause last = last_clause(message);
  for (const term& each : terms) {
    const std::size_t found = message.find(each.of_library, last.start);
    if (found == std::string::npos) continue;
    if (!running_has(each.option) && last.is_remedy) return message.substr(0, last.start);
    return message.replace(found, each.of_library.size(), each.typed);
  }
  return message;
}

}  // namespace riffle::cli
