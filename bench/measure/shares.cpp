/// Finds equal time for all contenders by bisection, as more time never means fewer rounds.
#include "bench/measure/shares.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace riffle::bench {

namespace {

constexpr double shortest_turn = 1e-9;  // what a coarse clock calls 0

double seconds_of_turn(const time_need& need) {
  return std::max(need.seconds, shortest_turn);
}

unsigned turns_within(const time_need& need, double seconds, unsigned rounds) {
  if (need.always) return rounds;
  const double fit = std::min(std::floor(seconds / seconds_of_turn(need)), static_cast<double>(rounds));
  return std::max(static_cast<unsigned>(fit), std::min(need.owed, rounds));
}

// The seconds that all turns take if everyone gets so many.
double total_with(const std::vector<time_need>& needs, double seconds, unsigned rounds) {
  double total = 0;
  for (const time_need& need : needs) total += turns_within(need, seconds, rounds) * seconds_of_turn(need);
  return total;
}

double equal_seconds(const std::vector<time_need>& needs, double seconds, unsigned rounds) {
  double enough = 0;  // for every turn
  for (const time_need& need : needs) enough = std::max(enough, rounds * seconds_of_turn(need));
  if (total_with(needs, enough, rounds) <= seconds) return enough;
  double least = 0;
  for (int step = 0; step < 60; ++step) {
    const double middle = (least + enough) / 2;
    (total_with(needs, middle, rounds) <= seconds ? least : enough) = middle;
  }
  return least;
}

// The bits from the last to the first, as a fraction: 0 1 2 3 become 0, a half, a quarter, three quarters.
std::uint32_t reversed(std::uint32_t number) {
  std::uint32_t bits = 0;
  for (int i = 0; i < 32; ++i, number >>= 1U) bits = bits << 1U | (number & 1U);
  return bits;
}

}  // namespace

shared_rounds share_rounds(const std::vector<time_need>& needs, double seconds, double reserved,
                           unsigned most) {
  double a_round = 0;  // of those that take part always
  double owed = 0;
  for (const time_need& need : needs) {
    (need.always ? a_round : owed) += seconds_of_turn(need) * (need.always ? 1 : need.owed);
  }
  shared_rounds shared{.rounds = most};
  if (a_round > 0) {
    const double fit = std::max(seconds - owed, reserved) / a_round;
    shared.rounds = static_cast<unsigned>(std::clamp(fit, 1.0, static_cast<double>(most)));
  }
  const double each = equal_seconds(needs, seconds, shared.rounds);
  for (const time_need& need : needs) shared.turns.push_back(turns_within(need, each, shared.rounds));
  if (a_round <= 0) shared.rounds = needs.empty() ? 0 : *std::ranges::max_element(shared.turns);
  return shared;
}

std::vector<unsigned> spread_places(unsigned rounds) {
  constexpr unsigned none = std::numeric_limits<unsigned>::max();
  std::vector<unsigned> places(rounds, none);
  unsigned place = 0;
  // The start and the middle, then the quarters, then the eighths (van der Corput, 1935).
  for (std::uint32_t i = 0; place < rounds; ++i) {
    unsigned& at = places[static_cast<std::size_t>((std::uint64_t{reversed(i)} * rounds) >> 32U)];
    if (at == none) at = place++;
  }
  return places;
}

}  // namespace riffle::bench
