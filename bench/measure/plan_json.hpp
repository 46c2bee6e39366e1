/// A plan from JSON, which programs write that race commands and workers.
#pragma once

#include <string_view>

#include "bench/contenders/commands.hpp"
#include "bench/measure/plan.hpp"

namespace riffle::bench {

/// Returns the plan, whose contenders `race` runs. Throws std::invalid_argument, which names the field and
/// says what it must be, and riffle::error for files that cannot be used.
bench_plan plan_of_json(std::string_view text, const processes& race = {});

}  // namespace riffle::bench
