// Random work: random numbers, and Sobol's sequence.

#include "random_work.hpp"

namespace random_work {
namespace {

namespace numbers = warpfold::random;

/// As WARPFOLD_FORMS, for verbs that have options behind `output`.
#define WARPFOLD_FORMS_OF(verb, ...)                                                               \
  forms {                                                                                          \
    [&](auto& place, auto output) { verb(place, __VA_ARGS__); },                                   \
        [&](auto& place, auto output) { verb##_async(place, __VA_ARGS__); }                        \
  }

enum class distribution { bits, uniform, normal };

template <class Place, distribution Which>
void philox(step<Place>& at) {
  auto const draw = [&]<class T>() {
    numbers::options options{.seed = at.random.word(), .stream = at.random.word()};
    options.offset = at.random.word() >> at.random.below(64);
    auto const method =
        at.random.one_in(2) ? numbers::normal_method::inverse : numbers::normal_method::box_muller;
    std::size_t const size = at.size();
    options.offset = std::min<std::uint64_t>(options.offset, ~std::uint64_t{0} - size);
    numbers::normal_options const normals{options.seed, options.stream, options.offset, method};
    at.what << " from " << options.offset;
    if constexpr (Which == distribution::bits)
      verify_output<T>(at, size, WARPFOLD_FORMS_OF(numbers::bits, output, options));
    else if constexpr (Which == distribution::uniform)
      verify_output<T>(at, size, WARPFOLD_FORMS_OF(numbers::uniform, output, options));
    else verify_output<T>(at, size, WARPFOLD_FORMS_OF(numbers::normal, output, normals));
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
    options.scrambling = at.random.of(
        {numbers::scrambling::none, numbers::scrambling::digital_shift, numbers::scrambling::owen});
    options.offset = at.random.below((std::size_t{1} << 32) - points);
    at.what << ", " << dimensions << " dimensions, from " << options.offset;
    numbers::sobol_sequence<Place> const there(at.place, dimensions);
    numbers::sobol_sequence<wf::host> const here(one, dimensions);
    auto const sequence = [&]<class On>(On&) -> auto const& {
      if constexpr (std::same_as<On, wf::gpu>) return there;
      else return here;
    };
    std::size_t const size = points * static_cast<std::size_t>(dimensions);
    if (at.random.one_in(2))
      verify_output<T>(at, size,
                       WARPFOLD_FORMS_OF(numbers::normal, sequence(place), output, options));
    else
      verify_output<T>(at, size,
                       WARPFOLD_FORMS_OF(numbers::uniform, sequence(place), output, options));
  });
}

registered const these([]<class Place>(works<Place>& all) {
  all.insert(all.end(), {{"random::bits", philox<Place, distribution::bits>},
                         {"random::uniform", philox<Place, distribution::uniform>},
                         {"random::normal", philox<Place, distribution::normal>},
                         {"Sobol's sequence", sobol<Place>}});
});

} // namespace
} // namespace random_work
