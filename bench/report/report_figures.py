"""Figures in sentences of the documents, and what they are computed from.

A page, words as they stand there with {} for each figure, and what each figure is: a function of the
runs that are kept, or text. "sum/float/fold/2^30" is that row's time, "A : B" what time A is over time B;
a host's threads or a group's GPUs are a last number, and "A @ 2" is twice A. The check
of the documents compares as many digits as the page has, and can write them anew.
"""

import json
import pathlib
import re

from report_bars import CAPABILITIES, rows_of
from report_frameworks import OVER_OURS, row_of
from report_monte_carlo import european
from report_pricing import rate
from report_rows import MAIN_SIZES, MAIN_TYPES, SPLIT, geometric_mean


def time(runs, row):
    operation, kind, way, n, *threads = row.split("/") if not row.startswith(("host/", "piped/", "rival/")) \
        else ["/".join(row.split("/")[:2]), *row.split("/")[2:]]
    size = 2**int(n[2:]) if n.startswith("2^") else int(n)
    # A run on a GPU comes before one without, as in the bars; a capability's own run before the first one, which
    # has a few rows of all.
    ordered = sorted(reversed(runs), key=lambda name: name.startswith("host/"))
    found = (runs[name].us(operation, kind, way, size, *map(int, threads)) for name in ordered)
    return next(us for us in found if us)


def value(runs, what):
    """Of text, as above; a list of a function's results otherwise."""
    if callable(what):
        result = what(runs)
        return list(result) if isinstance(result, (list, tuple)) else [result]
    row, _, factor = what.partition(" @ ")
    over, _, under = row.partition(" : ")
    return [time(runs, over) / (time(runs, under) if under else 1) * float(factor or 1)]


def over_cub(of):
    """CUB's time over the fold's of float, double and int32, geometric means of the sizes that are meant."""
    return lambda runs: [geometric_mean(found for n, found in runs["reduction"].ratios(
        "sum", kind, "cub", "fold").items() if n in MAIN_SIZES and of(n)) for kind in MAIN_TYPES]


def over_rival(operation, theirs, ours, of=lambda n: True):
    """The newer CUB's time over ours of float, double and int32, geometric means of the sizes that are meant."""
    return lambda runs: [geometric_mean(found for n, found in runs["rival"].ratios(
        f"rival/{operation}", kind, theirs, ours).items() if of(n)) for kind in MAIN_TYPES]


def rival_segments(runs):
    return [us("cub") / us("fold") for length in (4, 8, 16, 64, 256, 1024, 4096, 65536, 2**20)
            for us in [lambda way: runs["rival"].us(f"rival/segmented_sum_{length}", "float", way, 2**28)]]


def rival_least(runs):
    return min(found for kind in MAIN_TYPES for found in runs["rival"].ratios("rival/sum", kind, "cub", "fold").values())


def sums_over_cub(runs):
    return [found for kind in MAIN_TYPES for found in runs["reduction"].ratios("sum", kind, "cub", "fold").values()]


def sums_alone(run, operation):
    """The least and the most of CUB's time over the fold's in one call alone."""
    def extremes(runs):
        found = [value for kind in MAIN_TYPES for value in runs[run].ratios(operation, kind, "cub_alone", "fold_alone").values()]
        return min(found), max(found)
    return extremes


def verbs(start, twin, kinds=None):
    def mean(runs):
        r = runs["reduction"]
        return geometric_mean(found for operation in {k[0] for k in r.rows} if operation.startswith(start)
                              for kind in kinds or r.kinds(operation)
                              for n, found in r.ratios(operation, kind, twin, "fold").items() if n >= 2**20)
    return mean


def small_squares(runs):
    row = "poisson_periodic_2d/float/{}/{}"
    return [value(runs, f"{row.format('vendor', 2**e)} : {row.format('fused', 2**e)}")[0] for e in range(6, 13)]


