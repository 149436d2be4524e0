// Random work: random numbers, and Sobol's sequence.

#include "random_work.hpp"

namespace random_work {
namespace {

namespace numbers = warpfold::random;

enum class distribution { bits, uniform, normal };

/// fill(place, span) or enqueue(place, span): the same bits as on one thread of the host.
template <class T, class Place, class Fill, class Enqueue>
void check_fill(step<Place>& at, std::size_t size, Fill fill, Enqueue enqueue) {
  array<Place, T> out(at, size);
  fill(at.place, out.view());
  auto const got = out.read();
  std::vector<T> expected(size);
  fill(one, std::span<T>(expected));
  at.require(agree(got, expected), "not the host's numbers");
  if constexpr (step<Place>::on_gpu) {
    array<Place, T> later(at, size);
    if (at.random.one_in(2)) {
      enqueue(later.view());
      wait(at.place);
    } else {
      at.what << ", in a graph";
      auto graph = captured(at.place, [&] { enqueue(later.view()); });
      graph.launch();
    }
    at.require(agree(later.read(), expected), "the _async form has other numbers");
  }
}

template <class Place, distribution Which>
void philox(step<Place>& at) {
  auto const draw = [&]<class T>() {
    numbers::options options{.seed = at.random.word(), .stream = at.random.word()};
    options.first = at.random.word() >> at.random.below(64);
    if (at.random.one_in(2)) options.by = numbers::transform::inverse;
    std::size_t const size = at.size();
    options.first = std::min<std::uint64_t>(options.first, ~std::uint64_t{0} - size);
    at.what << " from " << options.first;
    check_fill<T>(
        at, size,
        [&](auto& place, auto out) {
          if constexpr (Which == distribution::bits) numbers::bits(place, out, options);
          else if constexpr (Which == distribution::uniform) numbers::uniform(place, out, options);
          else numbers::normal(place, out, options);
        },
        [&]([[maybe_unused]] auto out) {
          if constexpr (step<Place>::on_gpu) {
            if constexpr (Which == distribution::bits) numbers::bits_async(at.place, out, options);
            else if constexpr (Which == distribution::uniform)
              numbers::uniform_async(at.place, out, options);
            else numbers::normal_async(at.place, out, options);
          }
        });
  };
  if constexpr (Which == distribution::bits) draw.template operator()<std::uint32_t>();
  else with_one_of<float, double>(at.random, draw);
}

template <class Place>
void sobol(step<Place>& at) {
  with_one_of<float, double>(at.random, [&]<class T>() {
    auto const dimensions = static_cast<int>(std::exp2(at.random.between(0, 8)));
    std::size_t const points =
        at.size(std::max<std::size_t>(at.largest / static_cast<unsigned>(dimensions), 1));
    numbers::sobol_options options{.seed = at.random.word(), .replicate = at.random.below(100)};
    options.how = at.random.of(
        {numbers::scrambling::none, numbers::scrambling::digital_shift, numbers::scrambling::owen});
    options.first = at.random.below((std::size_t{1} << 32) - points);
    at.what << ", " << dimensions << " dimensions, from " << options.first;
    numbers::sobol_sequence<Place> const there(at.place, dimensions);
    numbers::sobol_sequence<wf::host> const here(one, dimensions);
    bool const is_normal = at.random.one_in(2);
    check_fill<T>(
        at, points * static_cast<std::size_t>(dimensions),
        [&]<class On>(On& place, auto out) {
          auto const& sequence = [&]() -> auto const& {
            if constexpr (std::same_as<On, wf::gpu>) return there;
            else return here;
          }
          ();
          if (is_normal) numbers::normal(place, sequence, out, options);
          else numbers::uniform(place, sequence, out, options);
        },
        [&]([[maybe_unused]] auto out) {
          if constexpr (step<Place>::on_gpu) {
            if (is_normal) numbers::normal_async(at.place, there, out, options);
            else numbers::uniform_async(at.place, there, out, options);
          }
        });
  });
}

} // namespace

template <class Place>
void add_random_numbers(works<Place>& to) {
  to.insert(to.end(), {{"random::bits", philox<Place, distribution::bits>},
                       {"random::uniform", philox<Place, distribution::uniform>},
                       {"random::normal", philox<Place, distribution::normal>},
                       {"Sobol's sequence", sobol<Place>}});
}
template void add_random_numbers(works<wf::gpu>&);
template void add_random_numbers(works<wf::host>&);

} // namespace random_work
