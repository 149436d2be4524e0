#include "allocation.hpp"

#include <warpfold/detail/comm/digest.hpp>
#include <warpfold/error.hpp>

#include <cuda_runtime_api.h>
#include <cufft.h>
#include <curand.h>
#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <new>
#include <optional>
#include <sstream>

extern "C" void __real_free(void*) __attribute__((weak)); // std::free, where the link wraps it

namespace test {
namespace {

using warpfold::comm::digest;

enum kind { memory, device_memory, device_bytes, pinned_memory, stream, event, plan, generator };
constexpr std::array kinds = {"blocks of memory",
                              "blocks of GPU memory",
                              "bytes of a resource",
                              "page-locked blocks",
                              "streams",
                              "events",
                              "plans",
                              "generators"};
using counts = std::array<long, kinds.size()>;

std::array<std::atomic<long>, kinds.size()> counted{}; ///< what is out
std::atomic<bool> armed = false, fired = false;
std::atomic<long> asked = 0;
long first_to_fail = 0;
bool all_after_it = false;

counts now_out() {
  counts now{};
  for (std::size_t k = 0; k < now.size(); ++k) now[k] = counted[k];
  return now;
}

void arm(long number, bool lasting) {
  first_to_fail = number;
  all_after_it = lasting;
  asked = 0;
  fired = false;
  armed = true;
}

/// Returns true if the current allocation is to fail.
bool fails_now() noexcept {
  if (!armed) return false;
  long const number = ++asked;
  bool const fails = all_after_it ? number >= first_to_fail : number == first_to_fail;
  if (fails) fired = true;
  return fails;
}

void count(kind of, long by) noexcept { counted[of] += by; }

// ---- operator new -------------------------------------------------------------------------------

void* taken(std::size_t size, std::size_t alignment = __STDCPP_DEFAULT_NEW_ALIGNMENT__) noexcept {
  if (fails_now()) return nullptr;
  void* const all = std::aligned_alloc(alignment, (size / alignment + 1) * alignment);
  if (all) count(memory, 1);
  return all;
}
void* taken_or_thrown(void* all) {
  if (!all) throw std::bad_alloc();
  return all;
}
void given_back(void* all) noexcept {
  if (all) count(memory, -1);
  (__real_free ? __real_free : std::free)(all);
}

// ---- calls that fail ----------------------------------------------------------------------------

struct attempt {
  bool fired = false, threw = false;
  bool right_exception = true;
  digest found{}; ///< of what the call found out, if it came to that
  counts left{};  ///< more out than before
  double seconds = 0;
  cudaError_t last_error = cudaSuccess;

