#pragma once
// FFTW's real-to-real transforms along an axis, in place, a few lines at a time. A periodic axis'
// modes stay in FFTW's half-complex order, real parts upwards and imaginary parts downwards: both
// parts of a mode then have the eigenvalue of their place, as the modes of cosines and sines do.

#include "poisson/host/host_threads.hpp"
#include "poisson/plan.hpp"

#include <warpfold/detail/core/parallel.hpp>
#include <warpfold/detail/core/refusal.hpp>

#include <fftw3.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <type_traits>

namespace warpfold::inline v0::poisson {

template <class T>
struct calls;
#define CALLS(T, prefix)                                                                           \
  template <>                                                                                      \
  struct calls<T> {                                                                                \
    using plan = prefix##_plan;                                                                    \
    static constexpr auto make = prefix##_plan_guru64_r2r;                                         \
    static constexpr auto execute = prefix##_execute_r2r;                                          \
    static constexpr auto destroy = prefix##_destroy_plan;                                         \
  };
CALLS(float, fftwf)
CALLS(double, fftw)
#undef CALLS

/// FFTW's planner serves one thread at a time. (A program that plans by itself, too, calls
/// fftw_make_planner_thread_safe and fftwf_make_planner_thread_safe.)
inline std::mutex fftw_planner;

/// `count` transforms in place, elements `stride` and lines `distance` apart. The planner measures
/// nothing and assumes no alignment, so it makes the same plan every time, for every array, unless
/// the program gives it wisdom. Lengths with a large prime factor go by Rader's algorithm, whose
/// tables FFTW makes for the first plan that is alive, by the transforms which that one has inside:
/// so their last bits depend on the other plans of the process.
template <class T>
class lines_transform {
public:
  lines_transform() = default;
  lines_transform(fftw_r2r_kind kind, std::size_t points, std::size_t stride, std::size_t count,
                  std::size_t distance) {
    auto const n = static_cast<std::ptrdiff_t>(points), step = static_cast<std::ptrdiff_t>(stride),
               apart = static_cast<std::ptrdiff_t>(distance);
    fftw_iodim64 const along{n, step, step};
    fftw_iodim64 const lines{static_cast<std::ptrdiff_t>(count), apart, apart};
    static T never_touched; // by FFTW_ESTIMATE
    std::lock_guard const lock{fftw_planner};
    plan_.reset(calls<T>::make(1, &along, 1, &lines, &never_touched, &never_touched, &kind,
                               FFTW_ESTIMATE | FFTW_UNALIGNED));
    if (!plan_)
      detail::refuse("problem", detail::text("lines of ", points, " points"),
                     "lines that FFTW has a plan for");
  }
  void operator()(T* first) const { calls<T>::execute(plan_.get(), first, first); }

private:
  using handle = typename calls<T>::plan;
  struct destroy {
    void operator()(handle plan) const {
      std::lock_guard const lock{fftw_planner};
      calls<T>::destroy(plan);
    }
  };
  std::unique_ptr<std::remove_pointer_t<handle>, destroy> plan_;
};

inline fftw_r2r_kind kind_of(transform of, bool is_inverse) {
  switch (is_inverse ? inverse_of(of) : of) {
  case transform::fourier: return is_inverse ? FFTW_HC2R : FFTW_R2HC;
  case transform::cosine_1: return FFTW_REDFT00;
  case transform::cosine_2: return FFTW_REDFT10;
  case transform::cosine_3: return FFTW_REDFT01;
  case transform::cosine_4: return FFTW_REDFT11;
  case transform::sine_1: return FFTW_RODFT00;
  case transform::sine_2: return FFTW_RODFT10;
  case transform::sine_3: return FFTW_RODFT01;
  case transform::sine_4: return FFTW_RODFT11;
  }
  std::abort();
}

/// The lines along one axis of one right-hand side, in groups of lines that are `distance` apart.
struct lines_shape {
  std::size_t points, stride, groups, group_stride, lines, distance;
};

inline lines_shape shape_of(plan const& of, std::size_t number) {
  std::size_t outer = 1, inner = 1;
  for (std::size_t d = 0; d < of.axes.size(); ++d)
    (d < number ? outer : inner) *= d == number ? 1 : of.axes[d].points;
  std::size_t const n = of.axes[number].points;
  if (inner == 1) return {n, 1, 1, 0, outer, n};
  return {n, inner, outer, n * inner, inner, 1};
}

/// use(first element, number of the part) of each of `parts` parts of each group of lines of all
/// right-hand sides, which have `size` values each; parts begin `distance` elements apart.
template <class T, class Use>
void for_each_part(host const& place, lines_shape const& shape, T* values, std::size_t size,
                   std::size_t batch, std::size_t parts, std::size_t distance, Use use) {
  auto const work = static_cast<std::int64_t>(batch * shape.groups * parts);
  detail::parallel_for(threads_for(place, size * batch), work, [&](std::int64_t number) {
    auto const i = static_cast<std::size_t>(number);
    std::size_t const part = i % parts, group = i / parts % shape.groups,
                      which = i / parts / shape.groups;
    use(values + which * size + group * shape.group_stride + part * distance, part);
  });
}

inline constexpr std::size_t lines_at_a_time = 16;

/// Along one axis of all right-hand sides. Which lines go together depends on the axes alone.
template <class T>
class axis_transform {
public:
  axis_transform(plan const& of, std::size_t number, bool is_inverse)
      : shape_{shape_of(of, number)}, all_{of.size()} {
    auto const kind = kind_of(of.axes[number].forward, is_inverse);
    auto const make = [&](std::size_t count) {
      return lines_transform<T>(kind, shape_.points, shape_.stride, count, shape_.distance);
    };
    if (shape_.lines >= lines_at_a_time) whole_ = make(lines_at_a_time);
    if (std::size_t const rest = shape_.lines % lines_at_a_time; rest > 0) rest_ = make(rest);
  }

  void operator()(host const& place, T* values, std::size_t batch) const {
    std::size_t const parts = (shape_.lines + lines_at_a_time - 1) / lines_at_a_time;
    for_each_part(place, shape_, values, all_, batch, parts, lines_at_a_time * shape_.distance,
                  [&](T* first, std::size_t part) {
                    bool const is_whole = (part + 1) * lines_at_a_time <= shape_.lines;
                    (is_whole ? whole_ : rest_)(first);
                  });
  }

private:
  lines_shape shape_;
  std::size_t all_;
  lines_transform<T> whole_, rest_;
};

} // namespace warpfold::inline v0::poisson
