// Reductions on a GPU: every twin, operation, type and size.
//
// The ways of one operation, type and size are one paired measurement, made when the first of
// their rows runs; each row then reports its part of it. A filter chooses what is reported, and a
// chosen row is always measured beside all the others of its size.

#include "bench.hpp"
#include "kernels.hpp"
#include "reduction_rows.hpp"

#include <exception>
#include <memory>

namespace warpfold::bench {
namespace {

enum class form {
  replayed, ///< many calls of the non-blocking form, one after the other
  alone,    ///< one call of it at a time
  blocking,
  lambda ///< as replayed, but a sum of squares, with a user's lambda for the square
};

/// A way to reduce, as rows name it.
struct way {
  std::string name;
  twins::reducer twin;
  form called = form::replayed;
};

constexpr twins::classic the_ladder[] = {twins::ladder_divergent,  twins::ladder_strided,
                                         twins::ladder_sequential, twins::ladder_first_add,
                                         twins::ladder_last_warp,  twins::ladder_unrolled,
                                         twins::ladder_cascaded,   twins::halving};

/// All ways that there are for a reduction_kind.
template <class Kind>
std::vector<way> ways(bool with_lambda, bool with_ladder) {
  std::vector<way> all{{"fold", twins::fold},
                       {"cub", twins::cub},
                       {"fold_alone", twins::fold, form::alone},
                       {"cub_alone", twins::cub, form::alone},
                       {"fold_blocking", twins::fold, form::blocking},
                       {"cub_blocking", twins::cub, form::blocking},
                       {"thrust", twins::thrust, form::blocking}};
  if (with_lambda) all.push_back({"fold_lambda", twins::fold, form::lambda});
  if (with_ladder) {
    for (twins::classic const rung : the_ladder) all.push_back({to_string(rung), rung});
    // At most 256 blocks of the course's 128 threads are too few for a GPU of today.
    all.push_back({"ladder_cascaded_1024", {twins::ladder_cascaded, 1024}});
  }
  std::erase_if(all, [](way const& one) { return !Kind::has(one.twin); });
  return all;
}

struct outcome {
  timing measured;
  std::string complaint; ///< why there is no time
};

/// One operation, type and size: measured once, reported by as many rows as there are ways.
template <class T, class A, class Op, class Transform>
class paired_reduction {
public:
  static constexpr bool has_lambda = std::is_same_v<T, float> && std::is_same_v<A, float> &&
                                     std::is_same_v<Op, plus> &&
                                     std::is_same_v<Transform, identity>;

  paired_reduction(session& run, std::size_t size, std::vector<way> all)
      : run_{&run}, size_{size}, ways_{std::move(all)} {}

  outcome const& operator[](std::size_t i) {
    if (outcomes_.empty()) {
      outcomes_.resize(ways_.size());
      try {
        measure();
      } catch (std::exception const& failure) {
        for (outcome& one : outcomes_) one = {{}, failure.what()};
      }
    }
    return outcomes_[i];
  }

private:
  using kind = reduction_kind<T, A, Op, Transform>;

  A reduce_now(way const& one, device_span<T const> values) {
    return transform_reduce(*run_->place, values, kind::init(), Op{}, Transform{}, one.twin);
  }
  void enqueue(way const& one, device_span<T const> values, device_span<A> result) {
    if constexpr (has_lambda)
      if (one.called == form::lambda) return lambda_fold_async(*run_->place, values, result);
    transform_reduce_async(*run_->place, values, kind::init(), Op{}, Transform{}, result, one.twin);
  }

  void measure() {
    gpu& place = *run_->place;
    timing_plan const plan = plan_for(size_ * sizeof(T), run_->quick);
    int const arrays = run_->pool->prepare<T>(size_, plan.calls, kind::elements());
    if (arrays == 0) throw error("the arrays do not fit into this GPU's memory");
    auto const array = [&](int i) { return run_->pool->array<T>(i % arrays, size_); };

    // What is checked is the last array, which every way comes to last: once before the timing,
    // which also grows the place's scratch memory (graphs must find it as it was), and once after
    // it, what the timed calls themselves left behind.
    int const last = plan.calls - 1;
    std::size_t const begin = run_->pool->offset<T>(last % arrays);
    double const exact = kind::expected(run_->pool->block<T>(), begin, size_);
    device_buffer<A> results(place, ways_.size());
    check(cudaMemsetAsync(results.data(), 0xff, results.size() * sizeof(A), place.stream()));
    std::vector<A> returned(ways_.size());
    std::vector<contender> contenders;
    std::vector<std::size_t> measured;
    for (std::size_t w = 0; w < ways_.size(); ++w) {
      way const& one = ways_[w];
      try {
        outcomes_[w].complaint = kind::complaint(reduce_now(one, array(last)), exact);
      } catch (std::exception const& failure) {
        outcomes_[w].complaint = failure.what();
      }
      if (!outcomes_[w].complaint.empty()) continue;
      if (one.called == form::blocking)
        contenders.push_back(
            {[&, w](int i) { returned[w] = reduce_now(ways_[w], array(i)); }, true});
      else
        contenders.push_back(
            {[&, w](int i) { enqueue(ways_[w], array(i), results.span().subspan(w, 1)); }, false,
             one.called == form::alone});
      measured.push_back(w);
    }

    std::vector<timing> const times = time_paired(place, *run_->flush, contenders, plan);
    std::vector<A> const written = to_vector(place, results.span());
    for (std::size_t m = 0; m < measured.size(); ++m) {
      std::size_t const w = measured[m];
      form const called = ways_[w].called;
      A const found = called == form::blocking ? returned[w] : written[w];
      outcomes_[w] = {times[m], called == form::lambda ? complaint_of_squares(found, begin)
                                                       : kind::complaint(found, exact)};
    }
  }

