#pragma once
// Random work, every result of which is verified: what its parts share. A work is a verb on a place
// with random elements, sizes and options. Its result is held against what the library promises to
// have the same bits (the host's fold, another form of the call), or against what is known of it.

#include "contents.hpp"
#include "gpu.hpp"
#include "reduction/exact.hpp"
#include "twins.hpp"

#include <concepts>
#include <functional>
#include <initializer_list>
#include <mutex>
#include <shared_mutex>
#include <sstream>
#include <stdexcept>
#include <tuple>

namespace random_work {

namespace wf = warpfold;
using test::view_t;
namespace twins = warpfold::twins;

/// A result was not what it has to be.
class mismatch : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The random numbers of a step.
class dice {
public:
  explicit dice(std::uint64_t seed) : engine_{seed} {}

  std::uint64_t word() { return engine_(); }
  unsigned seed() { return static_cast<unsigned>(word()); }
  std::size_t below(std::size_t n) { return word() % n; }
  bool one_in(std::size_t n) { return below(n) == 0; }
  double between(double lower, double upper) {
    return std::uniform_real_distribution{lower, upper}(engine_);
  }
  template <class T>
  T of(std::initializer_list<T> all) {
    return all.begin()[below(all.size())];
  }
  std::mt19937_64& engine() { return engine_; }

private:
  std::mt19937_64 engine_;
};

template <class Place>
struct step {
  Place& place;
  dice random;
  std::size_t largest; ///< number of elements
  std::size_t elements = 0;
  std::ostringstream what{}; ///< is said of a failure

  static constexpr bool on_gpu = std::is_same_v<Place, wf::gpu>;

  /// Of any order of magnitude alike, 0 included.
  std::size_t size(std::size_t most) {
    double const top = std::log2(static_cast<double>(most) + 1);
    auto const n = static_cast<std::size_t>(std::exp2(random.between(0, top)) - 1);
    elements += n;
    what << ", " << n << " elements";
    return n;
  }
  std::size_t size() { return size(largest); }

  void require(bool holds, char const* that) const {
    if (!holds) throw mismatch(that);
  }
};

/// Every work of a place has a line in the table that is printed in the end.
template <class Place>
struct work {
  char const* name;
  std::function<void(step<Place>&)> run;
};
template <class Place>
using works = std::vector<work<Place>>;

template <class Place>
void add_reductions(works<Place>& to);
template <class Place>
void add_exact(works<Place>& to);
template <class Place>
void add_norms(works<Place>& to);
template <class Place>
void add_statistics(works<Place>& to);
template <class Place>
void add_counting(works<Place>& to);
template <class Place>
void add_segments(works<Place>& to);
template <class Place>
void add_random_numbers(works<Place>& to);
template <class Place>
void add_pricing(works<Place>& to);
template <class Place>
void add_simulations(works<Place>& to);
template <class Place>
void add_poisson(works<Place>& to);
template <class Place>
void add_groups(works<Place>& to);

/// The place whose results are taken as known.
inline wf::host const one{1};

/// Calls use<T>(), T being one of the types.
template <class... Types, class Use>
void with_one_of(dice& random, Use use) {
  std::size_t number = random.below(sizeof...(Types));
  auto const turn = [&]<class T>() {
    if (number-- == 0) use.template operator()<T>();
  };
  (turn.template operator()<Types>(), ...);
}

// ---- equality -----------------------------------------------------------------------------------

/// The same bits; of a NaN, that it is one.
template <class T>
bool agree(T const& a, T const& b) {
  if constexpr (std::floating_point<T>) return (a != a && b != b) || test::same_bits(a, b);
  else return a == b;
}
template <class A>
bool agree(wf::bounded<A> const& a, wf::bounded<A> const& b) {
  return agree(a.value, b.value) && agree(a.error_bound, b.error_bound);
}
template <class A>
bool agree(wf::extremum<A> const& a, wf::extremum<A> const& b) {
  return agree(a.value, b.value) && a.index == b.index;
}
template <class A>
bool agree(wf::min_max<A> const& a, wf::min_max<A> const& b) {
  return agree(a.min, b.min) && agree(a.max, b.max);
}
template <class A>
bool same_counts(wf::description<A> const& a, wf::description<A> const& b) {
  return a.count == b.count && a.nan_count == b.nan_count && agree(a.min, b.min) &&
         agree(a.max, b.max) && a.argmin == b.argmin && a.argmax == b.argmax;
}
template <class A>
bool agree(wf::description<A> const& a, wf::description<A> const& b) {
  return same_counts(a, b) && agree(a.mean, b.mean) && agree(a.m2, b.m2) && agree(a.m3, b.m3) &&
         agree(a.m4, b.m4);
}
template <class T>
bool agree(std::vector<T> const& a, std::vector<T> const& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!agree(a[i], b[i])) return false;
  return true;
}

