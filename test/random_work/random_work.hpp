#pragma once
// Random work, every result of which is verified: what its parts share. A work is a verb on a place
// with random elements, sizes and options. Its result is held against what the library promises to
// have the same bits (the host's fold, another form of the call), or against what is known of it.

#include "gpu.hpp"
#include "reduction/exact.hpp"
#include "verbs.hpp"

#include <concepts>
#include <functional>
#include <initializer_list>
#include <shared_mutex>
#include <sstream>
#include <stdexcept>

namespace random_work {

namespace wf = warpfold;
using test::agree;
using test::agree_but_for_moments;
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
  bool is_exact = false;     ///< whether the values drawn last add up exactly in any order
  std::ostringstream what{}; ///< is said of a failure

  static constexpr bool on_gpu = std::is_same_v<Place, wf::gpu>;

  /// A random size, 0 included; all orders of magnitude are equally likely.
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
works<Place>& all_works() {
  static works<Place> all;
  return all;
}
/// Adds a file's works for both places before the program starts.
struct registered {
  template <class Add>
  explicit registered(Add add) {
    add(all_works<wf::host>());
    add(all_works<wf::gpu>());
  }
};

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

// ---- memory -------------------------------------------------------------------------------------

/// Elements in the memory of a place that begin anywhere, between others that nobody may touch.
template <class Place, class T>
class array {
public:
  array(step<Place>& at, std::vector<T> const& values)
      : first_{around + at.random.below(sizeof(T) < 16 ? 16 / sizeof(T) : 1)}, size_{values.size()},
        memory_(at.place, surrounded(values)) {}
  /// An array for output.
  array(step<Place>& at, std::size_t size) : array(at, std::vector<T>(size, untouched())) {}

  view_t<Place, T> view() { return memory_.view(first_, size_); }

  /// @throws mismatch if something around was written to
  std::vector<T> read() {
    // Bytes that mean nothing are not copied for certain.
    constexpr bool is_padded = std::is_class_v<T> && !std::has_unique_object_representations_v<T>;
    auto const all = memory_.contents();
    for (std::size_t i = 0; i < all.size() && !is_padded; ++i)
      if ((i < first_ || i >= first_ + size_) && !test::same_bits(all[i], untouched()))
        throw mismatch("an element outside of the array was written to");
    return test::part_of(all, first_, size_);
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

  std::size_t first_, size_;
  test::memory_of<Place, T> memory_;
};

// ---- contents -----------------------------------------------------------------------------------

/// Elements of any kind, or such that additions are exact in any order.
template <class T, class Place>
std::vector<T> values_of(step<Place>& at, std::size_t size, bool is_exact) {
  std::size_t const kind = is_exact || std::integral<T> ? 0 : at.random.below(3);
  at.what << (kind == 0 ? ", exact" : kind == 1 ? ", rough" : ", wild");
  at.is_exact = kind == 0;
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

/// A random policy for NaN.
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

/// Input of verbs: in memory where a step's place works, and in a vector for `one`.
template <class Place, class T>
class input {
public:
  input(step<Place>& at, std::vector<T> const& values) : here(values), there_(at, values) {}

  template <class On>
  auto on(On&) {
    if constexpr (std::same_as<On, wf::host const>) return std::span<T const>(here);
    else return view_t<Place, T const>(there_.view());
  }

  std::vector<T> const here;

private:
  array<Place, T> there_;
};

/// A call's two forms: now(place, twin...) and later(place, result, twin...), or both of them
/// (place, output, twin...) where the verb writes an array.
template <class Now, class Later>
struct forms {
  Now now;
  Later later;
};
template <class Now, class Later>
forms(Now, Later) -> forms<Now, Later>;
#define WARPFOLD_FORMS(verb, ...)                                                                  \
  forms {                                                                                          \
    [&](auto& place, auto... more) { return verb(place, __VA_ARGS__, more...); },                  \
        [&](auto& place, auto... more) { verb##_async(place, __VA_ARGS__, more...); }              \
  }

/// Checks what later(view of an array) writes, enqueued as it is or from a graph, if anything. It
/// comes after the blocking form, which makes room for it.
template <class T, class Place>
void check_later(step<Place>& at, std::vector<T> const& known,
                 std::function<void(view_t<Place, T>)> const& later) {
  std::size_t const form = at.random.below(3);
  if (form == 0) return;
  array<Place, T> output(at, known.size());
  bool is_launched = false;
  if constexpr (step<Place>::on_gpu) {
    is_launched = form == 2;
    if (is_launched) {
      at.what << ", in a graph";
      auto graph = captured(at.place, [&] { later(output.view()); });
      for (std::size_t launches = 1 + at.random.below(3); launches > 0; --launches) graph.launch();
    }
  }
  if (!is_launched) later(output.view());
  wait(at.place);
  at.require(agree(output.read(), known), "the _async form has another result");
}

/// A verb's result by any twin: the bits of `one`, which has no twin. `how` is a vendor whose bits
/// these are for the values in question, and compiled if IsCompared.
template <bool IsCompared = false, class Place, class Verb>
auto verify(step<Place>& at, Verb const& verb, twins::vendor how = twins::fold) {
  auto const known = verb.now(one);
  using R = std::remove_const_t<decltype(known)>;
  using stored = test::stored_t<R>;
  R const got = test::with_twin<IsCompared>(how, [&](auto... twin) -> R {
    R const found = verb.now(at.place, twin...);
    if (test::has_async(at.place, twin...))
      check_later<stored>(at, std::vector<stored>(1, found), [&](auto to) {
        verb.later(at.place, test::as_results<Place, R>(to), twin...);
      });
    return found;
  });
  if (agree(got, known)) return got;
  if constexpr (std::is_arithmetic_v<R>)
    at.what << ": " << std::hexfloat << got << " for " << known;
  throw mismatch("not the host's result");
}

/// The `size` elements that a verb writes, in the same way.
template <class T, bool IsCompared = false, class Place, class Verb>
std::vector<T> verify_output(step<Place>& at, std::size_t size, Verb const& verb,
                             twins::vendor how = twins::fold) {
  std::vector<T> known(size);
  verb.now(one, std::span<T>(known));
  test::with_twin<IsCompared>(how, [&](auto... twin) {
    array<Place, T> output(at, size);
    verb.now(at.place, output.view(), twin...);
    at.require(agree(output.read(), known), "not the host's results");
    if (test::has_async(at.place, twin...))
      check_later<T>(at, known, [&](auto to) { verb.later(at.place, to, twin...); });
  });
  return known;
}

} // namespace random_work
