// The bodies of the fold kernels in the emulator, against the fold on the host.

#include "affine.hpp"
#include "simt/reduction/folds.hpp"

#include <limits>

namespace {

namespace detail = warpfold::detail;
using simt::in_flight, simt::many_blocks;
using tuning = detail::fold_tuning;
using test::affine, test::then;
using warpfold::identity, warpfold::nan_policy, warpfold::plus, warpfold::square;

/// 12 bytes: no power of two, so one element a thread.
struct last_and_length {
  std::int32_t first, last, length;
};
struct concatenate {
  last_and_length operator()(last_and_length a, last_and_length b) const {
    return {a.first, b.last, a.length + b.length + (a.last == b.first ? 0 : 1)};
  }
};

template <class T>
std::vector<T> random_values(std::size_t size) {
  if constexpr (warpfold::detail::built_in_element<T>) {
    return test::rough_values<T>(size, simt::seed());
  } else {
    std::mt19937 random(simt::seed());
    std::vector<T> values(size);
    for (T& x : values) {
      auto const bits = static_cast<std::uint32_t>(random());
      if constexpr (std::is_same_v<T, affine>) x = {bits | 1, static_cast<std::uint32_t>(random())};
      else x = {static_cast<int>(bits % 2), static_cast<int>(bits / 2 % 2), 1};
    }
    return values;
  }
}

/// Sizes around a row of one block of 32 threads, a batch of such rows, and a block of the default
/// tree's spread (256 threads, 4 rows) times 5.
template <class T>
std::vector<std::size_t> sizes() {
  std::vector<std::size_t> all{0, 1, 2, 31, 32, 33, 1000, 3001};
  std::size_t const lanes = detail::lanes_per_thread<T>;
  for (std::size_t const tile :
       {32 * lanes, detail::fold_tuning::rows_in_flight * 32 * lanes,
        std::size_t{64 << 10} / sizeof(T), 5 * 4 * 256 * lanes, 6 * 4 * 256 * lanes + 77})
    for (std::size_t const size : {tile - 1, tile, tile + 1}) all.push_back(size);
  return all;
}

template <class T, class A, class Op, class Transform>
void check_sizes(A init, Op op, Transform transform) {
  for (std::size_t const size : sizes<T>()) {
    auto const values = random_values<T>(size);
    detail::fold_shape const shape = detail::fold_shape_of<T>(size, sizeof(A));
    simt::check_fold<tuning>(values, shape, init, op, transform,
                             detail::fold_host(1, values.data(), size, init, op, transform));
  }
}

/// Folds with the bare operator from the left.
template <class A, class Op>
A serial(std::vector<A> const& values, A init, Op op) {
  for (A const& x : values) init = op(init, x);
  return init;
}

/// The result of fold_host, for any shape.
template <class T, class A, class Op>
A walk(std::vector<T> const& values, detail::fold_shape shape, A init, Op op) {
  if (values.empty()) return init;
  std::int64_t const row_size = std::int64_t{shape.threads} * detail::lanes_per_thread<T>;
  std::vector<A> partials, lanes(static_cast<std::size_t>(row_size));
  for (std::int64_t b = 0; b < shape.blocks; ++b)
    partials.push_back(detail::fold_block_striped(
        lanes.data(), values.data() + b * shape.rows_per_block * row_size, row_size,
        shape.rows_of(static_cast<int>(b)), b == shape.blocks - 1 ? shape.tail : 0, op,
        identity{}));
  auto const run = static_cast<std::size_t>(shape.run);
  std::vector<A> runs;
  for (std::size_t i = 0; i < partials.size(); ++i)
    if (i % run == 0) runs.push_back(partials[i]);
    else runs.back() = op(runs.back(), partials[i]);
  return op(init, detail::fold_pairs(runs.data(), std::ssize(runs), op));
}

/// Folds of the first elements, of which there are no more in memory, by grids of any size.
template <class T, class A, class Op, class Transform>
void check_counted(A init, Op op, Transform transform) {
  std::mt19937 random(simt::seed());
  for (std::size_t const capacity : {0, 33, 20'000, 70'000})
    for (std::uint64_t const count :
         {std::uint64_t{0}, std::uint64_t{1}, random() % (capacity + 1), capacity + random() % 2}) {
      auto const values = random_values<T>(std::min<std::size_t>(count, capacity));
      simt::at_both<T> const both(values);
      A const expected = detail::fold_host(1, values.data(), values.size(), init, op, transform);
      simt::in_every_order([&](simt::options const& how) {
        auto const grid = static_cast<int>(1 + random() % 9);
        INFO(count, " of ", capacity, " elements, ", grid, " blocks");
        both.read_by(transform, [&](auto reader) {
          simt::poisoned<A> partials(detail::fold_tree{}.partial_bytes / sizeof(A)), result(1);
          unsigned ticket = 0;
          simt::launch<detail::counted_shared<A>>(
              grid, detail::max_fold_threads, how, [&](simt::block const& b, auto& shared) {
                detail::fold_counted<T, tuning>(b, reader, {capacity, &count}, init, op,
                                                detail::fold_scratch<A>{partials.data(), &ticket},
                                                result.data(), shared);
              });
          CHECK(ticket == 0);
          CHECK(simt::same(result[0], expected));
        });
      });
    }
}

} // namespace

