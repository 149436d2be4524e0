#pragma once
// The jobs of the kernels that a selection consists of.

#include "sampling.hpp"

namespace warpfold::inline v0::detail {

/// What a selection on a gpu works with.
template <class Key>
struct selection_work {
  key_array<Key> values;
  selection asked;
  selection_control<Key>* control;
  Key *sample, *kept;
  std::uint64_t capacity; ///< of `kept`
  std::uint64_t sampled;  ///< size of the sample
  pass_shape shape;

  /// `memory` is laid out for `size` elements.
  selection_work(void const* first, std::size_t size, selection const& what, void* memory,
                 selection_layout const& layout)
      : values{static_cast<Key const*>(first), size, nullptr, key_map<Key>::of(what.kind)},
        asked{what}, control{static_cast<selection_control<Key>*>(memory)},
        sample{reinterpret_cast<Key*>(static_cast<unsigned char*>(memory) + layout.sample)},
        kept{reinterpret_cast<Key*>(static_cast<unsigned char*>(memory) + layout.kept)},
        capacity{layout.capacity}, sampled{selection_tuning::sample(size, what.count)},
        shape{what.count} {
    static_assert(sizeof(selection_control<Key>) <= selection_layout::control);
  }

  /// Passes over all elements.
  narrow_job<Key> of_all(bool is_fallback) const {
    using job = narrow_job<Key>;
    auto made = pass(values, &control->of_all, is_fallback ? job::if_failed : job::always);
    for (int t = 0; t < made.count; ++t) made.rank[t] = asked.rank[t];
    made.is_first = true;
    return made;
  }
  /// Passes over the sample, which look for the ends between which to keep elements.
  narrow_job<Key> of_sample() const {
    auto made = pass({sample, sampled, nullptr, key_map<Key>::none()}, &control->of_sample,
                     narrow_job<Key>::always);
    for (int p = 0; p < asked.count; ++p) {
      sample_ends const ends = ends_of(p);
      made.rank[2 * p] = ends.low;
      made.rank[2 * p + 1] = ends.high;
    }
    made.is_first = true;
    return made;
  }
  /// Passes over what was kept.
  narrow_job<Key> of_kept() const {
    return pass({kept, capacity, &control->kept, key_map<Key>::none()}, &control->of_kept,
                narrow_job<Key>::unless_failed);
  }
  keep_job<Key> keeping() const {
    keep_job<Key> made{};
    made.keys = values;
    made.control = control;
    made.asked = asked;
    for (int p = 0; p < asked.count; ++p) {
      sample_ends const ends = ends_of(p);
      made.low[p] = ends.low;
      made.high[p] = ends.high;
      made.between[p] = ends.between;
    }
    made.kept = kept;
    made.capacity = capacity;
    return made;
  }

private:
  narrow_job<Key> pass(key_array<Key> const& keys, targets<Key>* state,
                       typename narrow_job<Key>::condition when) const {
    narrow_job<Key> made{};
    made.keys = keys;
    made.control = control;
    made.state = state;
    made.when = when;
    made.count = shape.targets;
    made.bits = shape.bits;
    made.slots = shape.slots;
    return made;
  }
  sample_ends ends_of(int p) const {
    return {asked.rank[2 * p], asked.rank[2 * p + 1], static_cast<std::size_t>(values.size),
            static_cast<std::size_t>(sampled)};
  }
};

} // namespace warpfold::inline v0::detail
