// The bodies of simulations of products with a schedule, in every order of lanes and blocks: bit
// for bit the host's.

#include "pricing/baskets/basket_steps.hpp"
#include "pricing/baskets/baskets.hpp"
#include "pricing/schedules/schedule_book.hpp"
#include "pricing/schedules/schedules.hpp"
#include "simt/pricing/early_paths.hpp"

namespace {

namespace detail = warpfold::detail;
namespace pricing = warpfold::pricing;
using pricing::estimate;
using test::same_estimates;

/// Two groups, one of them full and one of three products, of other lengths.
template <class Problems>
struct schedules_simulation {
  using group_type = typename Problems::group_type;
  static constexpr std::size_t size = group_type::size, wanted = size + 3;

  Problems problems{};
  detail::path_plan plan;
  std::vector<detail::path_finish> finish;

  std::vector<pricing::schedule_program> programs;

  /// Notes of pairs of paths have their dates in one window.
  schedules_simulation(std::uint64_t paths, std::int64_t rounds, bool antithetic, bool notes)
      : plan{detail::plan_paths({.paths = paths,
                                 .steps = !notes       ? 35
                                          : antithetic ? 21
                                                       : 37,
                                 .seed = simt::seed(),
                                 .antithetic = antithetic})} {
    plan.run.shape.rounds = rounds;
    auto const seen = detail::observed_times(plan);
    std::mt19937_64 random{7};
    auto book = test::schedules::random_notes(seen, random, wanted);
    if (!notes)
      for (auto& product : book) product = test::schedules::random_schedule(seen, random, 100);
    for (std::size_t i = 0; i < wanted; ++i)
      programs.push_back(pricing::program_of(i, book[i], 100, 0.03, "model.rate", seen));
    finish.assign(wanted, {1, 0});
    write();
  }
  /// The groups, with the problems' index.
  void write() {
    std::span<pricing::schedule_program const> const all(programs);
    pricing::schedule_layout<group_type> const first(all.first(size)), second(all.subspan(size));
    constexpr std::size_t unit = sizeof(typename Problems::chunk);
    problems.chunks = (std::max(first.bytes(), second.bytes()) + unit - 1) / unit;
    problems.all.assign(2 * problems.chunks, {});
    first.write(problems.index, problems.all.data());
    second.write(problems.index, problems.all.data() + problems.chunks);
  }
  std::vector<estimate> on_host() const { return simt::paths_on_host(problems, plan, finish); }
  std::vector<estimate> emulated(simt::options const& how, int grid) const {
    return simt::emulated_paths(problems, plan, finish, how, grid);
  }
};

template <class Problems, class Prepare>
void check_every_order(Prepare prepare) {
  struct row {
    std::uint64_t paths;
    std::int64_t rounds;
    bool antithetic, notes;
  };
  for (row const& r :
       {row{129, 1, false, false}, row{129, 1, false, true}, row{300, 2, true, true}}) {
    CAPTURE(r.paths);
    schedules_simulation<Problems> all(r.paths, r.rounds, r.antithetic, r.notes);
    prepare(all);
    auto const expected = all.on_host();
    simt::in_every_order([&](simt::options const& how) {
      for (int const grid : {1, 3}) CHECK(same_estimates(all.emulated(how, grid), expected));
    });
  }
}

} // namespace

TEST_CASE("plain products of the same dates are together") {
  using group = pricing::lognormal_schedules<float>::group_type;
  auto const plan = detail::plan_paths({.paths = 2, .steps = 40});
  auto const seen = detail::observed_times(plan);
  std::vector<pricing::schedule_program> programs;
  auto const add = [&](std::size_t first, std::size_t last, double coupon) {
    pricing::schedule note;
    for (std::size_t j = first; j < last; ++j)
      note.dates.push_back({.time = seen[j], .call_level = 1, .call_payment = 1, .coupon = coupon});
    note.memory = true; // nothing without coupons
    programs.push_back(pricing::program_of(programs.size(), note, 100, 0.0, "", seen));
  };
  for (int i = 0; i < 9; ++i) add(0, 40, 0);
  add(1, 40, 0); // other dates
  add(0, 40, 2);
  add(0, 32, 0); // ends before the last window
  pricing::schedule_layout<group> const layout(programs);
  std::vector<std::byte> memory(layout.bytes());
  layout.write({}, memory.data());
  std::vector<int> found(programs.size());
  for (std::size_t k = 0; k < found.size(); ++k)
    found[k] = reinterpret_cast<group const*>(memory.data())->products[k].together;
  CHECK(found == std::vector<int>{4, 4, 4, 4, 4, 4, 3, 2, 1, 1, 0, 0});
}

TEST_CASE_TEMPLATE("simt schedules: the host's bits on every grid", T, float, double) {
  check_every_order<pricing::lognormal_schedules<T>>([](auto& all) {
    all.problems.steps = pricing::lognormal_steps<T>({100, 0.4, 0.03}, all.plan);
  });
  check_every_order<pricing::basket_schedules<T, 4>>([](auto& all) {
    auto const model = test::baskets::random_basket(3, 2, 1);
    auto const factor = pricing::factor_of("", model.correlation, 3);
    all.problems.model = pricing::model_of<T, 4>(factor);
    all.problems.steps = pricing::steps_of<T, 4>(model, factor.order, all.plan);
    all.problems.index = {pricing::selection::weighted_sum, {T(0.3), T(0.3), T(0.4), 0}};
    all.write();
  });
}
