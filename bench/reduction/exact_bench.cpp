// Exact sums on a GPU beside the fold's and CUB's, which round: on normal random numbers, and on
// numbers whose exponents are spread over the whole range.

#include "ways.hpp"

namespace warpfold::bench {
namespace {

enum class operation { sum, dot, norm2 };

/// The result for the last array, of `size` elements or pairs, on the host.
template <class T>
T exact_result(arrays<T> const& all, operation what, std::size_t size) {
  std::size_t const block = all.block().size(), blocks = size / block;
  // The block repeats: its sum is merged as often.
  auto const total = [&](auto sum, auto add) {
    auto whole = sum;
    if (blocks > 0)
      for (std::size_t i = 0; i < block; ++i) add(whole, i);
    for (std::size_t i = 0; i < blocks; ++i) sum.merge(whole);
    for (std::size_t i = blocks * block; i < size; ++i) add(sum, i);
    return sum;
  };
  if (what == operation::sum)
    return total(exact_accumulator<T>(), [&](auto& sum, std::size_t i) { sum.add(all.element(i)); })
        .template finish<T>();
  bool const is_dot = what == operation::dot;
  auto const sum = total(exact_product_accumulator<T>(), [&](auto& terms, std::size_t i) {
    terms.add(all.element(i), all.element(is_dot ? size + i : i));
  });
  return is_dot ? sum.template finish<T>() : sum.template finish_root<T>();
}

template <class T>
void add(session& run, std::string const& name, operation what, pattern elements,
         std::initializer_list<int> exponents) {
  for (int const e : exponents) {
    std::size_t const size = power(e);
    if (2 * size * sizeof(T) > run.pool->size()) continue;
    // A dot product is of the two halves of an array.
    auto const halves = [=](array_t<T> all) {
      return std::pair{all.subspan(0, size), all.subspan(size)};
    };
    auto const now = [=](gpu& place, array_t<T> all) {
      if (what == operation::sum) return exact_sum(place, all);
      if (what == operation::norm2) return exact_norm2(place, all);
      auto const [x, y] = halves(all);
      return exact_dot(place, x, y);
    };
    auto const later = [=](gpu& place, array_t<T> all, device_span<T> result) {
      if (what == operation::sum) return exact_sum_async(place, all, result);
      if (what == operation::norm2) return exact_norm2_async(place, all, result);
      auto const [x, y] = halves(all);
      exact_dot_async(place, x, y, result);
    };
    auto const expected =
        computed_once([=](arrays<T> const& all) { return exact_result(all, what, size); });
    auto const complaint = [=](arrays<T> const& all, T found) {
      T const right = expected(all);
      return found == right ? "" : wrong(static_cast<double>(found), static_cast<double>(right));
    };
    add_ways<T>(run, name + "/" + type_name<T>(), size, elements,
                {way_of<T>("exact", now, later, complaint), sum_way<T>(),
                 sum_way<T>("cub_sum", twins::cub)},
                what == operation::dot ? 2 : 1);
  }
}

template <class T>
void add_all(session& run) {
  if (run.quick) {
    add<T>(run, "exact_sum", operation::sum, pattern::normals, {12, 16, 20, 24, 26, 28, 30});
    add<T>(run, "exact_sum_wild", operation::sum, pattern::wild, {20, 26, 28});
    add<T>(run, "exact_dot", operation::dot, pattern::normals, {20, 26});
    add<T>(run, "exact_norm2", operation::norm2, pattern::normals, {20, 26});
    return;
  }
  add<T>(run, "exact_sum", operation::sum, pattern::normals,
         {10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30});
  add<T>(run, "exact_sum_wild", operation::sum, pattern::wild,
         {10, 14, 18, 20, 22, 24, 26, 28, 30});
  add<T>(run, "exact_dot", operation::dot, pattern::normals, {12, 16, 20, 24, 26, 28});
  add<T>(run, "exact_norm2", operation::norm2, pattern::normals, {12, 16, 20, 24, 26, 28});
}

} // namespace

void add_exact(session& run) {
  if (!run.place) return;
  add_all<float>(run);
  add_all<double>(run);
}

} // namespace warpfold::bench
