#include <warpfold/error.hpp>
#include <warpfold/stream.hpp>

#include "report.hpp"

namespace warpfold::inline v0 {

stream::stream() { check(cudaStreamCreateWithFlags(&handle_, cudaStreamNonBlocking)); }

stream::~stream() {
  if (handle_) detail::report(cudaStreamDestroy(handle_), "cudaStreamDestroy");
}

stream& stream::operator=(stream&& other) noexcept {
  stream taken(std::move(other));
  std::swap(handle_, taken.handle_);
  return *this;
}

void stream::synchronize() const { check(cudaStreamSynchronize(handle_)); }

event::event() { check(cudaEventCreate(&handle_)); }

event::~event() {
  if (handle_) detail::report(cudaEventDestroy(handle_), "cudaEventDestroy");
}

event& event::operator=(event&& other) noexcept {
  event taken(std::move(other));
  std::swap(handle_, taken.handle_);
  return *this;
}

void event::record(cudaStream_t stream) { check(cudaEventRecord(handle_, stream)); }
void event::synchronize() const { check(cudaEventSynchronize(handle_)); }
void event::block(cudaStream_t stream) const { check(cudaStreamWaitEvent(stream, handle_)); }

double seconds_between(event const& start, event const& stop) {
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, start.get(), stop.get()));
  return milliseconds * 1e-3;
}

} // namespace warpfold::inline v0
