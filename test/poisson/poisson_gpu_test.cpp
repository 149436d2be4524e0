// Workspaces, streams and graphs of Poisson's solver, and the host's results beside a GPU's.

#include "poisson_modes.hpp"
#include "poisson_stencil.hpp"

namespace poisson_gpu_test {

using namespace test;
namespace wf = warpfold;

/// Powers of two, other products of small primes, and primes; every kind of axis.
std::vector<po::problem> few_boxes() {
  std::vector<po::problem> all;
  constexpr std::size_t extents[][2] = {{64, 128}, {60, 42}, {131, 17}, {1, 1009}, {256, 256}};
  for (std::size_t i = 0; i < std::size(axis_kinds); ++i) {
    auto const [rows, columns] = extents[i % std::size(extents)];
    auto const other = axis_kinds[(3 * i + 1) % std::size(axis_kinds)];
    all.push_back({{axis_of(axis_kinds[i], rows), axis_of(other, columns)}});
    all.push_back({{axis_of(axis_kinds[i], columns)}});
    all.push_back({{axis_of(other, 7), axis_of(axis_kinds[i], 20), axis_of(axis_kinds[0], 32)}});
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].symbol = symbol{static_cast<std::uint8_t>(i % 3)};
    all[i].batch = 1 + i % 2;
    all[i].gradient = i % 4 == 0;
  }
  return all;
}

template <class T>
question<T> random_question(po::problem const& of, unsigned seed) {
  question<T> asked{of, rough_values<T>(size_of(of) * of.batch, seed)};
  for (std::size_t d = 0; d < of.axes.size(); ++d)
    if (of.axes[d].lower != periodic && of.symbol != symbol::spectral)
      asked.lower[d] = rough_values<T>(asked.rhs.size() / of.axes[d].points, seed + 1);
  return asked;
}

template <class T>
void check_captures(std::size_t step) {
  counting_resource memory;
  wf::gpu place(0, &memory);
  auto const boxes = few_boxes();
  for (std::size_t box = 0; box < boxes.size(); box += step) {
    po::problem const& of = boxes[box];
    for (engine const how : engines_for<T>(place, of)) {
      CAPTURE(name_of(of));
      CAPTURE(to_string(how));
      auto asked = random_question<T>(of, 21);
      po::solver<T, wf::gpu> solver(place, of, how);
      wf::device_buffer<T> rhs(place, asked.rhs.size());
      arrays_of<wf::gpu, T> arrays(place, asked);
      auto fields = arrays.fields();
      fields.rhs = rhs;
      int const allocations = memory.allocations;
      captured graph(place, [&] { solver.solve_async(fields); });
      auto const nodes = graph.nodes();
      CHECK_FALSE(nodes.empty());
      for (auto const node : nodes)
        CHECK((node == cudaGraphNodeTypeKernel || node == cudaGraphNodeTypeMemset ||
               node == cudaGraphNodeTypeMemcpy));
      for (unsigned seed = 31; seed < 33; ++seed) {
        asked.rhs = rough_values<T>(asked.rhs.size(), seed);
        wf::copy(place, asked.rhs, rhs.span());
        graph.launch();
        CHECK(memory.allocations == allocations);
        auto const replayed = arrays.read_back();
        solver.solve(fields);
        CHECK(replayed == arrays.read_back());
        CHECK(memory.allocations == allocations);
      }
    }
  }
  CHECK(memory.all_known);
}

