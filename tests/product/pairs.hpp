/// Draws few cases out of a product of tables, so that each pair of their values lies in one of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <optional>
#include <random>
#include <vector>

namespace riffle::test {

/// The place of a value in each table; `undecided` in a case that is not complete.
using product_case = std::vector<std::size_t>;
inline constexpr std::size_t undecided = std::numeric_limits<std::size_t>::max();

/// Makes the cases of a product. `allows` says whether a case, which may be incomplete, makes sense: if it
/// says no, it says so for whatever completes the case.
template <class Allows>
class product {
 public:
  product(std::vector<std::size_t> sizes, Allows allows)
      : sizes_(std::move(sizes)), allows_(std::move(allows)) {}

  /// Returns every case.
  std::vector<product_case> all() const {
    std::vector<product_case> found{product_case(sizes_.size(), undecided)};
    for (std::size_t table = 0; table != sizes_.size(); ++table) {
      std::vector<product_case> longer;
      for (product_case& each : found) {
        for (each[table] = 0; each[table] != sizes_[table]; ++each[table]) {
          if (allows_(each)) longer.push_back(each);
        }
      }
      found = std::move(longer);
    }
    return found;
  }

  /// Returns cases in which each pair of values lies that is allowed; the same ones each time.
  std::vector<product_case> pairs() {
    std::vector<product_case> found;
    product_case pair(sizes_.size(), undecided);
    for (std::size_t one = 0; one != sizes_.size(); ++one) {
      for (std::size_t other = 0; other != one; ++other) {
        for (pair[one] = 0; pair[one] != sizes_[one]; ++pair[one]) {
          for (pair[other] = 0; pair[other] != sizes_[other]; ++pair[other]) {
            if (holds(found, one, pair[one], other, pair[other])) continue;
            if (const auto made = completed(found, pair)) found.push_back(*made);
          }
        }
        pair[other] = undecided;
      }
      pair[one] = undecided;
    }
    return found;
  }

 private:
  static bool holds(const std::vector<product_case>& found, std::size_t one, std::size_t value,
                    std::size_t other, std::size_t other_value) {
    return std::ranges::any_of(
        found, [&](const product_case& each) { return each[one] == value && each[other] == other_value; });
  }

  // Returns how many pairs a value of a table makes with those that are decided, which no case has.
  std::size_t fresh(const std::vector<product_case>& found, const product_case& made,
                    std::size_t table) const {
    std::size_t count = 0;
    for (std::size_t other = 0; other != sizes_.size(); ++other) {
      if (other == table || made[other] == undecided) continue;
      count += holds(found, table, made[table], other, made[other]) ? 0U : 1U;
    }
    return count;
  }

  // Completes a pair by the values that add the most pairs. Nothing can complete one that is not allowed.
  std::optional<product_case> completed(const std::vector<product_case>& found, const product_case& pair) {
    constexpr int tries = 20;
    std::vector<std::size_t> order(sizes_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (int i = 0; i != tries && allows_(pair); ++i) {
      std::shuffle(order.begin(), order.end(), random_);
      product_case made = pair;
      for (const std::size_t table : order) {
        if (made[table] == undecided) decide(found, made, table);
      }
      if (std::ranges::find(made, undecided) == made.end()) return made;
    }
    return std::nullopt;
  }

  // Leaves the table undecided if nothing is allowed.
  void decide(const std::vector<product_case>& found, product_case& made, std::size_t table) {
    std::size_t best = undecided;
    std::size_t most = 0;
    const std::size_t first = random_() % sizes_[table];  // of equal ones, each is the best now and then
    for (std::size_t i = 0; i != sizes_[table]; ++i) {
      made[table] = (first + i) % sizes_[table];
      if (!allows_(made)) continue;
      const std::size_t count = fresh(found, made, table);
      if (best != undecided && count <= most) continue;
      best = made[table];
      most = count;
    }
    made[table] = best;
  }

  std::vector<std::size_t> sizes_;
  Allows allows_;
  std::mt19937 random_{1};
};

}  // namespace riffle::test