// ---- memory -------------------------------------------------------------------------------------

/// Elements in the memory of a place that begin anywhere, between others that nobody may touch.
template <class Place, class T>
class array {
public:
  array(step<Place>& at, std::vector<T> const& values)
      : place_{at.place}, first_{around + at.random.below(sizeof(T) < 16 ? 16 / sizeof(T) : 1)},
        size_{values.size()}, memory_(at.place, surrounded(values)) {}
  /// To be written to.
  array(step<Place>& at, std::size_t size) : array(at, std::vector<T>(size, untouched())) {}

  view_t<Place, T> view() { return memory_.view(first_, size_); }

  /// @throws mismatch if something around was written to
  std::vector<T> read() {
    // Bytes that mean nothing are not copied for certain.
    constexpr bool is_padded = std::is_class_v<T> && !std::has_unique_object_representations_v<T>;
    auto const all = test::contents(place_, memory_.all());
    for (std::size_t i = 0; i < all.size() && !is_padded; ++i)
      if ((i < first_ || i >= first_ + size_) && !test::same_bits(all[i], untouched()))
        throw mismatch("an element outside of the array was written to");
    auto const begin = all.begin() + static_cast<std::ptrdiff_t>(first_);
    return {begin, begin + static_cast<std::ptrdiff_t>(size_)};
  }

  static T untouched() {
    T element;
    std::memset(static_cast<void*>(&element), 0xa5, sizeof element);
    return element;
  }

private:
  static constexpr std::size_t around = 8;

  std::vector<T> surrounded(std::vector<T> const& values) const {
    std::vector<T> all(first_ + size_ + around, untouched());
    std::copy(values.begin(), values.end(), all.begin() + static_cast<std::ptrdiff_t>(first_));
    return all;
  }

  Place& place_;
  std::size_t first_, size_;
  test::memory_of<Place, T> memory_;
};

// ---- contents -----------------------------------------------------------------------------------

/// Elements of any kind, or such that additions are exact in any order.
template <class T, class Place>
std::vector<T> values_of(step<Place>& at, std::size_t size, bool is_exact) {
  std::size_t const kind = is_exact || std::integral<T> ? 0 : at.random.below(3);
  at.what << (kind == 0 ? ", exact" : kind == 1 ? ", rough" : ", wild");
  if (kind == 0) return test::exact_values<T>(size, at.random.seed());
  auto values = test::rough_values<T>(kind == 1 ? size : 0, at.random.seed());
  if constexpr (!std::integral<T>) {
    if (kind == 2) values = test::wild_values<T>(size, at.random.engine());
    if (size > 0 && at.random.one_in(4)) {
      using limits = std::numeric_limits<float>;
      at.what << " with a special one";
      float const special =
          at.random.of({limits::quiet_NaN(), limits::infinity(), -limits::infinity(), -0.F});
      values[at.random.below(size)] = static_cast<T>(special);
    }
  }
  return values;
}

// ---- verbs --------------------------------------------------------------------------------------

/// What NaN does.
template <class Place>
wf::extremum_options any_policy(step<Place>& at) {
  return {.nan = at.random.one_in(2) ? wf::nan_policy::ignore : wf::nan_policy::propagate};
}

