#include "mixed_plan.hpp"

#include "poisson/engine/lengths.hpp"
#include "poisson/engine/tuning.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

namespace warpfold::inline v0::poisson {
namespace {

bool has_butterfly(int radix) {
  for (int const prime : {2, 3, 5, 7})
    while (radix % prime == 0) radix /= prime;
  return radix == 1;
}

/// The fewest divisors of `held` whose product is `length`, none below `least`, in rising order; of
/// those the ones with the smallest last one. Empty if there are none.
std::vector<int> fewest_radices(int length, int held, int least = 2) {
  std::vector<int> best;
  if (held % length == 0 && length >= least) return {length};
  for (int first = least; first * first <= length; ++first) {
    if (held % first != 0 || length % first != 0) continue;
    std::vector<int> rest = fewest_radices(length / first, held, first);
    if (rest.empty()) continue;
    rest.insert(rest.begin(), first);
    if (best.empty() || rest.size() < best.size() ||
        (rest.size() == best.size() && rest.back() < best.back()))
      best = std::move(rest);
  }
  return best;
}

constexpr std::size_t most_stages = 5;

/// Numbers that a thread had in the fastest units of powers of two.
int wanted_numbers(int length, bool is_float) {
  if (is_float) return length >= 2048 ? 32 : length >= 1024 ? 16 : 8;
  return length >= 1024 ? 16 : 8;
}

} // namespace

int mixed_plan::length() const {
  return std::accumulate(radices.begin(), radices.end(), 1, std::multiplies<>{});
}

std::optional<mixed_plan> mixed_plan_of(std::size_t length, std::size_t element,
                                        std::size_t most_shared) {
  bool const is_float = element == sizeof(float);
  if (length < least_points || length > most_unit_points(element)) return std::nullopt;
  int const n = static_cast<int>(length);
  std::optional<mixed_plan> best;
  double least_cost = 0;
  for (int held = 2; held <= (is_float ? 48 : 32); held += 2) {
    if (n % held != 0 || !has_butterfly(held)) continue;
    std::vector<int> radices = fewest_radices(n / held, held);
    if (radices.empty() || radices.size() >= most_stages) continue;
    radices.push_back(held);
    double const cost = static_cast<double>(radices.size()) +
                        std::abs(std::log2(held / double(wanted_numbers(n, is_float)))) +
                        (held > 32 ? 1.5 : 0); // registers
    if (best && cost >= least_cost) continue;
    mixed_plan plan{std::move(radices), 1, 1};
    while (plan.units < 8 && plan.threads() <= 128) plan.units *= 2;
    auto const shared = [&] {
      auto const of = [&](int beside) {
        return is_float ? plan.shared<float>(beside) : plan.shared<double>(beside);
      };
      return std::max(of(plan.units), of(std::min(plan.units, 2))); // of columns, of rows
    };
    while (plan.units > 1 && shared() > most_shared) plan.units /= 2;
    if (plan.threads() > 1024 || shared() > most_shared) continue;
    int const registers = (is_float ? 4 : 8) * held + 24;
    plan.blocks = blocks_for_registers((plan.threads() + 31) / 32 * 32, registers);
    best = std::move(plan);
    least_cost = cost;
  }
  return best;
}

} // namespace warpfold::inline v0::poisson