  bool leaves_something() const { return left != counts{}; }
};

digest digest_of(numbers const& all) {
  digest found(all.size());
  for (double const x : all) found.add(x);
  return found;
}

attempt try_with(long number, bool lasting, std::function<numbers()> const& call, bool on_gpu) {
  attempt tried;
  counts const before = now_out();
  auto const start = std::chrono::steady_clock::now();
  arm(number, lasting);
  try {
    numbers const found = call();
    armed = false;
    tried.found = digest_of(found);
  } catch (...) {
    armed = false;
    tried.threw = true;
    try {
      throw;
    } catch (std::bad_alloc const&) {
    } catch (warpfold::error const&) {
    } catch (...) {
      tried.right_exception = false;
    }
  }
  tried.fired = fired;
  tried.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  counts const after = now_out();
  for (std::size_t k = 0; k < after.size(); ++k) tried.left[k] = after[k] - before[k];
  if (on_gpu) tried.last_error = cudaPeekAtLastError();
  return tried;
}

std::string text_of(counts const& left) {
  std::ostringstream text;
  for (std::size_t k = 0; k < left.size(); ++k)
    if (left[k] != 0) text << left[k] << " more " << kinds[k] << "; ";
  return text.str();
}

/// Returns how many allocations failed.
long check_failures(scenario const& of, bool lasting, bool on_gpu, std::optional<digest>& right) {
  INFO(of.name);
  CAPTURE(lasting);
  constexpr double patience = 40; // seconds; ranks would wait for a minute
  for (long number = 1;; ++number) {
    CAPTURE(number);
    REQUIRE(number < 100'000);
    attempt tried = try_with(number, lasting, of.call, on_gpu);
    bool const done = !tried.fired;
    CHECK(tried.right_exception);
    CHECK(tried.seconds < patience);
    CHECK(tried.last_error == cudaSuccess);
    CHECK((tried.fired || !tried.threw));
    bool const has_result = !tried.threw;
    digest const found = tried.found;
    // Memory kept for later calls is allocated once; a leak leaves some every time.
    for (int again = 0; tried.leaves_something() && again < 5; ++again)
      tried = try_with(number, lasting, of.call, on_gpu);
    INFO(text_of(tried.left));
    CHECK_FALSE(tried.leaves_something());

    digest const after = digest_of(of.call());
    if (!right) right = after;
    CHECK(after.value() == right->value());
    if (has_result) CHECK(found.value() == right->value());
    if (done) return number - 1;
  }
}

cudaError_t out_of_memory() {
  cudaSetDevice(-1); // so that the runtime, too, remembers an error
  return cudaErrorMemoryAllocation;
}

} // namespace

void check_every_failure(scenarios const& all, bool on_gpu) {
  for (scenario const& of : all) {
    std::optional<digest> right;
    auto const start = std::chrono::steady_clock::now();
    long calls = 0;
    for (bool const lasting : {false, true}) calls += check_failures(of, lasting, on_gpu, right);
    std::chrono::duration<double> const took = std::chrono::steady_clock::now() - start;
    MESSAGE(of.name << ": " << calls << " failures in " << took.count() << " s");
  }
}

void* failing_resource::allocate(std::size_t bytes, cudaStream_t stream) {
  if (fails_now()) throw std::bad_alloc();
  void* const all = warpfold::pool_resource().allocate(bytes, stream);
  count(device_bytes, static_cast<long>(bytes));
  return all;
}
void failing_resource::deallocate(void* memory, std::size_t bytes, cudaStream_t stream) noexcept {
  count(device_bytes, -static_cast<long>(bytes));
  warpfold::pool_resource().deallocate(memory, bytes, stream);
}

} // namespace test

// All forms, since those of a sanitizer do not call each other.
#define NEW_AND_DELETE(form)                                                                       \
  void* operator new form(std::size_t size) { return test::taken_or_thrown(test::taken(size)); }   \
  void* operator new form(std::size_t size, std::nothrow_t const&) noexcept {                      \
    return test::taken(size);                                                                      \
  }                                                                                                \
  void* operator new form(std::size_t size, std::align_val_t to) {                                 \
    return test::taken_or_thrown(test::taken(size, static_cast<std::size_t>(to)));                 \
  }                                                                                                \
  void* operator new form(std::size_t size, std::align_val_t to, std::nothrow_t const&) noexcept { \
    return test::taken(size, static_cast<std::size_t>(to));                                        \
  }                                                                                                \
  void operator delete form(void* all) noexcept { test::given_back(all); }                         \
  void operator delete form(void* all, std::size_t) noexcept { test::given_back(all); }            \
  void operator delete form(void* all, std::nothrow_t const&) noexcept { test::given_back(all); }  \
  void operator delete form(void* all, std::align_val_t) noexcept { test::given_back(all); }       \
  void operator delete form(void* all, std::size_t, std::align_val_t) noexcept {                   \
    test::given_back(all);                                                                         \
  }                                                                                                \
  void operator delete form(void* all, std::align_val_t, std::nothrow_t const&) noexcept {         \
    test::given_back(all);                                                                         \
  }
NEW_AND_DELETE()
NEW_AND_DELETE([])

// Functions that the linker wraps: --wrap=f sends calls of f here. Executables may lack some.
#define FAILS(status, failure, f, parameters, arguments, ...)                                      \
  extern "C" status __real_##f parameters __attribute__((weak));                                   \
  extern "C" status __wrap_##f parameters {                                                        \
    if (test::fails_now()) return failure;                                                         \
    status const done = __real_##f arguments;                                                      \
    __VA_ARGS__;                                                                                   \
    return done;                                                                                   \
  }
#define TAKES(status, failure, of, f, parameters, arguments)                                       \
  FAILS(status, failure, f, parameters, arguments, if (done == status{}) test::count(test::of, 1))
#define GIVES_BACK(status, of, f, handle)                                                          \
  extern "C" status __real_##f(handle) __attribute__((weak));                                      \
  extern "C" status __wrap_##f(handle one) {                                                       \
    if (one) test::count(test::of, -1);                                                            \
    return __real_##f(one);                                                                        \
  }