/// twins::fold, or any of the tags.
template <class Place>
twins::vendor any_twin(step<Place>& at, std::vector<twins::vendor> const& tags) {
  auto const how = at.random.one_in(2) ? twins::fold : tags[at.random.below(tags.size())];
  at.what << ", " << to_string(how);
  return how;
}

inline void wait(wf::gpu const& place) { place.synchronize(); }
inline void wait(wf::host const&) {}

/// Capturing and planning by cuFFT, in different threads, were seen to make each other fail.
inline std::shared_mutex planning;

template <class Enqueue>
test::captured captured(wf::gpu& place, Enqueue enqueue) {
  std::shared_lock const lock{planning};
  return test::captured(place, enqueue);
}

/// What now() returns, after it has been held against what later(view of a result) writes, which
/// is enqueued as it is or from a graph. It comes second, since the first makes room for it.
template <class R, class Place, class Now, class Later>
R any_form(step<Place>& at, Now now, Later later) {
  R const got = now();
  std::size_t const form = at.random.below(3);
  if (form == 0) return got;
  array<Place, R> result(at, 1);
  if constexpr (step<Place>::on_gpu) {
    if (form == 2) {
      at.what << ", in a graph";
      auto graph = captured(at.place, [&] { later(result.view()); });
      for (std::size_t launches = 1 + at.random.below(3); launches > 0; --launches) graph.launch();
      at.require(agree(result.read()[0], got), "a graph has another result");
      return got;
    }
  }
  later(result.view());
  wait(at.place);
  at.require(agree(result.read()[0], got), "the _async form has another result");
  return got;
}

/// The result of a verb, run(place, ranges..., twin...) or enqueue(place, result, ranges...,
/// twin...), with the same bits as run(one thread of the host, ranges..., known...).
template <class R, class Place, class... Twin, class... Known, class Run, class Enqueue, class... T>
R verify_as(step<Place>& at, std::tuple<Twin...> const& twin, std::tuple<Known...> const& known,
            Run run, Enqueue enqueue, std::vector<T> const&... values) {
  std::tuple<array<Place, T>...> there{array<Place, T>(at, values)...};
  auto const views = std::apply(
      [](auto&... arrays) { return std::make_tuple(view_t<Place, T const>(arrays.view())...); },
      there);
  auto const now = [&]() -> R {
    return std::apply(run, std::tuple_cat(std::tie(at.place), views, twin));
  };
  auto const later = [&](auto result) {
    std::apply(enqueue, std::tuple_cat(std::tie(at.place), std::make_tuple(result), views, twin));
  };
  bool const can_enqueue =
      std::apply([&](auto... tag) { return test::has_async(at.place, tag...); }, twin);
  R const got = can_enqueue ? any_form<R>(at, now, later) : now();
  R const expected = std::apply(
      run, std::tuple_cat(std::tie(one), std::make_tuple(std::span<T const>(values)...), known));
  if (!agree(got, expected)) {
    if constexpr (std::is_arithmetic_v<R>)
      at.what << ": " << std::hexfloat << got << " for " << expected;
    throw mismatch("not the host's result");
  }
  return got;
}

/// By warpfold's own code.
template <class R, class Place, class Run, class Enqueue, class... T>
R verify(step<Place>& at, Run run, Enqueue enqueue, std::vector<T> const&... values) {
  return verify_as<R>(at, std::tuple(), std::tuple(), run, enqueue, values...);
}

/// By a vendor's, of contents for which that has the bits of the host's fold.
template <bool IsCompared, class R, class Place, class Run, class Enqueue, class... T>
R verify_twin(step<Place>& at, twins::vendor how, Run run, Enqueue enqueue,
              std::vector<T> const&... values) {
  return test::with_twin<IsCompared>(how, [&](auto... twin) {
    return verify_as<R>(at, std::tuple(twin...), std::tuple(), run, enqueue, values...);
  });
}

} // namespace random_work
