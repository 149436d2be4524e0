// The bodies of simulations of correlated assets, in every order of lanes and blocks: bit for bit
// the host's.

#include "pricing/baskets/basket_backend.hpp"
#include "pricing/baskets/basket_steps.hpp"
#include "pricing/baskets/baskets.hpp"
#include "pricing/paths/contract_checks.hpp"
#include "simt/pricing/early_paths.hpp"

namespace {

namespace detail = warpfold::detail;
namespace pricing = warpfold::pricing;
using pricing::estimate;
using test::same_estimates;

/// Two groups, one of them full and one of three contracts.
template <class T, int capacity, int assets>
struct baskets_simulation {
  using problems_type = pricing::basket_problems<T, capacity>;
  static constexpr std::size_t size = pricing::basket_group<T, capacity>::size, wanted = size + 3;

  problems_type problems;
  detail::path_plan plan;
  std::vector<detail::path_finish> finish;

  baskets_simulation(std::uint64_t paths, std::int64_t rounds, bool antithetic)
      : plan{detail::plan_paths(
            {.paths = paths, .steps = 3, .seed = simt::seed(), .antithetic = antithetic})} {
    plan.run.shape.rounds = rounds;
    auto const model = test::baskets::random_basket(assets, 2, 1);
    auto const factor = pricing::factor_of("", model.correlation, assets);
    problems.model = pricing::model_of<T, capacity>(factor);
    problems.steps = pricing::steps_of<T, capacity>(model, factor.order, plan);
    for (std::size_t first = 0; first < wanted; first += size) {
      pricing::basket_group<T, capacity> group{};
      group.count = static_cast<int>(std::min(size, wanted - first));
      group.averages = true;
      for (int k = 0; k < group.count; ++k) {
        group.expiry[k] = 3 * k / group.count;
        group.place[k] = (7 * k + 1) % group.count; // every place, as neither size is a multiple
        group.on[k] = static_cast<pricing::selection>(k % 4);
        bool const is_product = group.on[k] == pricing::selection::weighted_product;
        group.product[k] = T{95};
        group.averaged[k] = k % 2 == 0;
        pricing::settle(group, static_cast<std::size_t>(k),
                        static_cast<pricing::settlement>(k % 5));
        group.strike[k] = static_cast<T>(90 + k);
        for (int i = 0; i < assets; ++i)
          group.weights[k][i] = static_cast<T>((i + k) % 3 * (is_product ? 0.4 : 60.));
      }
      problems.all.push_back(group);
    }
    for (std::size_t v = 0; v < wanted; ++v) finish.push_back({0.9, 0});
  }
  std::vector<estimate> on_host() const { return simt::paths_on_host(problems, plan, finish); }
  std::vector<estimate> emulated(simt::options const& how, int grid) const {
    return simt::emulated_paths(problems, plan, finish, how, grid);
  }
};

template <class T, int capacity, int assets>
void check_every_order() {
  struct row {
    std::uint64_t paths;
    std::int64_t rounds;
    bool antithetic;
  };
  for (row const& r : {row{129, 1, false}, row{300, 2, true}}) {
    CAPTURE(r.paths);
    baskets_simulation<T, capacity, assets> const all(r.paths, r.rounds, r.antithetic);
    auto const expected = all.on_host();
    simt::in_every_order([&](simt::options const& how) {
      for (int const grid : {1, 3}) CHECK(same_estimates(all.emulated(how, grid), expected));
    });
  }
}

} // namespace

TEST_CASE_TEMPLATE("simt baskets: the host's bits on every grid", T, float, double) {
  check_every_order<T, 2, 2>();
  check_every_order<T, 16, 15>();
}

// Normals that no asset uses are left out. In the emulator rows of the factor are not.
TEST_CASE("simt baskets: few more assets than half of those that there is room for") {
  check_every_order<float, 8, 5>();
  check_every_order<float, 8, 7>();
  check_every_order<float, 16, 9>();
}
