// Sums, exact and reproducible sums, and positions of minima.

#include "rows.hpp"

#include <initializer_list>

namespace warpfold::bench::rival {
namespace {

using sizes = std::initializer_list<int>;

template <class T>
auto our_sum() {
  return [](arrays<T> const& all, int i, device_span<T> result) {
    warpfold::sum_async(all.place(), all[i], result);
  };
}

template <class T>
auto cub_sum(determinism level = determinism::run_to_run) {
  return [level](arrays<T> const& all, int i, device_span<T> result) {
    rival::sum_async(all.place(), all[i], result, level);
  };
}

template <class T>
void add_sums(session& run, int exponent) {
  using kind = reduction_kind<T, T, plus, identity>;
  std::size_t const size = power(exponent);
  auto const right = near_to(computed_once([size](arrays<T> const& all) {
    return std::vector<T>{static_cast<T>(kind::expected(all.block(), all.first(), size))};
  }));
  add_ways<T>(run, "rival/" + kind{"sum"}.name(), size, kind::elements(),
              {results_way<T, T>("fold", 1, our_sum<T>(), right),
               results_way<T, T>("cub", 1, cub_sum<T>(), right),
               results_way<T, T>("fold_alone", 1, our_sum<T>(), right, form::alone),
               results_way<T, T>("cub_alone", 1, cub_sum<T>(), right, form::alone)});
}

template <class T>
void add_exact_sums(session& run, sizes exponents) {
  for (int const e : exponents) {
    std::size_t const size = power(e);
    // The elements are normal random numbers; each addition rounds its result once.
    double const rounding = 32 * std::numeric_limits<T>::epsilon() * static_cast<double>(size);
    auto const right = computed_once([size](arrays<T> const& all) {
      exact_accumulator<T> sum, block;
      std::size_t const blocks = size / all.block().size();
      if (blocks > 0) block.add(all.block());
      for (std::size_t i = 0; i < blocks; ++i) sum.merge(block);
      for (std::size_t i = blocks * all.block().size(); i < size; ++i) sum.add(all.element(i));
      return std::vector<T>{sum.template finish<T>()};
    });
    auto const exact = [](arrays<T> const& all, int i, device_span<T> result) {
      exact_sum_async(all.place(), all[i], result);
    };
    auto const rounded = near_to(right, rounding);
    auto const cub = [&](std::string name, determinism level) {
      return results_way<T, T>(std::move(name), 1, cub_sum<T>(level), rounded);
    };
    add_ways<T>(run, "rival/exact_sum/" + type_name<T>(), size, pattern::normals,
                {results_way<T, T>("exact", 1, exact, near_to(right)),
                 results_way<T, T>("sum", 1, our_sum<T>(), rounded),
                 cub("cub", determinism::run_to_run),
                 cub("cub_gpu_to_gpu", determinism::gpu_to_gpu),
                 cub("cub_not_guaranteed", determinism::not_guaranteed)});
  }
}

template <class T>
void add_argmins(session& run, sizes exponents) {
  for (int const e : exponents) {
    std::size_t const size = power(e);
    auto const right = near_to(computed_once([size](arrays<T> const& all) {
      extremum<T> least{all.element(0), 0};
      // After one block the elements repeat.
      for (std::size_t i = 0; i < std::min(size, all.block().size()); ++i)
        if (all.element(i) < least.value) least = {all.element(i), i};
      return std::vector<extremum<T>>{least};
    }));
    auto const ours = [](arrays<T> const& all, int i, device_span<extremum<T>> result) {
      warpfold::argmin_async(all.place(), all[i], result);
    };
    auto const cub = [](arrays<T> const& all, int i, device_span<extremum<T>> result) {
      rival::argmin_async(all.place(), all[i], result);
    };
    add_ways<T>(run, "rival/argmin/" + type_name<T>(), size, pattern::falling,
                {results_way<T, extremum<T>>("fold", 1, ours, right),
                 results_way<T, extremum<T>>("cub", 1, cub, right)});
  }
}

} // namespace

void add_sums(session& run) {
  auto const add_type = [&]<class T>(T) {
    for (int e = 8; e <= 30; ++e)
      if (!run.quick || e % 2 == 0) add_sums<T>(run, e);
  };
  add_type(float{});
  add_type(double{});
  add_type(std::int32_t{});
}

void add_exact_sums(session& run) {
  sizes const some{12, 16, 20, 24, 28, 30}, all{10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30};
  add_exact_sums<float>(run, run.quick ? some : all);
  add_exact_sums<double>(run, run.quick ? some : all);
}

void add_argmins(session& run) {
  sizes const some{10, 16, 20, 24, 28}, all{10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30};
  add_argmins<float>(run, run.quick ? some : all);
  add_argmins<double>(run, run.quick ? some : all);
  add_argmins<std::int32_t>(run, run.quick ? some : all);
}

} // namespace warpfold::bench::rival