TEST_SUITE("gpu") {
  TEST_CASE_TEMPLATE("fast: a captured solve allocates nothing and is launched over other data", T,
                     float, double) {
    check_captures<T>(7);
  }
  TEST_CASE_TEMPLATE("more captured solves", T, float, double) { check_captures<T>(1); }

  TEST_CASE_TEMPLATE("a caller's workspace serves as well, and is checked", T, float, double) {
    wf::gpu place;
    for (po::problem const& of : few_boxes())
      for (engine const how : engines_for<T>(place, of)) {
        CAPTURE(name_of(of));
        CAPTURE(to_string(how));
        auto const asked = random_question<T>(of, 41);
        po::solver<T, wf::gpu> own(place, of, how);
        po::solver<T, wf::gpu> solver(place, of, how, {.own_workspace = false});
        CHECK(own.workspace_size() == solver.workspace_size());
        wf::device_buffer<std::byte> memory(place, solver.workspace_size() + 256);
        CHECK(refused_by([&] { own.set_workspace(memory); }) == "memory");
        arrays_of<wf::gpu, T> arrays(place, asked);
        if (std::size_t const bytes = solver.workspace_size(); bytes > 0) {
          CHECK(refused_by([&] { solver.solve(arrays.fields()); }) == "memory");
          CHECK(refused_by([&] { solver.set_workspace(memory.span().subspan(0, bytes - 1)); }) ==
                "memory");
          CHECK(refused_by([&] { solver.set_workspace(memory.span().subspan(128, bytes)); }) ==
                "memory");
          CHECK(refused_by([&] { solver.set_workspace({nullptr, bytes}); }) == "memory");
          solver.set_workspace(memory.span().subspan(256, bytes));
          auto fields = arrays.fields();
          wf::device_span<T> const within(reinterpret_cast<T*>(memory.data() + 256), 1);
          if (of.batch == 1) {
            fields.removed_mean = within;
            CHECK(refused_by([&] { solver.solve(fields); }) == "fields.removed_mean");
          }
          if (std::size_t const all = fields.rhs.size(); bytes >= all * sizeof(T)) {
            fields = arrays.fields();
            fields.rhs = {within.data(), all};
            CHECK(refused_by([&] { solver.solve(fields); }) == "the workspace");
          }
        }
        solver.solve(arrays.fields());
        CHECK(arrays.read_back() == solve(place, asked, how));
      }
  }

  TEST_CASE("memory comes from the place, and goes back there") {
    counting_resource memory;
    wf::gpu place(0, &memory);
    auto const before = memory.out.size();
    for (po::problem const& of : few_boxes())
      for (engine const how : engines_for<double>(place, of))
        po::solver<double, wf::gpu>(place, of, how);
    CHECK(memory.out.size() == before);
  }

  TEST_CASE_TEMPLATE("a solver works on a stream of the caller's", T, float, double) {
    wf::stream other;
    wf::gpu place(0, other.get());
    po::problem const of{{axis_of(axis_kinds[0], 96), axis_of(axis_kinds[3], 80)}};
    auto const asked = random_question<T>(of, 51);
    wf::gpu plain;
    for (engine const how : engines_for<T>(place, of))
      CHECK(solve(place, asked, how).u == solve(plain, asked, how).u);
  }

  TEST_CASE_TEMPLATE("a GPU's solutions are a host's but for rounding", T, float, double) {
    wf::gpu place;
    wf::host here;
    for (po::problem of : few_boxes()) {
      CAPTURE(name_of(of));
      of.gradient = true;
      auto const asked = random_question<T>(of, 61);
      auto const expected = solve(here, asked);
      // The right-hand side with what the boundary values bring into it.
      std::vector<real> f(asked.rhs.begin(), asked.rhs.end());
      if (of.symbol != symbol::spectral) {
        auto const given = differences_of(asked, std::vector<T>(f.size())).f;
        for (std::size_t i = 0; i < f.size(); ++i) f[i] -= given[i];
      }
      real const epsilon = std::numeric_limits<T>::epsilon(), noise = 8 * epsilon * rms(f),
                 smallest = smallest_divisor(of);
      for (engine const how : engines_for<T>(place, of)) {
        CAPTURE(to_string(how));
        auto const got = solve(place, asked, how);
        CHECK(rms_error(got.u, expected.u) <= noise / smallest);
        CHECK(largest_error(got.removed, expected.removed) <= noise);
        for (std::size_t d = 0; d < of.axes.size(); ++d)
          CHECK(rms_error(got.gradient[d], expected.gradient[d]) <=
                noise / std::sqrt(smallest) +
                    8 * epsilon * rms(expected.u) / spacing_of(of.axes[d]));
      }
    }
  }
}

} // namespace poisson_gpu_test