  std::string complaint_of_squares(A found, std::size_t begin) {
    using squares = reduction_kind<T, A, Op, square>;
    return squares::complaint(found, squares::expected(run_->pool->block<T>(), begin, size_));
  }

  session* run_;
  std::size_t size_;
  std::vector<way> ways_;
  std::vector<outcome> outcomes_;
};

template <class T, class A, class Op, class Transform>
void add(session& run, reduction_kind<T, A, Op, Transform> const& kind, std::size_t size,
         bool with_ladder = false) {
  if (size * sizeof(T) > run.pool->size()) return;
  using group_type = paired_reduction<T, A, Op, Transform>;
  using kind_type = reduction_kind<T, A, Op, Transform>;
  std::vector<way> const all = ways<kind_type>(group_type::has_lambda, with_ladder);
  auto const group = std::make_shared<group_type>(run, size, all);
  for (std::size_t w = 0; w < all.size(); ++w) {
    bool const blocking = all[w].called == form::blocking;
    add_row(kind.name() + "/" + all[w].name + "/n:" + std::to_string(size),
            [&run, group, w, size, blocking](benchmark::State& state) {
              outcome const& one = (*group)[w];
              if (!one.complaint.empty()) return complain(run, state, one.complaint);
              auto const items = static_cast<double>(size);
              report(state, one.measured, items * sizeof(T), items);
              state.counters["blocking"] = blocking;
            });
  }
}

constexpr std::size_t power(int exponent) { return std::size_t{1} << exponent; }

/// Sums of all sizes; the ladder, which is slow, at a part of them in a quick run.
template <class T>
void add_sums(session& run) {
  using A = typename detail::default_accumulator<T>::type;
  for (int e = 8; e <= 30; ++e)
    add(run, reduction_kind<T, A, plus, identity>{"sum"}, power(e),
        !run.quick || (!std::is_same_v<T, double> && (e % 2 == 0 || e == 25)));
}

template <class T, class A = typename detail::default_accumulator<T>::type>
void add_some(session& run, std::initializer_list<int> exponents) {
  for (int const e : exponents) add(run, reduction_kind<T, A, plus, identity>{"sum"}, power(e));
}

template <class T>
void add_squares(session& run, std::initializer_list<int> exponents) {
  for (int const e : exponents)
    add(run, reduction_kind<T, T, plus, square>{"sum_of_squares"}, power(e));
}

template <class T>
void add_products_and_extrema(session& run, std::initializer_list<int> exponents) {
  for (int const e : exponents)
    add(run, reduction_kind<T, T, minimum<>, identity>{"min"}, power(e));
  for (int const e : exponents)
    add(run, reduction_kind<T, T, multiplies, identity>{"product"}, power(e));
}

} // namespace

void add_reductions(session& run) {
  if (!run.place) return;
  add_sums<float>(run);
  add_squares<float>(run, {20, 22, 24, 26, 28, 30});
  add_some<float, double>(run, {12, 16, 20, 22, 23, 24, 25, 26, 28, 30});
  add_sums<double>(run);
  add_squares<double>(run, {20, 22, 24, 26, 28, 30});
  add_sums<std::int32_t>(run);
  add_some<std::int32_t, std::int64_t>(run, {12, 16, 20, 22, 24, 26, 28, 30});
  if (run.quick) {
    add_some<__half>(run, {12, 16, 20, 22, 23, 24, 25, 26, 28, 30});
    add_some<__nv_bfloat16>(run, {12, 16, 20, 22, 23, 24, 25, 26, 28, 30});
    add_products_and_extrema<float>(run, {12, 16, 20, 22, 23, 24, 25, 26, 28, 30});
    return;
  }
  add_sums<std::uint32_t>(run);
  add_sums<std::int64_t>(run);
  add_sums<std::uint64_t>(run);
  add_sums<__half>(run);
  add_sums<__nv_bfloat16>(run);
  add_some<__half, double>(run, {20, 28, 30});
  add_some<__nv_bfloat16, double>(run, {20, 28, 30});
  add_some<std::uint32_t, std::uint64_t>(run, {20, 28, 30});
  add_products_and_extrema<float>(run, {12, 16, 20, 24, 28, 30});
  add_products_and_extrema<double>(run, {12, 16, 20, 24, 28, 30});
  add_products_and_extrema<std::int32_t>(run, {12, 16, 20, 24, 28, 30});
}

} // namespace warpfold::bench
