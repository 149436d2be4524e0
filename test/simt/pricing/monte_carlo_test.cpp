// The body of the simulations' kernel in the emulator: the same bits in every order and grid, and
// what the definition says.

#include "pricing/one_option.hpp"
#include "simt/simt.hpp"

#include <pricing/european/monte_carlo_finish.hpp>
#include <pricing/european/monte_carlo_sources.hpp>

#include <cmath>

namespace {

using warpfold::pricing::bits;

namespace wf = warpfold;
using namespace warpfold::pricing;

constexpr wf::detail::address stream{2026, 5};

/// Sums of an option, as the body gives them to what finishes options.
struct finished {
  double sum, squares;
  std::uint64_t paying;
  int times;
};

struct keep {
  finished* to;
  void operator()(std::size_t i, option_scale const& scale, tile_sums<2> const& of) const {
    double const unit = scale.unit * scale.discount;
    to[i] = {unit * of.of[0], unit * unit * of.of[1], of.paying, to[i].times + 1};
  }
};

struct problem {
  std::vector<option_kind> kinds;
  std::vector<float> strikes;
  simulation_shape shape;

  problem(std::uint32_t options, std::uint64_t samples, bool independent, std::uint64_t tile)
      : shape{simulation_shape_of(options, samples, 1, independent, 8)} {
    for (std::uint32_t i = 0; i < options; ++i) {
      kinds.push_back(i % 3 == 0 ? option_kind::put : option_kind::call);
      strikes.push_back(80 + 40 * static_cast<float>(i) / static_cast<float>(options));
    }
    // Many tiles and chunks, of few samples.
    shape.tile = tile;
    shape.chunk = static_cast<std::uint32_t>(std::min<std::uint64_t>(tile, 512));
    shape.tiles = shape.all_tiles = static_cast<std::uint32_t>((samples + tile - 1) / tile);
    shape.units = shape.groups * shape.tiles;
    shape.branches = shape.tiles > 32 ? (shape.tiles + 15) / 16 : 0;
  }
  book_view<float> book() const {
    return {{{nullptr, 100},
             {strikes.data(), 0},
             {nullptr, 1},
             {nullptr, 0.2F},
             {nullptr, 0.05F},
             {nullptr, 0}},
            kinds.size()};
  }
};

using evaluation = plain_evaluation<float, kinds::both>;
using work_type = simulation_work<float, evaluation, philox_source<float>, keep>;

/// Arguments of the launches of a simulation.
struct emulation {
  problem const& of;
  simulation_shape const& shape = of.shape;
  simt::poisoned<tile_sums<2>> partials{std::size_t{shape.units + shape.groups * shape.branches} *
                                        shape.wide};
  std::vector<unsigned> tickets = std::vector<unsigned>(shape.groups * (shape.branches + 1));
  std::vector<finished> result = std::vector<finished>(of.kinds.size());

