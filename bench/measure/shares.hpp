/// How the time that is left is divided into rounds, and who takes part in how many of them.
#ifndef RIFFLE_BENCH_MEASURE_SHARES_HPP
#define RIFFLE_BENCH_MEASURE_SHARES_HPP

#include <vector>

namespace riffle::bench {

/// One contender, as far as its time goes.
struct time_need {
  double seconds = 0;   // that one turn takes
  bool always = false;  // it takes part in every round
  unsigned owed = 0;    // turns that it gets, however long they take
};

/// Rounds that fit into some time.
struct shared_rounds {
  unsigned rounds = 0;
  std::vector<unsigned> turns = {};  // of each contender, in so many of the rounds
};

/// Divides `seconds` into at most `most` rounds. Contenders that take part always come first, with `reserved`
/// seconds at least; the others share what is left: each gets the same time, and so many turns as fit into
/// it, but what it is owed.
shared_rounds share_rounds(const std::vector<time_need>& needs, double seconds, double reserved,
                           unsigned most);

/// Gives each of so many rounds a place, so that the rounds with a place below n are spread evenly for every
/// n: a contender with n turns takes them there. So two contenders meet in every round of the rarer one.
std::vector<unsigned> spread_places(unsigned rounds);

}  // namespace riffle::bench

#endif