TEST_CASE("simt fold: sums have the bits of the host's") {
  SUBCASE("int32") { check_sizes<std::int32_t>(17, plus{}, identity{}); }
  SUBCASE("float") { check_sizes<float>(0.1f, plus{}, identity{}); }
  SUBCASE("double of squares") { check_sizes<double>(0.1, plus{}, square{}); }
  SUBCASE("half in float") {
    check_sizes<__half>(0.0f, plus{}, detail::widened<float, identity>{});
  }
}

TEST_CASE("simt fold: counted elements have the bits of a fold of so many") {
  check_counted<float>(0.1f, plus{}, identity{});
  check_counted<std::int64_t>(std::int64_t{5}, warpfold::minimum<>{}, identity{});
  check_counted<__half>(0.0, plus{}, detail::widened<double, identity>{});
}

TEST_CASE_TEMPLATE("simt fold: padding changes no bit", T, float, double, std::int8_t,
                   std::int64_t) {
  using limits = std::numeric_limits<T>;
  auto const check = [](std::size_t size, T of_all, T init, auto op, T expected) {
    std::vector<T> const values(size, of_all);
    auto const shape = detail::fold_shape_of<T>(size, sizeof(T), many_blocks);
    simt::check_fold<tuning>(values, shape, init, op, identity{}, expected);
  };
  constexpr bool is_real = std::is_floating_point_v<T>;
  constexpr T last = is_real ? limits::infinity() : limits::max(),
              first = is_real ? -limits::infinity() : limits::min();
  for (std::size_t const size : {1, 2, 3, 33, 129, 511, 4000}) {
    CAPTURE(size);
    auto const minus_zero = static_cast<T>(-0.0), minus_one = static_cast<T>(-1);
    check(size, minus_zero, minus_zero, plus{}, minus_zero);
    check(size, minus_one, minus_one, warpfold::multiplies{},
          size % 2 == 0 ? minus_one : static_cast<T>(1));
    check(size, last, last, warpfold::minimum<>{}, last);
    check(size, first, first, warpfold::maximum<>{}, first);
    if constexpr (is_real) {
      constexpr auto ignore = warpfold::nan_policy::ignore;
      T const nan = limits::quiet_NaN();
      check(size, nan, last, warpfold::minimum<>{}, nan);
      check(size, nan, first, warpfold::maximum<>{}, nan);
      check(size, nan, nan, warpfold::minimum<ignore>{}, nan);
      check(size, nan, nan, warpfold::maximum<ignore>{}, nan);
    }
  }
}

TEST_CASE("simt fold: minima and maxima of elements with NaN") {
  std::mt19937 random(simt::seed());
  auto const nan = std::numeric_limits<float>::quiet_NaN();
  auto const check = [&](std::vector<float> const& values, auto op, float init) {
    auto const shape = detail::fold_shape_of<float>(values.size(), sizeof(float), many_blocks);
    float const expected = serial(values, init, op);
    simt::check_fold<tuning>(values, shape, init, op, identity{}, expected);
    return expected;
  };
  for (std::size_t const size : {33, 129, 511, 4000}) {
    auto values = random_values<float>(size);
    values[random() % size] = nan;
    values[size - 1] = nan;
    float const inf = std::numeric_limits<float>::infinity();
    CHECK(std::isnan(check(values, warpfold::minimum<nan_policy::propagate>{}, inf)));
    CHECK(std::isnan(check(values, warpfold::maximum<nan_policy::propagate>{}, -inf)));
    CHECK(std::isfinite(check(values, warpfold::minimum<nan_policy::ignore>{}, inf)));
    CHECK(std::isfinite(check(values, warpfold::maximum<nan_policy::ignore>{}, -inf)));
  }
  std::vector<float> const nothing(300, nan);
  CHECK(std::isnan(check(nothing, warpfold::minimum<nan_policy::propagate>{}, 1.0f)));
  CHECK(check(nothing, warpfold::maximum<nan_policy::ignore>{}, 1.0f) == 1.0f);
}