  sum_places tiles() { return sum_places::whole(partials.data(), shape.all_tiles); }
  sum_places branches() {
    return sum_places::whole(partials.data() + shape.units * shape.wide, shape.branches);
  }
  work_type work(sum_places tile_sums, sum_places branch_sums, bool has_tickets,
                 std::uint32_t first, std::uint32_t past, bool in_parts) {
    return {shape,
            {},
            philox_source_of<float>(stream, 0),
            {of.kinds.data(), {}},
            of.book(),
            tile_sums,
            branch_sums,
            has_tickets ? tickets.data() : nullptr,
            first,
            past - first,
            in_parts,
            {result.data()}};
  }
  template <int PerThread, class Body>
  void launch(simt::options const& how, std::uint32_t blocks, Body body) const {
    simt::launch<simulation_shared<float, evaluation, PerThread>>(static_cast<int>(blocks),
                                                                  shape.threads, how, body);
  }
  std::vector<finished> done() const {
    for (unsigned const ticket : tickets) CHECK(ticket == 0);
    return result;
  }
};

template <int PerThread>
std::vector<finished> simulate_simt(simt::options const& how, problem const& of, int blocks,
                                    bool is_flat = false) {
  emulation all{of};
  auto work = all.work(all.tiles(), all.branches(), true, 0, of.shape.tiles, false);
  work.is_flat = is_flat;
  all.launch<PerThread>(how, static_cast<std::uint32_t>(blocks),
                        [&](simt::block const& block, auto& shared) {
                          simulate<float, PerThread>(block, work, shared);
                        });
  return all.done();
}

/// As simulate_simt, in parts whose tiles or branches are added afterwards.
template <int PerThread>
std::vector<finished> simulate_in_parts(simt::options const& how, problem const& of,
                                        std::uint32_t parts, bool by_branches) {
  emulation all{of};
  auto const& shape = of.shape;
  // The sums that ranks exchange lie part after part.
  std::uint32_t const pieces = by_branches ? shape.branches : shape.all_tiles;
  std::uint32_t const width = (pieces + parts - 1) / parts;
  std::size_t const apart = shape.groups * width * shape.wide + 3;
  simt::poisoned<tile_sums<2>> gathered(parts * apart);
  sum_places const travels{reinterpret_cast<std::byte*>(gathered.data()),
                           apart * sizeof(tile_sums<2>), width};
  for (std::uint32_t p = 0; p <= parts; ++p) {
    auto const begin = [&](std::uint32_t part) {
      constexpr std::uint32_t of_branch = simulation_shape::tiles_of_branch;
      return std::min(part * width * (by_branches ? of_branch : 1), shape.tiles);
    };
    bool const is_last = p == parts;
    auto const work = all.work(by_branches ? all.tiles() : travels,
                               by_branches ? travels : all.branches(), by_branches && !is_last,
                               is_last ? 0 : begin(p), is_last ? shape.tiles : begin(p + 1), true);
    if (is_last && shape.branches > 0 && !by_branches)
      all.launch<PerThread>(
          how, shape.groups * shape.branches,
          [&](simt::block const& block, auto& shared) { add_branch(block, work, shared); });
    all.launch<PerThread>(
        how, is_last ? shape.groups : 2, [&](simt::block const& block, auto& shared) {
          if (!is_last) return simulate<float, PerThread>(block, work, shared);
          auto const group = static_cast<std::uint32_t>(block.block_rank());
          auto const option = group * shape.wide + static_cast<std::uint32_t>(block.thread_rank());
          prepare_options(block, work, group * shape.wide, shared);
          auto const total = add_tiles(block, work, group, shared);
          if (block.thread_rank() < static_cast<int>(shape.wide) && option < shape.options)
            work.finish(option, shared.scales[block.thread_rank()], total);
        });
  }
  return all.done();
}

bool same(std::vector<finished> const& a, std::vector<finished> const& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!simt::same(a[i].sum, b[i].sum) || !simt::same(a[i].squares, b[i].squares) ||
        a[i].paying != b[i].paying || a[i].times != 1 || b[i].times != 1)
      return false;
  return true;
}

void check_defined(problem const& of, std::vector<finished> const& got) {
  for (std::size_t i = 0; i < got.size(); ++i) {
    CAPTURE(i);
    double sum = 0, squares = 0;
    std::uint64_t paying = 0;
    double const x = of.strikes[i], v = 0.2F, r = 0.05F;
    for (std::uint64_t p = 0; p < of.shape.samples; ++p) {
      wf::detail::address const from{stream.seed, stream.stream + (of.shape.independent ? i : 0)};
      double const z = test::normal_of<float>(from, p);
      double const final = 100 * std::exp(r - v * v / 2 + v * z);
      double const worth = of.kinds[i] == option_kind::call ? final - x : x - final;
      double const payoff = std::exp(-r) * std::max(worth, 0.);
      sum += payoff;
      squares += payoff * payoff;
      paying += worth >= 0;
    }
    auto const n = static_cast<double>(of.shape.samples);
    CHECK(std::abs(got[i].sum - sum) < 2e-4 * n);
    CHECK(std::abs(got[i].squares - squares) < 2e-1 * n);
    CHECK(got[i].paying == paying);
  }
}

