// Reductions on a GPU: every method, operation, type and size.
//
// The methods of one operation, type and size are one paired measurement, made when the first of
// their rows runs; each row then reports its part of it. A filter chooses what is reported, and a
// chosen row is always measured beside all the others of its size.

#include "bench.hpp"
#include "reduction_rows.hpp"

#include <exception>
#include <memory>

namespace warpfold::bench {
namespace {

/// A way to reduce: a method in its non-blocking form, or in its blocking one.
struct way {
  method how;
  bool blocking;

  [[nodiscard]] std::string name() const {
    return std::string(to_string(how)) + (blocking && how != method::thrust ? "_blocking" : "");
  }
};

constexpr way the_usual[] = {
    {method::fold, false}, {method::cub, false}, {method::thrust, true}, {method::fold, true}};
constexpr method the_ladder[] = {method::ladder_divergent,  method::ladder_strided,
                                 method::ladder_sequential, method::ladder_first_add,
                                 method::ladder_last_warp,  method::ladder_unrolled,
                                 method::ladder_cascaded,   method::halving};

std::vector<way> ways(bool with_ladder) {
  std::vector<way> all(std::begin(the_usual), std::end(the_usual));
  if (with_ladder)
    for (method const rung : the_ladder) all.push_back({rung, false});
  return all;
}

struct outcome {
  timing measured;
  std::string complaint; ///< why there is no time
};

/// One operation, type and size: measured once, reported by as many rows as there are methods.
template <class T, class A, class Op, class Transform>
class paired_reduction {
public:
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

  A blocking_call(method how, device_span<T const> values) {
    return transform_reduce(*run_->place, values, kind::init(), Op{}, Transform{}, {.how = how});
  }

  void measure() {
    gpu& place = *run_->place;
    timing_plan const plan = plan_for(size_ * sizeof(T), run_->quick);
    int const arrays = run_->pool->prepare<T>(size_, plan.calls, kind::elements());
    if (arrays == 0) throw error("the arrays do not fit into this GPU's memory");
    auto const array = [&](int i) { return run_->pool->array<T>(i % arrays, size_); };
    device_buffer<A> result(place, 1);

    // The check also grows the place's scratch memory, which graphs must find as it was.
    double const exact = kind::expected(run_->pool->block<T>(), size_);
    std::vector<contender> contenders;
    std::vector<std::size_t> measured;
    for (std::size_t w = 0; w < ways_.size(); ++w) {
      method const how = ways_[w].how;
      try {
        A const found = blocking_call(how, array(0));
        outcomes_[w].complaint = complaint(kind::agrees(found, exact), found, exact);
      } catch (std::exception const& failure) {
        outcomes_[w].complaint = failure.what();
      }
      if (!outcomes_[w].complaint.empty()) continue;
      contender one{ways_[w].name(), {}, ways_[w].blocking};
      if (one.blocking) one.call = [&, how](int i) { blocking_call(how, array(i)); };
      else
        one.call = [&, how](int i) {
          transform_reduce_async(place, array(i), kind::init(), Op{}, Transform{}, result.span(),
                                 {.how = how});
        };
      contenders.push_back(std::move(one));
      measured.push_back(w);
    }
    std::vector<timing> const times = time_paired(place, *run_->flush, contenders, plan);
    for (std::size_t m = 0; m < measured.size(); ++m) outcomes_[measured[m]].measured = times[m];
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
  std::vector<way> const all = ways(with_ladder);
  auto const group = std::make_shared<paired_reduction<T, A, Op, Transform>>(run, size, all);
  for (std::size_t w = 0; w < all.size(); ++w) {
    bool const blocking = all[w].blocking;
    add_row(kind.method_row(kind.name(), all[w].name(), size),
            [group, w, size, blocking](benchmark::State& state) {
              outcome const& one = (*group)[w];
              if (!one.complaint.empty()) return state.SkipWithError(one.complaint.c_str());
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