def counters_behind(runs):
    """How far `automatic` is behind the fastest of the four, per cent."""
    row = next(row for row in CAPABILITIES[2][2](runs["reduction"]) if row[0].startswith("one counter"))
    return 100 * float(row[2].split()[0]) - 100


def rays_cost(runs):
    row = next(row for row in CAPABILITIES[2][2](runs["reduction"]) if row[0].startswith("ray caster"))
    return 100 * float(row[2].split()[0]) - 100


def weak_loss(runs):
    """What sums take longer on four GPUs than on one, per cent."""
    return 100 * value(runs, "scaling_sum_each/float/fold/2^30/4 : scaling_sum_each/float/fold/2^30/1")[0] - 100


def negative_prices(runs):
    """Of the polynomial, as the tour counts them."""
    tour = (pathlib.Path(__file__).parents[2] / "docs/results/tour_h200.txt").read_text()
    return int(re.search(r"^Hull's polynomial(?: +\S+){3} +(\d+) ", tour, re.M)[1])


def frameworks(operation, n):
    """PyTorch's and JAX's times over ours, of floats."""
    document = json.loads((pathlib.Path(__file__).parents[2] / "docs/results/frameworks_h200.json").read_text())

    def over_ours(runs):
        rows = {row["name"]: row_of(row, runs) for row in document["rows"]}
        return [float(rows[f"{operation}/float/{name}/n:{n}"][OVER_OURS]) for name in ("torch", "jax")]
    return over_ours


def bars_met(runs):
    rows = [row for _, run, bars_of, *_ in CAPABILITIES if run in runs for row in rows_of(runs, run, bars_of)]
    return sum(row[-1] == "yes" for row in rows), len(rows)


def gbs(run, *row):
    return lambda runs: runs[run].gbs(*row)


def of_sum(operation, ours, n="2^28"):
    return [f"{operation}/{kind}/sum/{n} : {operation}/{kind}/{ours}/{n}" for kind in ("float", "double")]


def prices(way):
    return f"black_scholes/float/{way}/2^26 : black_scholes/float/mills/2^26"


def square(way, n, under="fused/4096"):
    return f"poisson_periodic_2d/float/{way}/{n} : poisson_periodic_2d/float/{under}"


def planned_transforms(run):
    """FFTW's times over ours on a host, where it plans by measuring."""
    rows = ("2d/double/{}/1024/2", "3d/double/{}/256/2")
    return [lambda runs, row="host/poisson_periodic_" + row: time({run: runs[run]}, row.format("planned"))
            / time({run: runs[run]}, row.format("automatic")) for row in rows]


def counted(way, n, under="block"):
    return f"counter_100/float/{way}/{n} : counter_100/float/{under}/{n}"


def exact_row(way, power):
    """Of exact sums and others of as many floats, beside a newer CUB."""
    return f"rival/exact_sum/float/{way}/2^{power}"


def scaling(operation, way, n, *gpus):
    """Times on so many GPUs; of two numbers the first one's over the second one's."""
    return " : ".join(f"scaling_{operation}/float/{way}/{n}/{one}" for one in gpus)


def slabs(n):
    return [f"scaling_poisson_2d/float/{way}/{n}/{gpus} @ 1e-3"
            for way, gpus in (("slabs", 4), ("slabs", 2), ("cufft_xt", 4), ("fused", 1))]


def bins(count, kind):
    rows = [f"histogram-{count}-{data}/{kind}/{way}/2^28" for way in ("fold", "cub32")
            for data in ("uniform", "equal")]
    return ("docs/counting.md", f"{count} bins, {kind}, uniform / all equal | {{}} / {{}} | {{}} / {{}} |", rows)


def kept(kind):
    rows = [f"compact_if-{share}/{kind}/{way}/2^28" for way in ("fold", "cub") for share in (1, 50, 99)]
    return ("docs/counting.md",
            f"`compact_if`, {kind}, 1 / 50 / 99 % selected | {{}} / {{}} / {{}} | {{}} / {{}} / {{}} |", rows)


