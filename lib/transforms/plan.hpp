#pragma once
// Plans of transforms: what is checked, and the backend that runs.

#include "backend.hpp"
#include "poisson/host/host_threads.hpp"
#include "poisson/instances.hpp"

#include <warpfold/detail/core/arguments.hpp>
#include <warpfold/detail/core/refusal.hpp>
#include <warpfold/detail/core/verb.hpp>

#include <memory>
#include <utility>

namespace warpfold::inline v0::transforms {
namespace {

/// What the place alone refuses.
inline std::unique_ptr<checked_problem> checked(gpu const& place, problem const& of,
                                                std::size_t element) {
  auto made = std::make_unique<checked_problem>(check_problem(of, element));
  if (!gpu_impl::can_transform(place, *made, element))
    detail::refuse(length_name(of), detail::text(made->points, " on a gpu"),
                   "problems that can_transform knows");
  return made;
}
inline std::unique_ptr<checked_problem> checked(host const& place, problem const& of,
                                                std::size_t element) {
  auto made = std::make_unique<checked_problem>(check_problem(of, element, poisson::host_memory()));
  // int counts the complex transform, and all that is made of it.
  constexpr std::size_t most = poisson::most_points<false>;
  if (made->points > most)
    detail::refuse(length_name(of), detail::text(made->points),
                   detail::text("at most ", most, " on a host"));
  poisson::check_host_line(length_name(of), made->base, made->points, made->size(), place);
  return made;
}

template <class T, class Place>
std::unique_ptr<backend<T>> make(Place& place, checked_problem const& of) {
  if constexpr (poisson::on_gpu<Place>) {
    device_guard const current{place.device()};
    return gpu_impl::make_backend<T>(place, of);
  } else return host_impl::make_backend<T>(place, of);
}

} // namespace

template <class T, class Place>
struct plan<T, Place>::state {
  state(Place& where, transforms::problem const& problem)
      : place{&where}, of{checked(where, problem, sizeof(T))}, backend{make<T>(where, *of)} {}

  void enqueue(poisson::span_on<T const, Place> input, poisson::span_on<T, Place> output) {
    std::size_t const size = of->size();
    auto const check = [&](char const* name, auto array) {
      if (array.size() != size)
        detail::refuse(name, detail::text(array.size(), " elements"), detail::text(size));
      detail::check_elements(name, array.data(), size);
    };
    check("input", input);
    check("output", output);
    if (input.data() != output.data() &&
        detail::share_memory(input.data(), size * sizeof(T), output.data(), size * sizeof(T)))
      detail::refuse("output", "overlaps input", "the same array, or memory of its own");
    backend->run(input.data(), output.data());
  }

  Place* place;
  std::unique_ptr<checked_problem> of;
  std::unique_ptr<transforms::backend<T>> backend;
};

template <class T, class Place>
plan<T, Place>::plan(Place& place, transforms::problem const& problem)
    : state_{[&] {
        detail::verb const scope("transforms::plan");
        return std::make_unique<state>(place, problem);
      }()} {}
template <class T, class Place>
plan<T, Place>::plan(plan&&) noexcept = default;
template <class T, class Place>
plan<T, Place>& plan<T, Place>::operator=(plan&&) noexcept = default;
template <class T, class Place>
plan<T, Place>::~plan() = default;

template <class T, class Place>
transforms::problem const& plan<T, Place>::problem() const noexcept {
  return state_->of->problem;
}
template <class T, class Place>
std::size_t plan<T, Place>::size() const noexcept {
  return state_->of->size();
}
template <class T, class Place>
double plan<T, Place>::period() const noexcept {
  return state_->of->period;
}

template <class T, class Place>
void plan<T, Place>::run(poisson::span_on<T const, Place> input,
                         poisson::span_on<T, Place> output) {
  detail::verb const scope("transforms::plan::run");
  state_->enqueue(input, output);
  if constexpr (poisson::on_gpu<Place>) state_->place->synchronize();
}
template <class T, class Place>
void plan<T, Place>::run_async(poisson::span_on<T const, Place> input,
                               poisson::span_on<T, Place> output) {
  detail::verb const scope("transforms::plan::run_async");
  state_->enqueue(input, output);
}

} // namespace warpfold::inline v0::transforms

#define INSTANTIATE(T, Place)                                                                      \
  namespace warpfold::inline v0::transforms {                                                      \
  template class plan<T, Place>;                                                                   \
  }
