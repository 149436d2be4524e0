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

/// Registers of a thread. NVIDIA H200, 2026-11-28, us of periodic squares. Rows of floats: N = 3000
/// 97.2 by three blocks of a multiprocessor, 99.8 by two; 5000 308.2 and 312.4; but 1536 29.7 by
/// six, 28.8 by two of twice the units. Columns of floats: N = 5000 308.2 by two, 349.4 by three.
/// Columns of doubles: N = 4096 286.8 by two, 306.9 by one. Small radices take factors for each
/// pair or three numbers: N = 6000, rows, 460 by two and 513 by three.
int wanted_registers(mixed_plan const& plan, bool is_float, bool of_rows) {
  int const held = plan.held();
  if (std::ranges::min(plan.radices) < 4) return (is_float ? 4 : 8) * held + 24;
  if (!is_float) return 4 * held + 60;
  if (of_rows) return plan.length() >= 2000 ? 2 * held + 32 : 4 * held + 24;
  return 5 * held / 2 + 70;
}

/// Bytes of a block, before what keeps banks apart. The same GPU, day: doubles, N = 3000, rows by
/// one unit 198.8 and by two 210.6, N = 1000 28.1 and 25.0; rows of floats, N = 3000, 103.6
/// and 99.9.
constexpr std::size_t most_bytes_of_units = std::size_t{48} << 10;

} // namespace

int mixed_plan::length() const {
  return std::accumulate(radices.begin(), radices.end(), 1, std::multiplies<>{});
}

std::optional<mixed_plan> mixed_plan_of(std::size_t length, std::size_t element, bool of_rows,
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
    std::reverse(radices.begin(), radices.end());
    radices.push_back(held);
    double const cost = static_cast<double>(radices.size()) +
                        std::abs(std::log2(held / double(wanted_numbers(n, is_float)))) +
                        (held > 32 ? 1.5 : 0); // registers
    if (best && cost >= least_cost) continue;
    mixed_plan plan{std::move(radices), 1, 1};
    auto const bytes_of_units = [&] { return 2 * element * length * std::size_t(plan.units); };
    while (plan.units < 8 && plan.threads() < 128 && bytes_of_units() <= most_bytes_of_units / 2)
      plan.units *= 2;
    auto const shared = [&] {
      auto const of = [&](int beside) {
        return is_float ? plan.shared<float>(beside) : plan.shared<double>(beside);
      };
      return std::max(of(plan.units), of(std::min(plan.units, 2))); // of columns, of rows
    };
    while (plan.units > 1 && shared() > most_shared) plan.units /= 2;
    if (plan.threads() > 1024 || shared() > most_shared) continue;
    plan.blocks = blocks_for_registers((plan.threads() + 31) / 32 * 32,
                                       wanted_registers(plan, is_float, of_rows));
    best = std::move(plan);
    least_cost = cost;
  }
  return best;
}

} // namespace warpfold::inline v0::poisson
