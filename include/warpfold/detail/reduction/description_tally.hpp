#pragma once
// The state that describe() keeps of a thread's elements, and how two of them merge.

#include <warpfold/detail/reduction/extremum_tally.hpp>
#include <warpfold/detail/reduction/moments.hpp>
#include <warpfold/reduction/statistics.hpp>

#include <concepts>
#include <cstdint>

namespace warpfold::inline v0::detail {

constexpr bool includes(statistic set, statistic one) {
  return (static_cast<unsigned>(set) & static_cast<unsigned>(one)) == static_cast<unsigned>(one);
}
/// The highest power of the deviations that the statistics in the set need.
constexpr int order_of(statistic set) {
  return includes(set, statistic::kurtosis)   ? 4
         : includes(set, statistic::skewness) ? 3
         : includes(set, statistic::variance) ? 2
         : includes(set, statistic::mean)     ? 1
                                              : 0;
}

/// How much of an extremum is wanted.
enum class extent { none, value, place };
constexpr extent extent_of(statistic set, statistic value, statistic place) {
  return includes(set, place) ? extent::place : includes(set, value) ? extent::value : extent::none;
}

/// The part of a description that is one extremum: what a thread keeps (running) and a partial.
template <class A, class Op, extent Extent>
struct extremum_part : tracker<A, Op> {
  using partial = extremum<A>;
  struct running : tracker<A, Op> {
    /// For small elements only the pack is found here: memory leaves the least time for them.
    template <int N>
    WARPFOLD_HOST_DEVICE void add(A const (&pack)[N], std::uint32_t i) {
      if constexpr (sizeof(A) > 4) {
        WARPFOLD_UNROLL
        for (int v = 0; v < N; ++v)
          tracker<A, Op>::add(pack[v], i + static_cast<std::uint32_t>(v), pack[v] == pack[v]);
      } else {
        A best = pack[0];
        WARPFOLD_UNROLL
        for (int v = 1; v < N; ++v) best = Op{}(best, pack[v]);
        tracker<A, Op>::add(best, i, best == best);
      }
    }
  };
};
template <class A, class Op>
struct extremum_part<A, Op, extent::value> {
  using partial = A;
  static constexpr A of_nothing = sought_by<Op>::template of_nothing<A>;
  struct running {
    A value = of_nothing;
    template <int N>
    WARPFOLD_HOST_DEVICE void add(A const (&pack)[N], std::uint32_t) {
      WARPFOLD_UNROLL
      for (int v = 0; v < N; ++v) value = Op{}(value, pack[v]);
    }
    WARPFOLD_HOST_DEVICE partial close(std::uint64_t) const { return value; }
  };
  static WARPFOLD_HOST_DEVICE partial nothing() { return of_nothing; }
  static WARPFOLD_HOST_DEVICE partial merge(partial a, partial b) { return Op{}(a, b); }
  static WARPFOLD_HOST_DEVICE extremum<A> finish(partial found, std::uint64_t size) {
    return {found, size};
  }
};
template <class A, class Op>
struct extremum_part<A, Op, extent::none> {
  struct partial {};
  struct running {
    template <int N>
    WARPFOLD_HOST_DEVICE void add(A const (&)[N], std::uint32_t) {}
    WARPFOLD_HOST_DEVICE partial close(std::uint64_t) const { return {}; }
  };
  static WARPFOLD_HOST_DEVICE partial nothing() { return {}; }
  static WARPFOLD_HOST_DEVICE partial merge(partial, partial) { return {}; }
  static WARPFOLD_HOST_DEVICE extremum<A> finish(partial, std::uint64_t size) {
    return {sought_by<Op>::template of_nothing<A>, size};
  }
};

/// The first element of the pack found that equals its best; other partials are what they are.
template <int Lanes, class Partial, class ElementAt>
WARPFOLD_HOST_DEVICE Partial located(Partial const& found, std::uint64_t, ElementAt) {
  return found;
}
template <int Lanes, class A, class ElementAt>
requires(sizeof(A) <= 4) WARPFOLD_HOST_DEVICE extremum<A> located(extremum<A> const& found,
                                                                  std::uint64_t size,
                                                                  ElementAt x_at) {
  extremum<A> first = found;
  if (found.index == no_index) return found;
  WARPFOLD_UNROLL
  for (int v = Lanes - 1; v >= 0; --v) {
    std::uint64_t const i = found.index + static_cast<std::uint64_t>(v);
    if (i >= size) continue;
    A const x = x_at(i);
    if (x == found.value) first = {x, i};
  }
  return first;
}

/// The tally of describe(): see tally_body.hpp.
template <class A, statistic Choice>
struct description_tally {
  using is_commutative = void;
  using element = A;
  using result = description<A>;
  static constexpr int order = order_of(Choice);
  using least = extremum_part<A, minimum<nan_policy::ignore>,
                              extent_of(Choice, statistic::min, statistic::argmin)>;
  using greatest = extremum_part<A, maximum<nan_policy::ignore>,
                                 extent_of(Choice, statistic::max, statistic::argmax)>;

