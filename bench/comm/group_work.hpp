#pragma once
// Problems for groups of any number of ranks, made where each rank works; for the tour, too.

#include <warpfold/buffer.hpp>
#include <warpfold/comm/communicator.hpp>
#include <warpfold/comm/poisson.hpp>
#include <warpfold/comm/pricing.hpp>
#include <warpfold/pricing/monte_carlo.hpp>
#include <warpfold/random.hpp>
#include <warpfold/twins/poisson.hpp>

#include <cstddef>
#include <cstdint>
#include <numbers>
#include <type_traits>
#include <vector>

namespace warpfold::bench {

template <class Place, class T>
using memory_on = std::conditional_t<std::is_same_v<Place, gpu>, device_buffer<T>, std::vector<T>>;

template <class T>
device_buffer<T> make_on(gpu& place, std::size_t size) {
  return device_buffer<T>(place, size);
}
template <class T>
std::vector<T> make_on(host&, std::size_t size) {
  return std::vector<T>(size);
}
template <class T>
std::vector<T> contents_of(gpu& place, device_buffer<T> const& memory) {
  return to_vector(place, memory.span());
}
template <class T>
std::vector<T> contents_of(host&, std::vector<T> const& memory) {
  return memory;
}

/// Elements first ... first + size of one sequence of random numbers between 0 and 1.
template <class Place>
memory_on<Place, float> numbers_on(Place& place, std::size_t first, std::size_t size) {
  auto memory = make_on<float>(place, size);
  if (size > 0)
    random::uniform(place, poisson::span_on<float, Place>(memory), {.seed = 2008, .offset = first});
  return memory;
}

/// The rank's part of `size` numbers.
template <class Place>
memory_on<Place, float> numbers_of(communicator<Place> const& comm, std::size_t size) {
  auto const own = rank_part(size, comm.rank(), comm.size());
  return numbers_on(comm.place(), own.first, own.count);
}

/// Calls that differ in their strikes, in the memory of a place.
template <class Place>
class group_book {
public:
  group_book(Place& place, std::size_t size)
      : place_{&place}, strikes_{make_on<float>(place, size)}, estimates_{
                                                                   make_on<estimate>(place, size)} {
    std::vector<float> strikes(size);
    for (std::size_t i = 0; i < size; ++i)
      strikes[i] = 80 + 40 * static_cast<float>(i) / static_cast<float>(size);
    if constexpr (std::is_same_v<Place, gpu>)
      copy(place, std::span<float const>(strikes), strikes_.span());
    else strikes_ = strikes;
  }

  /// On a place alone, or on a communicator.
  template <class Where>
  void simulate(Where& where, std::uint64_t paths) {
    pricing::simulate(where, book(), {.value = estimates_}, {.paths = paths, .seed = 2008});
  }
  std::vector<pricing::estimate> estimates() const { return contents_of(*place_, estimates_); }

private:
  using estimate = pricing::estimate;
  using kinds = poisson::span_on<pricing::option_kind const, Place>;
  using numbers = poisson::span_on<float const, Place>;
  pricing::european_book<kinds, numbers> book() const {
    return {pricing::option_kind::call, 100.F, strikes_, 1.F, 0.3F, 0.02F};
  }

  Place* place_;
  memory_on<Place, float> strikes_;
  memory_on<Place, estimate> estimates_;
};

/// A periodic square with random numbers for right-hand side, and its solver.
inline poisson::problem group_square(std::size_t points) {
  poisson::axis const along{.points = points, .length = 2 * std::numbers::pi};
  return {.axes = {along, along}};
}
template <class Place, class Solver>
class solved_square {
public:
  /// @param where a place for all of it, or a communicator for a slab of each rank's
  template <class Where, class... Engine>
  solved_square(Where& where, std::size_t points, Engine... how)
      : solver_{where, group_square(points), how...} {
    index_range rows{0, points};
    if constexpr (std::is_same_v<Where, Place>) place_ = &where;
    else {
      place_ = &where.place();
      rows = solver_.local_slab();
    }
    rhs_ = numbers_on(*place_, rows.first * points, rows.count * points);
    solution_ = make_on<float>(*place_, rows.count * points);
  }

  void solve() { solver_.solve({.rhs = rhs_, .solution = solution_}); }
  std::vector<float> solution() const { return contents_of(*place_, solution_); }
  memory_on<Place, float> const& rhs() const { return rhs_; }

private:
  Place* place_;
  Solver solver_;
  memory_on<Place, float> rhs_, solution_;
};
template <class Place>
using group_slabs = solved_square<Place, poisson::slab_solver<float, Place>>;
template <class Place>
using whole_square = solved_square<Place, poisson::solver<float, Place>>;

} // namespace warpfold::bench
