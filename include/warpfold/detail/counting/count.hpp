#pragma once
// Implementation of the public header: counts.

#include <warpfold/detail/counting/predicates.hpp>
#include <warpfold/detail/reduction/jobs.hpp>

#include <cstdint>
#include <type_traits>

namespace warpfold::inline v0::detail {

template <class T, class Predicate>
concept built_in_predicate = built_in_element<T> &&
    (one_of<Predicate, less_than<T>, greater_than<T>, equal_to<T>> ||
     (floating_element<T> && one_of<Predicate, is_nan, is_finite>));
template <class Range, class Place, class Predicate>
concept built_in_count = requires {
  requires built_in_predicate<element_t<Place, Range>, Predicate>;
};

/// Where a count goes, or the answer to all_of or any_of: one of the three addresses is not null.
struct count_answer {
  std::uint64_t* count = nullptr;
  bool* all = nullptr; ///< whether it is `size`
  bool* any = nullptr; ///< whether it is not 0
  std::uint64_t size = 0;

  WARPFOLD_HOST_DEVICE void operator()(std::uint64_t counted) const {
    if (count) *count = counted;
    else if (all) *all = counted == size;
    else *any = counted != 0;
  }
};

template <class Predicate, class One = std::uint32_t>
struct one_if {
  Predicate predicate;
  WARPFOLD_CALLS_USER
  template <class T>
  WARPFOLD_HOST_DEVICE One operator()(T const& x) const {
    return predicate(x) ? 1 : 0;
  }
};

/// A count is a fold of ones and zeros, 32 bits wide within a thread, which sees fewer than 2^32.
struct add_counts : plus {
  using lane = std::uint32_t;
};

/// Answers into memory that is accessible to the place; see reduce_to.
template <class T, class Predicate>
void count_to(gpu& place, device_span<T const> values, Predicate predicate,
              count_answer const& answer);
template <class T, class Predicate>
void count_to(host const& place, std::span<T const> values, Predicate predicate,
              count_answer const& answer);

template <class Place, class Predicate, built_in_count<Place, Predicate> Range>
void count_range(Place& place, Range const& values, Predicate predicate, count_answer answer) {
  span_t<Place, Range> const input(values);
  answer.size = input.size();
  count_to<element_t<Place, Range>>(place, input, predicate, answer);
}

/// The member `Answer` of a count_answer, by count_range(place, values...).
template <auto Answer, class Place, class... Values>
auto count_job(Place& place, Values const&... values) {
  using result_type =
      std::remove_pointer_t<std::remove_reference_t<decltype(count_answer{}.*Answer)>>;
  return job_of<result_type>(place, [&](result_type* result) {
    count_answer answer;
    answer.*Answer = result;
    count_range(place, values..., answer);
  });
}

} // namespace warpfold::inline v0::detail