  struct partial : moments<order> {
    [[no_unique_address]] typename least::partial low;
    [[no_unique_address]] typename greatest::partial high;
    std::uint64_t nans;
  };

  struct running : power_sums<order> {
    using element = A;
    [[no_unique_address]] typename least::running low;
    [[no_unique_address]] typename greatest::running high;
    std::uint32_t nans = 0;
    bool has_shift = false;
    A shift{}; ///< the thread's first finite element, or 0

    /// NaN stands where x was, if that is infinite.
    WARPFOLD_HOST_DEVICE static bool is_finite(A x) {
      if constexpr (std::floating_point<A>) return x - x == 0;
      else return true;
    }
    WARPFOLD_HOST_DEVICE bool wants_look() const { return order > 0 && !has_shift; }
    WARPFOLD_HOST_DEVICE void look(A x) {
      if (has_shift || !is_finite(x)) return;
      has_shift = true;
      shift = x;
    }

    template <int N>
    WARPFOLD_HOST_DEVICE void add(A const (&pack)[N], std::uint32_t i) {
      low.add(pack, i);
      high.add(pack, i);
      WARPFOLD_UNROLL
      for (A const x : pack) {
        bool const ordinary = x == x;
        nans += !ordinary;
        A const counted = ordinary ? x : shift; // which adds 0
        if constexpr (order > 0)
          add_powers<order>(*this, rounded{static_cast<double>(counted)} -
                                       rounded{static_cast<double>(shift)});
      }
    }

    WARPFOLD_HOST_DEVICE partial close(std::int64_t seen, std::uint64_t first) const {
      partial made{
          moments_of<order>(*this, static_cast<double>(seen - nans), static_cast<double>(shift)),
          low.close(first), high.close(first), nans};
      return made;
    }
  };

  std::uint64_t size;

  WARPFOLD_HOST_DEVICE static partial nothing() {
    return {{}, least::nothing(), greatest::nothing(), 0};
  }
  /// The partial of one element.
  WARPFOLD_HOST_DEVICE static partial of(A x, std::uint64_t i) {
    running one{};
    one.look(x);
    A const pack[1] = {x};
    one.add(pack, 0);
    return one.close(1, i);
  }
  WARPFOLD_HOST_DEVICE partial operator()(partial const& a, partial const& b) const {
    return {merged<order>(a, b), least::merge(a.low, b.low), greatest::merge(a.high, b.high),
            a.nans + b.nans};
  }
  template <int Lanes, class ElementAt>
  WARPFOLD_HOST_DEVICE partial locate(partial all, ElementAt x_at) const {
    all.low = located<Lanes>(all.low, size, x_at);
    all.high = located<Lanes>(all.high, size, x_at);
    return all;
  }
  WARPFOLD_HOST_DEVICE result finish(partial const& all) const {
    auto const low = least::finish(all.low, size);
    auto const high = greatest::finish(all.high, size);
    result made{};
    made.count = static_cast<std::uint64_t>(all.number);
    made.nan_count = all.nans;
    made.min = low.value;
    made.max = high.value;
    made.argmin = low.index;
    made.argmax = high.index;
    made.mean = made.m2 = made.m3 = made.m4 = not_a_number<double>;
    if constexpr (order >= 1)
      if (all.number > 0) made.mean = (rounded{all.shift} + rounded{all.offset}).value;
    if constexpr (order >= 2)
      if (all.number > 0) made.m2 = all.m2;
    if constexpr (order >= 3)
      if (all.number > 0) made.m3 = all.m3;
    if constexpr (order >= 4)
      if (all.number > 0) made.m4 = all.m4;
    return made;
  }
};

template <class A>
WARPFOLD_HOST_DEVICE double moment_of(description<A> const& all, moment which) {
  if (which == moment::mean) return all.mean;
  if (all.count < 2) return not_a_number<double>;
  return (rounded{all.m2} / rounded{static_cast<double>(all.count - 1)}).value;
}

/// The tally of mean() and variance(), which one kernel serves.
template <class A>
struct moment_tally : description_tally<A, statistic::variance> {
  using base = description_tally<A, statistic::variance>;
  using result = double;

  moment which;

  WARPFOLD_HOST_DEVICE result finish(typename base::partial const& all) const {
    return moment_of(base::finish(all), which);
  }
};

} // namespace warpfold::inline v0::detail
