// The bodies of early exercise on baskets, in every order of lanes and blocks: the host's bits.

#include "pricing/baskets/basket_steps.hpp"
#include "pricing/baskets/baskets.hpp"
#include "pricing/exercise/basket_rights.hpp"
#include "simt/pricing/early_exercise.hpp"

namespace {

namespace detail = warpfold::detail;
namespace pricing = warpfold::pricing;

/// A put on the smaller price, one on the sum and one on the product, of three assets.
template <class T>
test::early_simt::exercise_simulation<pricing::basket_exercise_4<T>>
simulation(std::int64_t paths, std::int64_t rounds) {
  constexpr int dates = 2;
  auto const plan = detail::plan_paths({.paths = 8, .steps = dates, .seed = simt::seed()});
  auto const model = test::baskets::random_basket(3, 3, 5);
  auto const factor = pricing::factor_of("correlation", model.correlation, 3);
  pricing::basket_exercise_4<T> all{pricing::model_of<T, 4>(factor),
                                    pricing::steps_of<T, 4>(model, factor.order, plan),
                                    {},
                                    {},
                                    paths};
  for (int j = 0; j < dates; ++j) all.dates.push_back({T(0.99), T{1}, T{4}});
  pricing::basket_right<T, 4> right{.unit = T{100},
                                    .weights = {T(-0.9), T(-1.1), T{-1}},
                                    .sign = T{1},
                                    .constant = T(0.95),
                                    .share = T(1. / 3),
                                    .selected_start = T(-0.9),
                                    .first_start = T(-0.9),
                                    .second_start = T{-1},
                                    .mean_start = T{-1},
                                    .sums = false,
                                    .first = 0,
                                    .last = dates - 1,
                                    .how = pricing::bits::portable,
                                    .power = 0};
  all.rights.push_back(right);
  right.sums = true;
  right.constant = T(3.1);
  right.selected_start = T{-3};
  all.rights.push_back(right);
  for (int i = 0; i < 3; ++i) right.weights[i] = T{1} / static_cast<T>(i + 1);
  right.power = T(0.5);
  right.sign = T{-1};
  right.constant = T(0.98);
  right.selected_start = T(1 / (0.5 * (1 + 0.5 + 1. / 3)));
  right.first_start = T{1};
  right.second_start = T(0.5);
  right.mean_start = T(11. / 18);
  all.rights.push_back(right);
  return {plan, std::move(all), rounds};
}

} // namespace

TEST_CASE_TEMPLATE("simt early exercise on baskets: the host's bits", T, float, double) {
  auto const all = simulation<T>(550, 2);
  auto const expected = all.on_host();
  CHECK(expected.rules[0].rank == 11);
  CHECK(expected.rules[1].rank == 9); // the mean is the sum
  CHECK(expected.rules[2].rank == 11);
  simt::in_every_order([&](simt::options const& how) { CHECK(all.emulated(how, 2) == expected); });
}