template <int PerThread>
void check_body(problem const& of) {
  auto const expected = simulate_simt<PerThread>({}, of, 1);
  check_defined(of, expected);
  for (std::uint32_t const parts : {1u, 2u, 5u})
    if (parts <= of.shape.tiles)
      simt::in_every_order([&](simt::options const& how) {
        CHECK(same(simulate_in_parts<PerThread>(how, of, parts, false), expected));
        if (parts <= of.shape.branches)
          CHECK(same(simulate_in_parts<PerThread>(how, of, parts, true), expected));
      });
  for (int const blocks : {1, 3, 64}) {
    int const used = std::min(blocks, static_cast<int>(of.shape.units));
    simt::in_every_order([&](simt::options const& how) {
      CHECK(same(simulate_simt<PerThread>(how, of, used), expected));
    });
  }
}

/// Groups of half as many options give the same bits.
template <int PerThread>
void check_halved(problem const& of) {
  auto const expected = simulate_simt<PerThread>({}, of, 1);
  problem half = of;
  half.shape = halved(of.shape);
  for (int const blocks : {1, 20})
    simt::in_every_order([&](simt::options const& how) {
      CHECK(same(simulate_simt<PerThread / 2>(how, half, blocks), expected));
      if (can_be_flat(half.shape))
        CHECK(same(simulate_simt<PerThread / 2>(how, half, blocks, true), expected));
    });
}

} // namespace

TEST_CASE("simt: simulations of one and more options") {
  check_body<1>({1, 5001, false, 1024});
  check_body<1>({3, 1501, true, 512});
  check_body<2>({2, 513, false, 512});
  check_body<4>({3, 3000, false, 512});
  check_body<8>({9, 2049, false, 1024});
  check_body<8>({130, 700, false, 1024});
}

/// The estimates of the kernel's body and those of the verb on a host have the same bits.
template <class T, int PerThread, class Evaluation>
void check_host(std::uint32_t options, std::uint64_t samples, Evaluation const& evaluation,
                simulation_outputs<std::span<estimate>> wanted, european_simulation_options how) {
  std::vector<option_kind> kinds;
  std::vector<T> strikes;
  for (std::uint32_t i = 0; i < options; ++i) {
    kinds.push_back(i % 3 == 0 ? option_kind::put : option_kind::call);
    strikes.push_back(80 + 40 * static_cast<T>(i) / static_cast<T>(options));
  }
  std::vector<estimate> here(options), there(options);
  how.paths = samples * static_cast<std::uint64_t>(evaluation.paths());
  how.seed = stream.seed;
  how.stream = stream.stream;
  wf::host const place(1);
  (wanted.value.data() ? wanted.value : wanted.gamma) = here;
  host_europeans<T> const book{std::span(std::as_const(kinds)),
                               T(100),
                               std::span(std::as_const(strikes)),
                               T(1),
                               T(0.2),
                               T(0.05)};
  simulate<T>(place, book, wanted, how);

  simulation_call<T> call{};
  call.kind = {kinds.data(), {}};
  call.book = {{{nullptr, T(100)},
                {strikes.data(), 0},
                {nullptr, T(1)},
                {nullptr, T(0.2)},
                {nullptr, T(0.05)},
                {nullptr, 0}},
               options};
  call.samples = samples;
  call.replicates = 1;
  call.quantile = wf::detail::two_sided_quantile(how.confidence);
  (wanted.value.data() ? call.to[0] : call.to[4]) = there.data();
  using work = simulation_work<T, Evaluation, philox_source<T>, finish_option<T, Evaluation>>;
  simulation_shape const shape = shape_of<Evaluation>(call);
  simt::poisoned<tile_sums<Evaluation::sums>> partials(
      std::size_t{shape.units + shape.groups * shape.branches} * shape.wide);
  std::vector<unsigned> tickets(shape.groups * (shape.branches + 1));
  work const all{shape,
                 evaluation,
                 philox_source_of<T>(stream, 0),
                 call.kind,
                 call.book,
                 sum_places::whole(partials.data(), shape.all_tiles),
                 sum_places::whole(partials.data() + shape.units * shape.wide, shape.branches),
                 tickets.data(),
                 0,
                 shape.tiles,
                 false,
                 {call, evaluation}};
  simt::launch<simulation_shared<T, Evaluation, PerThread>>(
      3, shape.threads, {},
      [&](simt::block const& block, auto& shared) { simulate<T, PerThread>(block, all, shared); });
  for (std::uint32_t i = 0; i < options; ++i) {
    CAPTURE(i);
    CHECK(simt::same(here[i].value, there[i].value));
    CHECK(simt::same(here[i].standard_error, there[i].standard_error));
    CHECK(here[i].paying == there[i].paying);
  }
}

