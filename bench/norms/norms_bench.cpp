// Dot products, norms, counts and compensated sums on a GPU: warpfold's fold, the vendor twins and,
// as a yardstick, the plain sum of the same bytes, in one paired measurement for each operation,
// type and size.

#include "reduction/ways.hpp"

#include <warpfold/twins/counting.hpp>
#include <warpfold/twins/norms.hpp>

#include <cmath>

namespace warpfold::bench {
namespace {

/// The ways of an operation on `count` arrays of `size` elements: now(place, values, twin),
/// later(place, values, result, twin). term(x, y) of the elements, and of those of the second
/// array, are added up to the expected value(result), finished by finish.
template <class T, class Now, class Later, class Term, class Finish, class Value>
void add(session& run, std::string const& name, std::size_t size, std::size_t count, Now now,
         Later later, Term term, Finish finish, Value value) {
  auto const exact = computed_once([=](arrays<T> const& all) {
    auto const at = [&](std::size_t i) { return detail::widen<double>(all.element(i)); };
    auto const sum_of = [&](std::size_t elements) {
      double sum = 0;
      for (std::size_t i = 0; i < elements; ++i) sum += term(at(i), at(i + size));
      return sum;
    };
    std::size_t const block = all.block().size(), blocks = size / block;
    double const whole = blocks > 0 ? static_cast<double>(blocks) * sum_of(block) : 0.0;
    return finish(whole + sum_of(size % block));
  });
  auto const complaint = [=](arrays<T> const& all, auto const& found) {
    double const got = value(found), right = exact(all);
    return std::abs(got - right) > 1e-6 * std::abs(right) ? wrong(got, right) : "";
  };
  auto ways = twin_ways<T>(now, later, complaint, true);
  ways.push_back(sum_way<T>());
  add_ways(run, name + "/" + type_name<T>(), size, pattern::small_integers, ways, count);
}

constexpr auto itself = [](double sum) { return sum; };
constexpr auto as_double = [](auto result) { return static_cast<double>(result); };

template <class T>
void add_dots(session& run, std::size_t size) {
  add<T>(
      run, "dot", size, 2,
      [=](gpu& place, auto all, auto twin) {
        return dot(place, all.subspan(0, size), all.subspan(size), twin);
      },
      [=](gpu& place, auto all, auto result, auto twin) {
        dot_async(place, all.subspan(0, size), all.subspan(size), result, twin);
      },
      [](double x, double y) { return x * y; }, itself, as_double);
}

template <class T>
void add_norm2s(session& run, std::size_t size) {
  add<T>(
      run, "norm2", size, 1, [](auto&&... arguments) { return norm2(arguments...); },
      [](auto&&... arguments) { norm2_async(arguments...); },
      [](double x, double) { return x * x; }, [](double sum) { return std::sqrt(sum); }, as_double);
}

template <class T>
void add_counts(session& run, std::size_t size) {
  greater_than<T> const positive{static_cast<T>(0)};
  add<T>(
      run, "count_if", size, 1,
      [=](gpu& place, auto all, auto twin) { return count_if(place, all, positive, twin); },
      [=](gpu& place, auto all, auto result, auto twin) {
        count_if_async(place, all, positive, result, twin);
      },
      [](double x, double) { return x > 0; }, itself, as_double);
}

template <class T>
void add_compensated(session& run, std::size_t size) {
  add<T>(
      run, "compensated_sum", size, 1,
      [](auto&&... arguments) { return compensated_sum(arguments...); },
      [](auto&&... arguments) { compensated_sum_async(arguments...); },
      [](double x, double) { return x; }, itself,
      [](auto const& result) { return static_cast<double>(result.value); });
}

} // namespace

void add_norms(session& run) {
  if (!run.place) return;
  std::vector<int> exponents{20, 26, 28};
  if (!run.quick) exponents = {12, 16, 20, 22, 24, 26, 28, 30};
  for (int const e : exponents) {
    std::size_t const size = power(e);
    add_dots<float>(run, size);
    add_dots<double>(run, size);
    add_dots<__half>(run, size);
    add_norm2s<float>(run, size);
    add_norm2s<double>(run, size);
    add_counts<float>(run, size);
    add_counts<double>(run, size);
    add_counts<__half>(run, size);
    add_compensated<float>(run, size);
    add_compensated<double>(run, size);
    add_compensated<__half>(run, size);
  }
}

} // namespace warpfold::bench