def segments(text, name):
    row = f"segmented_sum_{name}"
    return ("docs/numerics.md", f"| {text} | {{}} | {{}} | {{}} |",
            [f"{row}/float/fold/2^28", gbs("reduction", row, "float", "fold", 2**28), f"{row}/float/cub/2^28"])


# Bermudan, on 2^20 regression and 2^20 pricing paths of 50 dates.
PUTS = [*(f"bermudan-put_1x50/float/{way}/2^20" for way in ("warpfold", "plain", "plain_cusolver")),
        f"bermudan-put_256x50/float/warpfold/2^20 @ {1 / 256}"]
README, MEASURED = "README.md", "docs/measured.md"
MANY, COUNTING, SUMS = "docs/many-gpus.md", "docs/counting.md", "docs/sums.md"
FIGURES = [
    *((README, f"time for 2^{power} floats, us, CUB 3.6 | {{}} | {{}} | {{}} | {{}} | {{}} |",
       [exact_row(way, power) for way in ("cub_not_guaranteed", "cub", "cub_gpu_to_gpu", "sum", "exact")])
      for power in (24, 28)),
    (README, "time for 2^28 floats, us, the toolkit's CUB 3.0 | – | {} | – | {} | {} |",
     ["sum/float/cub/2^28", "sum/float/fold/2^28", "exact_sum/float/exact/2^28"]),
    (README, "square of 4096 x 4096 floats takes {} us; cuFFT takes {} times as long",
     ["poisson_periodic_2d/float/fused/4096", square("vendor", 4096)]),
    (README, "for 2^28 floats CUB 3.6's reproducible sum takes {} times as long as our exact one.**",
     [f"{exact_row('cub_gpu_to_gpu', 28)} : {exact_row('exact', 28)}"]),
    (README, "For 2^28 floats of all exponents `exact_sum` takes [{} times as long](docs/results/sums.md) as for normal ones.",
     ["exact_sum_wild/float/exact/2^28 : exact_sum/float/exact/2^28"]),
    (README, "{} of {} bars are met", [bars_met]),
    (MEASURED, "for 2^28 floats: sums {} and {}, prefix sums {} and {}, the median {} and {}.",
     [frameworks(of, 2**28) for of in ("sum", "inclusive_sum", "order_statistics-1-uniform")]),
    (MEASURED, "Poisson's equation at 4096 a side: {} and {}.", [frameworks("poisson_periodic_2d", 4096)]),
    (MEASURED, "CUB 3.6: {} float, {} double, {} int32, to 2^22; {}, {}, {} above; {} at the least",
     [over_rival("sum", "cub", "fold", lambda n: n <= SPLIT), over_rival("sum", "cub", "fold", lambda n: n > SPLIT),
      rival_least]),
    (MEASURED, "reproducible sum of CUB 3.6: {} float, {} double",
     [f"rival/exact_sum/{kind}/cub_gpu_to_gpu/2^28 : rival/exact_sum/{kind}/exact/2^28" for kind in ("float", "double")]),
    (MEASURED, "CUB 3.6: {} float, {} double, {} int32, geometric means",
     [over_rival("argmin", "cub", "fold")]),
    (MEASURED, "CUB 3.6, which has a form for one length: {} geometric mean, {} at the least",
     [lambda r: (geometric_mean(found := rival_segments(r)), min(found))]),
    (MEASURED, "CUB: {} float, {} double, {} int32, to 2^22; {}, {}, {} above; {} at the least",
     [over_cub(lambda n: n <= SPLIT), over_cub(lambda n: n > SPLIT), lambda r: min(sums_over_cub(r))]),
    (MEASURED, "{} GB/s at 2^30 floats; reading alone {}",
     [gbs("reduction", "sum", "float", "fold", 2**30), lambda r: r["reduction"].ceilings["read"]]),
    (MEASURED, "Thrust on OpenMP: {}", ["host/sum/float/thrust/100000000/2 : host/sum/float/fold/100000000/2"]),
    (MEASURED, "plain `sum`: {} float, {} double; of all exponents {}, {}",
     of_sum("exact_sum", "exact") + of_sum("exact_sum_wild", "exact")),
    (MEASURED, "plain `sum`: {}, {} |", of_sum("describe", "fold")),
    (MEASURED, "`atomicAdd`: {} where the compiler aggregates it, {} where it cannot",
     [counted("plain", "2^24"), counted("naive", "2^24")]),
    (MEASURED, "CUB: {}, {}, {} |",
     [verbs("count_if", "cub"), verbs("histogram-", "cub32"), verbs("compact_if", "cub")]),
    (MEASURED, "{} G prices/s ({} GB/s)",
     [lambda r: rate(r["pricing"], "black_scholes", "float", "mills", 2**26),
      gbs("pricing", "black_scholes", "float", "mills", 2**26)]),
    (MEASURED, "Thrust over zipped arrays: {}; the course's polynomial: {}",
     [prices("zip_by_parity"), prices("polynomial")]),
    (MEASURED, "with eight Greeks {} G options/s, implied volatilities {} G/s",
     [lambda r: rate(r["pricing"], "black_scholes_greeks", "float", "mills", 2**24),
      lambda r: rate(r["pricing"], "implied_volatility", "float", "warpfold", 2**24)]),
    (MEASURED, "a scalar loop over libm: {}",
     ["host/black_scholes/float/vendor/2^20/1 : host/black_scholes/float/mills/2^20/2"]),
    (MEASURED, "{} G paths/s, with native bits, the default here; {} G with "
     "[portable bits](monte-carlo.md#the-same-bits-everywhere), those of every GPU and host | CUDA's sample kernel: {}",
     [lambda r: [european(r["monte_carlo"], 256, 2**24, way) for way in ("fused", "portable")],
      "european_256/float/samples_xorwow/2^24 : european_256/float/fused/2^24"]),
    (MEASURED, "64 calls of 2^18 paths | {} G paths/s, with native bits",
     [lambda r: european(r["monte_carlo"], 64, 2**18)]),
    (MEASURED, "{} us | cuRAND's Philox: {}",
     ["random_normal/float/warpfold/200000000",
      "random_normal/float/curand_philox/200000000 : random_normal/float/warpfold/200000000"]),
    (MEASURED, "{} us | cuFFT: {}; the course's complex transforms: {}",
     ["poisson_periodic_2d/float/fused/4096", square("vendor", 4096), square("course", 4096)]),
    (MEASURED, "cuFFT: {} to {} for powers of two from 64 to 4096 a side, {} at 8192, {} at 16384, {} at 32768",
     [lambda r: (min(small_squares(r)), max(small_squares(r)))]
     + [square("vendor", n, f"fused/{n}") for n in (8192, 16384, 32768)]),
    (MEASURED, "on cells, 4096 a side | {} times a periodic square's time",
     ["poisson_dirichlet_cells_2d/float/fused/4096 : poisson_periodic_2d/float/fused/4096"]),
    (MEASURED, "take {} % longer than on one", [weak_loss]),
    (MEASURED, "256 calls of 2^24 paths are simulated {} times as fast",
     [scaling("european_256", "fused", "2^24", 1, 4)]),
    (MEASURED, "a periodic square of 32,768 x 32,768 floats takes {} ms by slabs, {} by cuFFT over all four, and {} "
     "on one", [slabs("2^15")[i] for i in (0, 2, 3)]),
    (MEASURED, "makes {} of the 2,000,000 prices of a random book negative", [negative_prices]),
    (MEASURED, "the toolkit's CUB takes {} to {} times as long as the fold.", [sums_alone("reduction", "sum")]),
    *((page, words, [sums_alone("rival", "rival/sum")]) for page, words in (
        (MEASURED, "[CUB 3.6](results/rival.md#one-call-alone) takes {} to {} times as long."),
        (README, "CUB 3.6's sum takes {} to {} times as long as ours."))),
    (MEASURED, "{} of {} bars are met", [bars_met]),

    (SUMS, "A plain `sum` takes {} of its time", of_sum("exact_sum", "exact")[:1]),
    (SUMS, "right, at {} of the plain sum's speed", of_sum("exact_sum", "exact")[:1]),
    ("docs/scatter.md", "whose bits differ from run to run, take {} times as long",
     ["scatter_sum_uniform_65536/float/atomics/2^28 : scatter_sum_uniform_65536/float/fixed_point/2^28"]),
    ("docs/by_key.md", "whose digits depend on timing, takes {} times as long",
     ["by_key_32/float/cub/2^28 : by_key_32/float/fold/2^28"]),
    (SUMS, "The power law between offsets reads {} % of what a copy moves", [
        lambda r: 100 * r["reduction"].gbs("segmented_sum_power_law", "float", "fold", 2**28)
        / r["reduction"].ceilings["copy"]]),
    (SUMS, "norms of doubles: {} times the sum's time",
     ["exact_norm2/double/exact/2^26 : exact_norm2/double/sum/2^26"]),
    (SUMS, "of all exponents take {} (float) and {} (double) times as long",
     [f"exact_sum_wild/{kind}/exact/2^20 : exact_sum_wild/{kind}/sum/2^20" for kind in ("float", "double")]),

    (COUNTING, "For one counter `automatic` is at most {} % behind", [counters_behind]),
    (COUNTING, "`block` is {} times as fast as `naive` at 2^20, and {} times at 2^24",
     [counted("naive", "2^20"), counted("naive", "2^24")]),
    (COUNTING, "leaves `block` {} times ahead of it at 2^20, {} times at 2^24 and {} times at 2^28",
     [counted("plain", f"2^{e}") for e in (20, 24, 28)]),
    (COUNTING, "An addition takes {} ns, if a lane makes it, and {} ns for a whole warp",
     [f"counter_100/float/naive/2^24 @ {1e3 / 2**24}", f"counter_100/float/plain/2^28 @ {1e3 / 2**23}"]),
    (COUNTING, "three counters take {} us if they are known when compiling, and {} us if not",
     [f"counters_3_100/float/{way}/2^24" for way in ("known", "block")]),
    (COUNTING, "`count_if`, float | {} | {} |", [f"count_if/float/{way}/2^28" for way in ("fold", "cub")]),
    *(bins(count, kind) for count, kind in ((256, "float"), (256, "int32"), (256, "uint8"), (16, "float"))),
    *(kept(kind) for kind in ("float", "double")),
    (COUNTING, "`count_if` {} (float) and {} (double), against Thrust {} and {}; `compact_if` {} over",
     [verbs("count_if", way, [kind]) for way in ("cub", "thrust") for kind in ("float", "double")]
     + [verbs("compact_if", "cub")]),
    (COUNTING, "histograms {} over all of float, int32, uint8, 16 and 256 bins, uniform and equal, and {} for the "
     "worst kind of data",
     [verbs("histogram-", "cub32"), lambda r: min(
         verbs(f"histogram-{count}-equal", "cub32", ["uint8"])(r) for count in (16, 256))]),
    (COUNTING, "histograms of bytes up to 4 MiB, at the least {} (2^20",
     ["histogram-256-uniform/uint8/cub32/2^20 : histogram-256-uniform/uint8/fold/2^20"]),
    (COUNTING, "(2^20 uniform bytes, 256 bins: {} and {})",
     [f"histogram-256-uniform/uint8/{way}/2^20" for way in ("fold", "cub32")]),
    (COUNTING, "in the benchmark's run {} us without counting and {} with it for camera rays, {} and {} for random "
     "ones. Staged, it is {} and {}.",
     [f"raycast/leaves_{rays}/{way}/1000000" for rays in ("coherent", "incoherent") for way in ("none", "global")]
     + [f"raycast/leaves_{rays}/block/1000000" for rays in ("coherent", "incoherent")]),
    (COUNTING, "way: {} us instead of {}.", [f"raycast/closest_coherent/{way}/1000000" for way in ("global", "none")]),
    (COUNTING, "Staged, it is {}: the counting kernel", ["raycast/closest_coherent/block/1000000"]),
    (COUNTING, "costs at most {} % in the [benchmark]", [rays_cost]),

    *(segments(text, name) for text, name in (
        ("of 4", "4"), ("of 16", "16"), ("of 64", "64"), ("of 256", "256"), ("of 4096", "4096"),
        ("of 2^20", "1048576"), ("a power law between offsets", "power_law"))),

    (MANY, "In pageable memory four GPUs price 2^26 calls and puts {} times as fast as one",
     [scaling("black_scholes", "pageable", "2^26", 1, 4)]),
    (MANY, "A simulation that takes {} us on one GPU takes {} us on two and {} us on four",
     [scaling("european_64", "fused", "2^18", gpus) for gpus in (1, 2, 4)]),
    *((MANY, f"| {2**power:,} | {{}} | {{}} | {{}} | {{}} |", [slabs(f"2^{power}")[i] for i in (3, 1, 0, 2)])
      for power in (13, 14, 15)),
    (MANY, "a quarter of one GPU's is {} us, and {} us are not shared",
     [scaling("european_256", "fused", "2^24", 1) + " @ 0.25",
      lambda r: time(r, scaling("european_256", "fused", "2^24", 4))
      - time(r, scaling("european_256", "fused", "2^24", 1)) / 4]),
    ("docs/poisson.md", "On four GPUs the same square takes {} us: cuFFT over all four {}, one GPU {}.",
     [slabs("2^14")[i].partition(" @")[0] for i in (0, 2, 3)]),
    ("docs/poisson.md", "takes two H200 {} ms and four {}, where one takes {} and cuFFT over two and four {} and {}. Two bare "
     "exchanges of as many bytes take {} and {} ms",
     [f"scaling_poisson_2d/float/{way}/2^15/{gpus} @ 1e-3" for way, gpus in (
         ("slabs", 2), ("slabs", 4), ("fused", 1), ("cufft_xt", 2), ("cufft_xt", 4), ("exchange", 2), ("exchange", 4))]),
    ("docs/scaling.md", "in page-locked memory {} times as fast as one, four {} times",
     [scaling("black_scholes", "pinned", "2^26", 1, gpus) for gpus in (2, 4)]),
    ("docs/black-scholes.md", "prices [{} G options a second]",
     [lambda r: rate(r["pricing"], "black_scholes", "float", "mills", 2**26)]),
    ("docs/black-scholes.md", "eight Greeks of 2^24 options in float move bytes at {} of a copy's speed, prices alone of 2^26 in "
     "double at {}", [lambda r: [r["pricing"].gbs(o, k, "mills", n) / r["pricing"].ceilings["copy"] for o, k, n in (
         ("black_scholes_greeks", "float", 2**24), ("black_scholes", "double", 2**26))]]),
    ("docs/monte-carlo.md", "of 50 dates take {} us for one put in float on an H200. A plain program with one thread a path, three "
     "kernels a date and `cub::BlockReduce` takes {} us, with cuSOLVER {} us; 256 puts on shared paths take {} us each",
     PUTS),
    ("docs/monte-carlo.md", "One put with 2^14 paths of both takes {} us.", ["bermudan-put_1x50/float/warpfold/2^14"]),
    ("docs/monte-carlo.md", "and five Greeks of a call in Heston's model take {} times the price's time",
     ["greeks_pathwise_1x252/float/five/2^20 : greeks_pathwise_1x252/float/price/2^20"]),
    (MANY, "The whole call now takes {} us on one GPU", PUTS[:1]),
    ("docs/monte-carlo.md", "evaluates [{} G payoffs a second]", [lambda r: european(r["monte_carlo"], 256, 2**24)]),
    ("docs/monte-carlo.md", "In a busy stream the last line's call takes {} us", ["european_64/float/fused/2^18"]),
    ("docs/monte-carlo.md", "those of every GPU and host, the H200 evaluates {} G",
     [lambda r: european(r["monte_carlo"], 256, 2**24, "portable")]),
    ("docs/monte-carlo.md", "cuRAND's XORWOW, takes {} times as long",
     ["european_256/float/samples_xorwow/2^24 : european_256/float/fused/2^24"]),
    ("docs/monte-carlo.md", "252 steps in float take {} us for one call, {} us for 64 strikes; a plain program of the same scheme, one "
     "thread a path with cuRAND's Philox and `cub::BlockReduce`, takes {} us",
     ["heston_1x252/float/warpfold/2^20", "heston_64x252/float/warpfold/2^20", "heston_1x252/float/sample/2^20"]),
    ("docs/monte-carlo.md", "252 steps in float take {} us for one call, {} us for 64 strikes. Without a smile they take {} us, as that "
     "model shares Heston's kernel. A plain log-Euler program that reads the volatility from a texture takes {} us",
     ["local_volatility_1x252/float/warpfold/2^20", "local_volatility_64x252/float/warpfold/2^20",
      "constant_volatility_1x252/float/warpfold/2^20", "local_volatility_1x252/float/sample/2^20"]),
    ("docs/monte-carlo.md", "on five assets with 2^20 paths of 12 steps takes {} us in float; a plain program takes {} us",
     [f"five-assets_1x12/float/{way}/2^20" for way in ("warpfold", "plain")]),
    ("docs/monte-carlo.md", "16 autocallables of 20 dates take {} us on 2^20 paths in float, and one takes {}: each further note costs "
     "{} us. Written by hand as a payoff, with the states of all in registers, these notes take {}. A "
     "plain program, with a kernel for each note's paths, takes {}, or {} times as long",
     ["autocallable_16x20/float/warpfold/2^20", "autocallable_1x20/float/warpfold/2^20",
      lambda r: (time(r, "autocallable_16x20/float/warpfold/2^20") - time(r, "autocallable_1x20/float/warpfold/2^20")) / 15,
      "autocallable_16x20/float/payoff/2^20", "autocallable_16x20/float/plain/2^20",
      "autocallable_16x20/float/plain/2^20 : autocallable_16x20/float/warpfold/2^20"]),
    ("docs/poisson.md", "[that takes {} and {} of our time](results/poisson.md)", planned_transforms("poisson")),
    ("docs/poisson.md", "[Another host](results/host/poisson.md): {} and {}. ", planned_transforms("host/poisson")),
    ("docs/poisson.md", "cuFFT takes [{} times](results/poisson.md) as long", [square("vendor", 4096)]),
    ("docs/reduction.md", "[{} GB/s](results/reduction.md) on an NVIDIA H200", [gbs("reduction", "sum", "float", "fold", 2**30)]),
    ("docs/random.md", "makes [{} G normals a second](#speed) in float; cuRAND's Philox takes {} times as long",
     [lambda r: 2e5 / r["monte_carlo"].us("random_normal", "float", "warpfold", 200000000),
      "random_normal/float/curand_philox/200000000 : random_normal/float/warpfold/200000000"]),
]


def sentences(page, text, runs):
    """Of each sentence of a page: its words here, as it stands in the text (None: it does not), and as it
    should."""
    for template, rows in ((template, rows) for name, template, rows in FIGURES if name == page):
        words = [re.escape(part) for part in template.split("{}")]
        found = re.search(r"([\d.,]*\d)".join(words).replace(r"\ ", r"\s+"), text)
        if not found:
            yield template, None, template
            continue
        new, end = "", found.start()
        for at, figure in enumerate((one for row in rows for one in value(runs, row)), 1):
            digits = len(found[at].partition(".")[2])
            new += text[end:found.start(at)] + (
                f"{figure:,.{digits}f}" if "," in found[at] else f"{figure:.{digits}f}")
            end = found.end(at)
        yield template, found[0], new + text[end:found.end()]
