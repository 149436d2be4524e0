// The vendor twin on a host: the C++ library's generator, distribution and functions, one option
// after the other.

#include "backend.hpp"
#include "pricing/european/monte_carlo_finish.hpp"

#include <warpfold/detail/core/parallel.hpp>

#include <cmath>
#include <random>
#include <vector>

namespace warpfold::inline v0::pricing::host_impl {

template <class T>
void simulate_vendor(host const& place, simulation_call<T> const& call) {
  std::seed_seq seeds{call.from.seed, call.from.seed >> 32, call.from.stream,
                      call.from.stream >> 32};
  std::mt19937_64 random(seeds);
  std::normal_distribution<T> normal;
  std::vector<T> normals(call.samples);
  for (T& z : normals) z = normal(random);
  plain_evaluation<T, kinds::both> const evaluation{};
  finish_option<T, plain_evaluation<T, kinds::both>> const finish{call, evaluation};
  detail::parallel_for(
      place.threads(), static_cast<std::int64_t>(call.book.size), [&](std::int64_t i) {
        auto const option = static_cast<std::size_t>(i);
        auto const of =
            evaluation.terms_of(call.kind[option], scale_of(call.kind[option], call.book[option]));
        tile_sums<2> total{};
        for (T const z : normals) {
          T const price = std::exp2(of.a + of.b * z);
          T const worth = of.least > 0 ? price - 1 : 1 - price;
          double const payoff = worth > 0 ? worth : 0;
          total += {{payoff, payoff * payoff}, worth >= 0 ? 1u : 0u};
        }
        finish(option, scale_of(call.kind[option], call.book[option]), total);
      });
}

#define INSTANTIATE(T) template void simulate_vendor<T>(host const&, simulation_call<T> const&);
WARPFOLD_FOR_EACH_PRICED(INSTANTIATE)

} // namespace warpfold::inline v0::pricing::host_impl