TEST_CASE("simt: simulations have the bits of the host's") {
  std::vector<estimate> some(130);
  simulation_outputs<std::span<estimate>> const value{.value = some}, gamma{.gamma = some};
  using plain = plain_evaluation<float, kinds::both, bits::portable>;
  check_host<float, 1>(1, 3000, plain{}, value, {});
  check_host<float, 2>(2, 1, plain{}, value, {});
  check_host<float, 8>(9, 2049, plain{}, value, {});
  check_host<float, 8>(130, 1025, plain{}, value, {});
  check_host<float, 1>(1, 40'000, plain{}, value, {});
  check_host<double, 4>(5, 2500, plain_evaluation<double, kinds::both>{}, value, {});
  path_variation const pairs{true, false, bits::portable}, drifts{false, true, bits::portable};
  check_host<float, 1>(3, 1500, reduced_evaluation<float>{pairs, true}, value,
                       {.antithetic = true, .control_variate = true});
  check_host<float, 1>(3, 1500, reduced_evaluation<float>{drifts, false}, value,
                       {.importance = true});
  check_host<float, 1>(2, 700, greeks_evaluation<float>{pairs}, gamma, {.antithetic = true});
}

TEST_CASE("simt: simulations whose tiles are added in branches") {
  check_body<8>({16, 40 * 64 - 5, false, 64});
}

TEST_CASE("simt: half of the options in a block") {
  check_halved<8>({9, 2049, false, 1024});
  check_halved<8>({64, 40 * 64 - 5, false, 64});  // all branches by one block
  check_halved<8>({100, 40 * 64 - 5, false, 64}); // likewise
  check_halved<8>({130, 700, false, 1024});
  check_halved<4>({3, 3000, false, 512});
  check_halved<2>({2, 513, false, 512});
}

TEST_CASE("simt: the barriers of a simulation are needed") {
  // All units in a block, and one a block with branches of tiles.
  problem const small{20, 1100, false, 512}, tall{16, 33 * 512, false, 512};
  auto const unneeded = [&](problem const& of, int blocks) {
    auto const expected = simulate_simt<8>({}, of, 1);
    return simt::unneeded_barriers([&](simt::options const& how) {
      return same(simulate_simt<8>(how, of, blocks), expected);
    });
  };
  // Not noticed here: what orders a block's sums before its ticket in a GPU's memory; a later
  // unit's barrier after the ticket, since the answer is the same as before; between lanes that
  // have no tile or branch to add; and the last, after which there is no unit.
  CHECK(unneeded(small, 1) ==
        "6 comes_last, 14 comes_last, 15 comes_last, 22 comes_last, 25 fold_lanes, "
        "26 fold_lanes, 27 simulate, ");
  CHECK(unneeded(tall, 33) == "7 comes_last, 13 comes_last, 16 fold_lanes, 17 fold_lanes, "
                              "18 fold_lanes, 19 simulate, ");
}
