#pragma once
// The vendors' code, the course's and the tutorial's behind warpfold's own calls, to be compared
// with: link warpfold::twins. twins/tags.hpp names them.

#include <warpfold/twins/by_key.hpp>
#include <warpfold/twins/counting.hpp>
#include <warpfold/twins/norms.hpp>
#include <warpfold/twins/poisson.hpp>
#include <warpfold/twins/pricing.hpp>
#include <warpfold/twins/quantiles.hpp>
#include <warpfold/twins/random.hpp>
#include <warpfold/twins/reductions.hpp>
#include <warpfold/twins/scan.hpp>
#include <warpfold/twins/scatter.hpp>
#include <warpfold/twins/segments.hpp>
#include <warpfold/twins/statistics.hpp>
#include <warpfold/twins/tags.hpp>
