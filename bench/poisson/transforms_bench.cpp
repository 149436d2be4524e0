// Real transforms of many lines on a GPU: every kind, beside cuFFT's transform of real numbers, the
// only one that it has, and a copy of the array.

#include "solver_rows.hpp"

#include <cufft.h>

#include <source_location>
#include <span>

namespace warpfold::bench {
namespace {

using transforms::kind;

constexpr std::size_t lines = 4096, length = 4096;

/// A row: a kind of transform, of `lines` lines.
struct entry {
  char const* name;
  transforms::kind kind;
  int extra = 0; ///< points beyond `length`, for which the complex length is a power of two
  bool of_columns = false; ///< lines are columns of the array, not rows

  [[nodiscard]] std::size_t points() const {
    return length + static_cast<std::size_t>(static_cast<std::ptrdiff_t>(extra));
  }
  [[nodiscard]] std::size_t size() const { return lines * points(); }
  [[nodiscard]] transforms::problem problem() const {
    if (of_columns) return {.kind = kind, .shape = {points(), lines}, .axis = 0};
    return {.kind = kind, .shape = {lines, points()}, .axis = 1};
  }
};

constexpr entry entries[] = {{"halfcomplex", kind::halfcomplex},
                             {"hartley", kind::hartley},
                             {"cosine_1", kind::cosine_1, 1},
                             {"cosine_2", kind::cosine_2},
                             {"cosine_3", kind::cosine_3},
                             {"cosine_4", kind::cosine_4},
                             {"sine_1", kind::sine_1, -1},
                             {"sine_2", kind::sine_2},
                             {"sine_3", kind::sine_3},
                             {"sine_4", kind::sine_4},
                             {"cosine_2_of_columns", kind::cosine_2, 0, true}};
constexpr std::size_t cufft_row = std::size(entries), copy_row = cufft_row + 1;

void check_cufft(cufftResult status, std::source_location where = std::source_location::current()) {
  if (status != CUFFT_SUCCESS)
    throw vendor_error(status, "cuFFT: status " + std::to_string(status), where);
}

/// cuFFT's modes of real lines: length / 2 + 1 complex ones each.
template <class T>
class cufft_lines {
public:
  static constexpr std::size_t size = lines * (length + 2); ///< of modes, in T

  explicit cufft_lines(gpu const& place) {
    device_guard const current{place.device()};
    int n = length;
    cufftType const type = std::is_same_v<T, float> ? CUFFT_R2C : CUFFT_D2Z;
    check_cufft(cufftPlanMany(&handle_, 1, &n, nullptr, 1, 0, nullptr, 1, 0, type, lines));
    check_cufft(cufftSetStream(handle_, place.stream()));
  }
  ~cufft_lines() { cufftDestroy(handle_); }
  cufft_lines(cufft_lines const&) = delete;
  cufft_lines& operator=(cufft_lines const&) = delete;

  void run_async(T const* input, T* modes) const {
    T* const from = const_cast<T*>(input); // which only transforms to real numbers overwrite
    if constexpr (std::is_same_v<T, float>)
      check_cufft(cufftExecR2C(handle_, from, reinterpret_cast<cufftComplex*>(modes)));
    else check_cufft(cufftExecD2Z(handle_, from, reinterpret_cast<cufftDoubleComplex*>(modes)));
  }

private:
  cufftHandle handle_ = 0;
};

/// Complex modes of the first line, in the order of kind::halfcomplex.
template <class T>
std::vector<T> halfcomplex_of(std::vector<T> const& modes) {
  std::vector<T> line(length);
  for (std::size_t k = 0; k <= length / 2; ++k) {
    line[k] = modes[2 * k];
    if (k > 0 && 2 * k < length) line[length - k] = modes[2 * k + 1];
  }
  return line;
}

template <class T>
void measure(session& run, std::vector<rows_together::outcome>& outcomes) {
  gpu& place = *run.place;
  constexpr std::size_t most = cufft_lines<T>::size; // of what is read or written
  timing_plan const times_of = plan_for(2 * most * sizeof(T), run.quick);
  auto const calls = static_cast<std::size_t>(times_of.calls);
  device_buffer<T> from(place, calls * most), to(place, calls * most);
  random::normal_async(place, from.span(), {.seed = 2008});
  auto const part = [](device_buffer<T>& of, int i, std::size_t size) {
    return of.span().subspan(static_cast<std::size_t>(i) * most, size);
  };
  auto const complaint_of = [&](std::span<T const> expected, device_span<T const> found) {
    device_buffer<T> const right(place, expected);
    double const off = apart<T>(place, found, right.span());
    return off < tolerance<T> ? "" : "differs from the host's by " + std::to_string(off);
  };

  std::vector<std::size_t> timed;
  std::vector<contender> contenders;
  auto const add = [&](std::size_t w, auto call) {
    timed.push_back(w);
    contenders.push_back({call});
  };
  std::vector<T> halfcomplex(length); // of the first line, by the host
  for (std::size_t e = 0; e < std::size(entries); ++e)
    outcomes[e].attempt([&] {
      std::size_t const size = entries[e].size();
      auto const one = std::make_shared<transforms::plan<T, gpu>>(place, entries[e].problem());
      one->run(part(from, 0, size), part(to, 0, size));
      auto line = to_vector(place, part(from, 0, size));
      transforms::plan<T, host>(run.processor, entries[e].problem()).run(line, line);
      outcomes[e].complaint = complaint_of(line, part(to, 0, size));
      if (entries[e].kind == kind::halfcomplex)
        halfcomplex.assign(line.begin(), line.begin() + length);
      add(e, [=, &from, &to](int i) { one->run_async(part(from, i, size), part(to, i, size)); });
    });

  auto const cufft = std::make_shared<cufft_lines<T>>(place);
  auto const by_cufft = [=, &from, &to](int i) {
    cufft->run_async(part(from, i, most).data(), part(to, i, most).data());
  };
  outcomes[cufft_row].attempt([&] {
    by_cufft(0);
    auto const line = halfcomplex_of(to_vector(place, part(to, 0, length + 2)));
    device_buffer<T> const there(place, std::span<T const>(line));
    outcomes[cufft_row].complaint = complaint_of(halfcomplex, there.span());
    add(cufft_row, by_cufft);
  });
  constexpr std::size_t bytes = lines * length * sizeof(T);
  add(copy_row, [=, &place, &from, &to](int i) {
    check(cudaMemcpyAsync(part(to, i, most).data(), part(from, i, most).data(), bytes,
                          cudaMemcpyDeviceToDevice, place.stream()));
  });
  auto const times = time_paired(place, *run.flush, contenders, times_of);
  for (std::size_t t = 0; t < timed.size(); ++t) outcomes[timed[t]].times = times[t];
}

template <class T>
void add(session& run) {
  auto rows = solver_rows(run, [&run](auto& outcomes) { measure<T>(run, outcomes); });
  auto const add_row = [&](std::string const& way, std::size_t points) {
    auto const size = static_cast<double>(lines * points);
    rows.add("transform_x" + std::to_string(lines) + "/" + type_name<T>() + "/" + way +
                 "/n:" + std::to_string(points),
             2 * sizeof(T) * size, size);
  };
  for (entry const& one : entries) add_row(one.name, one.points());
  add_row("cufft", length);
  add_row("copy", length);
}

} // namespace

void add_transforms(session& run) {
  if (!run.place) return;
  add<float>(run);
  add<double>(run);
}

} // namespace warpfold::bench
