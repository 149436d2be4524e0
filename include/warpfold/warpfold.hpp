#pragma once
// All of warpfold that needs no nvcc.

#include <warpfold/buffer.hpp>
#include <warpfold/compaction.hpp>
#include <warpfold/compensated.hpp>
#include <warpfold/counting.hpp>
#include <warpfold/error.hpp>
#include <warpfold/exact.hpp>
#include <warpfold/exact_segments.hpp>
#include <warpfold/execution.hpp>
#include <warpfold/extrema.hpp>
#include <warpfold/histogram.hpp>
#include <warpfold/memory.hpp>
#include <warpfold/norms.hpp>
#include <warpfold/operations.hpp>
#include <warpfold/pricing/black_scholes.hpp>
#include <warpfold/pricing/estimate.hpp>
#include <warpfold/pricing/implied.hpp>
#include <warpfold/pricing/implied_volatility.hpp>
#include <warpfold/pricing/input.hpp>
#include <warpfold/pricing/monte_carlo.hpp>
#include <warpfold/pricing/option.hpp>
#include <warpfold/reduction.hpp>
#include <warpfold/segments.hpp>
#include <warpfold/span.hpp>
#include <warpfold/statistics.hpp>
#include <warpfold/stream.hpp>