#define CUDA_TAKES(of, f, parameters, arguments)                                                   \
  TAKES(cudaError_t, test::out_of_memory(), of, f, parameters, arguments)

extern "C" void* __wrap_malloc(std::size_t size) { return test::taken(size); }
extern "C" void __wrap_free(void* all) { test::given_back(all); }
#define FFTW(prefix)                                                                               \
  extern "C" void* __real_##prefix##_plan_guru64_r2r(int, void const*, int, void const*, void*,    \
                                                     void*, void const*, unsigned)                 \
      __attribute__((weak));                                                                       \
  extern "C" void* __wrap_##prefix##_plan_guru64_r2r(int rank, void const* along, int more,        \
                                                     void const* lines, void* from, void* to,      \
                                                     void const* kinds, unsigned flags) {          \
    if (test::fails_now()) return nullptr;                                                         \
    test::count(test::plan, 1);                                                                    \
    return __real_##prefix##_plan_guru64_r2r(rank, along, more, lines, from, to, kinds, flags);    \
  }                                                                                                \
  extern "C" void __real_##prefix##_destroy_plan(void*) __attribute__((weak));                     \
  extern "C" void __wrap_##prefix##_destroy_plan(void* one) {                                      \
    test::count(test::plan, -1);                                                                   \
    __real_##prefix##_destroy_plan(one);                                                           \
  }
FFTW(fftw)
FFTW(fftwf)
CUDA_TAKES(device_memory, cudaMalloc, (void** to, std::size_t size), (to, size))
CUDA_TAKES(device_memory, cudaMallocAsync, (void** to, std::size_t size, cudaStream_t on),
           (to, size, on))
CUDA_TAKES(pinned_memory, cudaHostAlloc, (void** to, std::size_t size, unsigned flags),
           (to, size, flags))
CUDA_TAKES(stream, cudaStreamCreateWithFlags, (cudaStream_t * to, unsigned flags), (to, flags))
CUDA_TAKES(stream, cudaStreamCreateWithPriority, (cudaStream_t * to, unsigned flags, int priority),
           (to, flags, priority))
CUDA_TAKES(event, cudaEventCreate, (cudaEvent_t * to), (to))
CUDA_TAKES(event, cudaEventCreateWithFlags, (cudaEvent_t * to, unsigned flags), (to, flags))
TAKES(cufftResult, CUFFT_ALLOC_FAILED, plan, cufftCreate, (cufftHandle * to), (to))
FAILS(cufftResult, CUFFT_ALLOC_FAILED, cufftMakePlanMany64,
      (cufftHandle of, int rank, long long* extents, long long* in, long long in_step,
       long long in_apart, long long* out, long long out_step, long long out_apart, cufftType type,
       long long batch, std::size_t* work),
      (of, rank, extents, in, in_step, in_apart, out, out_step, out_apart, type, batch, work))
TAKES(curandStatus_t, CURAND_STATUS_ALLOCATION_FAILED, generator, curandCreateGenerator,
      (curandGenerator_t * to, curandRngType_t type), (to, type))
TAKES(curandStatus_t, CURAND_STATUS_ALLOCATION_FAILED, generator, curandCreateGeneratorHost,
      (curandGenerator_t * to, curandRngType_t type), (to, type))
FAILS(curandStatus_t, CURAND_STATUS_ALLOCATION_FAILED, curandGenerateSeeds, (curandGenerator_t of),
      (of))
GIVES_BACK(cudaError_t, device_memory, cudaFree, void*)
extern "C" cudaError_t __real_cudaFreeAsync(void*, cudaStream_t) __attribute__((weak));
extern "C" cudaError_t __wrap_cudaFreeAsync(void* one, cudaStream_t on) {
  if (one) test::count(test::device_memory, -1);
  return __real_cudaFreeAsync(one, on);
}
GIVES_BACK(cudaError_t, pinned_memory, cudaFreeHost, void*)
GIVES_BACK(cudaError_t, stream, cudaStreamDestroy, cudaStream_t)
GIVES_BACK(cudaError_t, event, cudaEventDestroy, cudaEvent_t)
extern "C" cufftResult __real_cufftDestroy(cufftHandle) __attribute__((weak));
extern "C" cufftResult __wrap_cufftDestroy(cufftHandle one) { // whose first one may be 0
  test::count(test::plan, -1);
  return __real_cufftDestroy(one);
}
GIVES_BACK(curandStatus_t, generator, curandDestroyGenerator, curandGenerator_t)