TEST_CASE("simt fold: an operator that does not commute sees the elements in order") {
  SUBCASE("two lanes a thread") { check_sizes<affine>(affine{3, 5}, then{}, identity{}); }
  SUBCASE("one lane a thread") {
    check_sizes<last_and_length>(last_and_length{0, 1, 1}, concatenate{}, identity{});
  }
}

TEST_CASE("simt fold: trees of other shapes") {
  std::mt19937 random(simt::seed());
  // Rows of 64 threads: 256 floats, 128 affine maps; blocks of two rows.
  for (std::size_t const size : {255, 256, 257, 511, 512, 513, 1023, 1025, 4095, 4096, 4097, 20000,
                                 static_cast<int>(1100 + random() % 9000)}) {
    auto const floats = random_values<float>(size);
    auto const shape = detail::fold_shape_of<float>(size, sizeof(float), many_blocks);
    simt::check_fold<in_flight<3>>(floats, shape, 0.5f, plus{}, identity{},
                                   walk(floats, shape, 0.5f, plus{}));

    auto const maps = random_values<affine>(size);
    simt::check_fold<in_flight<2>>(
        maps, detail::fold_shape_of<affine>(size, sizeof(affine), many_blocks), affine{1, 0},
        then{}, identity{}, serial(maps, affine{1, 0}, then{}));
  }
}

TEST_CASE("simt fold: a thread folds several partials when there are more blocks than threads") {
  auto tree = many_blocks;
  tree.max_threads = 32;
  auto const maps = random_values<affine>(47 * 2 * 64 + 13);
  auto const shape = detail::fold_shape_of<affine>(maps.size(), sizeof(affine), tree);
  REQUIRE(shape.blocks > shape.threads);
  simt::check_fold<tuning>(maps, shape, affine{7, 1}, then{}, identity{},
                           serial(maps, affine{7, 1}, then{}));
  auto const floats = random_values<float>(47 * 2 * 128 + 13);
  auto const float_shape = detail::fold_shape_of<float>(floats.size(), sizeof(float), tree);
  REQUIRE(float_shape.blocks > float_shape.threads);
  simt::check_fold<in_flight<1>>(floats, float_shape, 0.0f, plus{}, identity{},
                                 walk(floats, float_shape, 0.0f, plus{}));
}

TEST_CASE("simt fold: a barrier left out is noticed") {
  auto const unneeded = [&](int blocks, auto const& values, auto init, auto op) {
    using T = typename std::decay_t<decltype(values)>::value_type;
    auto const shape = detail::fold_shape_of<T>(values.size(), sizeof(T), many_blocks);
    REQUIRE(shape.blocks == blocks);
    REQUIRE(shape.threads == 64);
    auto const expected = serial(values, init, op);
    return simt::unneeded_barriers([&](simt::options const& how) {
      detail::packed_reader<T, identity> const reader{values.data(), identity{}};
      return simt::same(expected, simt::fold<tuning>(how, reader, shape, init, op));
    });
  };
  auto const striped = [&](int blocks) {
    auto const size = static_cast<std::size_t>(blocks * 2 * 64 * 4);
    return unneeded(blocks, random_values<std::int32_t>(size), 1, plus{});
  };
  auto const ordered = [&](int blocks) {
    auto const size = static_cast<std::size_t>(blocks * 2 * 64 * 2);
    return unneeded(blocks, random_values<affine>(size), affine{3, 1}, then{});
  };
  // The partials of 40 blocks are folded by two warps, those of 20 by one.
  CHECK(striped(40) == "");
  // The warp's barrier after the broadcast orders memory, which the emulator's broadcast does too.
  CHECK(striped(20) == "1 fold_grid, ");
  // The barrier before fold_grid separates nothing that fold_grid's own barrier, or its use of no
  // shared memory, does not.
  CHECK(ordered(40) == "1 fold_ordered, ");
  CHECK(ordered(20) == "1 fold_ordered, 2 fold_grid, ");
}
