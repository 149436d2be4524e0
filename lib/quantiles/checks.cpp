#include <warpfold/quantiles.hpp>

#include <warpfold/detail/core/refusal.hpp>

#include <cmath>

namespace warpfold::inline v0::detail {

void check_results(char const* argument, std::size_t size, std::size_t count, bool share_memory) {
  if (size != count)
    refuse(argument, text("room for ", size), text(count, ", one for each asked for"));
  if (share_memory) refuse(argument, "memory of another argument", "memory of its own");
}

void check_top(char const* argument, std::size_t count, std::size_t elements) {
  if (count > elements) refuse(argument, text(count, " of them"), text("0 to ", elements));
}

namespace {

selection checked(char const* argument, std::size_t size, std::size_t count, element_kind kind,
                  bool is_quantile) {
  if (size == 0) refuse("values", "0 elements", "at least one");
  if (count > max_quantiles)
    refuse(argument, text(count, " of them"), text("up to ", max_quantiles));
  selection asked{};
  asked.count = static_cast<int>(count);
  asked.kind = kind;
  asked.is_quantile = is_quantile;
  return asked;
}

/// x rounded to an integer, halves to the even one.
double rounded(double x) {
  double const down = std::floor(x), part = x - down;
  bool const up = part > 0.5 || (part == 0.5 && std::fmod(down, 2) != 0);
  return up ? down + 1 : down;
}

} // namespace

selection select_ranks(char const* argument, std::size_t size, std::span<std::uint64_t const> ranks,
                       element_kind kind) {
  check_elements(argument, ranks.data(), ranks.size());
  selection asked = checked(argument, size, ranks.size(), kind, false);
  for (std::size_t p = 0; p < ranks.size(); ++p) {
    if (ranks[p] >= size) refuse(argument, ranks[p], text("0 to ", size - 1));
    asked.rank[2 * p] = asked.rank[2 * p + 1] = ranks[p];
  }
  return asked;
}

selection select_quantiles(char const* argument, std::size_t size, std::span<double const> qs,
                           interpolation method, element_kind kind) {
  check_elements(argument, qs.data(), qs.size());
  selection asked = checked(argument, size, qs.size(), kind, true);
  if (method < interpolation::lower || method > interpolation::linear)
    refuse("method", static_cast<int>(method), "lower, higher, nearest, midpoint or linear");
  std::uint64_t const last = size - 1;
  for (std::size_t p = 0; p < qs.size(); ++p) {
    if (!(qs[p] >= 0 && qs[p] <= 1)) refuse(argument, qs[p], "0 to 1");
    double const position = qs[p] * static_cast<double>(last), down = std::floor(position);
    auto const rank_of = [&](double x) {
      auto const rank = static_cast<std::uint64_t>(x);
      return rank < last ? rank : last;
    };
    std::uint64_t lower = rank_of(down), upper = rank_of(std::ceil(position));
    double weight = position - down;
    switch (method) {
    case interpolation::lower: upper = lower; break;
    case interpolation::higher: lower = upper; break;
    case interpolation::nearest: lower = upper = rank_of(rounded(position)); break;
    case interpolation::midpoint: weight = weight == 0 ? 0 : 0.5; break;
    case interpolation::linear: break;
    }
    asked.rank[2 * p] = lower;
    asked.rank[2 * p + 1] = upper;
    asked.weight[p] = lower == upper ? 0 : weight;
  }
  return asked;
}

} // namespace warpfold::inline v0::detail
