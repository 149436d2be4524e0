"""The page of all bars: what was asked of every capability, what was measured, and why if it is missed."""

from report_by_index import scatter_bars
from report_by_key import by_key_bars
from report_counting import counting_bars
from report_monte_carlo import mc_bars
from report_poisson import poisson_bars
from report_pricing import pricing_bars
from report_quantiles import quantiles_bars
from report_rows import BETTER, bars
from report_scaling import scaling_bars
from report_sums import scan_bars, sums_bars

# Title, the run that its bars are computed from, its bars, its page of results, and the page that tells.
CAPABILITIES = [
    ("Reductions", "reduction", bars, "reduction", "reduction"),
    ("Sums to trust", "reduction", sums_bars, "sums", "sums"),
    ("Counting", "reduction", counting_bars, "counting", "counting"),
    ("Scans", "scan", scan_bars, "scan", "scan"),
    ("Sums by key", "by_key", by_key_bars, "by_key", "by_key"),
    ("Sums by index", "scatter", scatter_bars, "scatter", "scatter"),
    ("Order statistics", "quantiles", quantiles_bars, "quantiles", "quantiles"),
    ("Option prices", "pricing", pricing_bars, "pricing", "black-scholes"),
    ("Monte Carlo", "monte_carlo", mc_bars, "monte_carlo", "monte-carlo"),
    ("Poisson's equation", "poisson", poisson_bars, "poisson", "poisson"),
    ("Many GPUs", "scaling", scaling_bars, "scaling", "many-gpus")]

BY_KEY = ("Two kernels read keys and values one after the other, each with a ramp; mixed lengths wait for "
          "instructions.", "by_key.md#measured")
BY_RANK = ("The pass that keeps a bracket is about one read; sample and results take most of the rest.", "quantiles.md")
PRICES = "black-scholes.md#what-bounds-the-speed"
SIMULATIONS = "monte-carlo.md#one-kernel"
EXERCISED, ASSETS = "monte-carlo.md#how-early-exercise-became-fast", "monte-carlo.md#correlated-assets"
HESTONS, LOCALS = "monte-carlo.md#hestons-model", "monte-carlo.md#local-volatility"
SOLVERS = "poisson.md#why-the-other-bars-are-missed"
# Why a bar is missed, by how its text begins: a sentence, and where it is told.
WHY = {
    "prefix sums of int32": ("2^24 are three turns of the blocks, which wait for each other in each.", "scan.md#what-was-tried"),
    "prefix sums of double": ("2^22 are two turns of the blocks, which wait for each other in both.",
                              "scan.md#what-was-tried"),
    "prefix sums of float": ("Blocks that begin at once wait for each other's totals, which takes a round trip "
                             "to the L2 cache.", "scan.md#what-was-tried"),
    "user's lambda": ("Few elements wait for instructions, whose cost varies: the same program took at most "
                      "1.028 on another H200.", "numerics.md#what-was-learnt-about-speed"),
    "argmin, argmax, minmax": ("In this one row, against CUB's own ArgMin, which has no policy for "
                               "NaN; with ours CUB is slower.", "numerics.md#positions-and-statistics"),
    "sums of 2^24 and 2^28 floats by key": BY_KEY,
    "the same sums by key": BY_KEY,
    "three columns with the same keys": ("Another column saves only the marking, about half of the first one's time.",
                                         "by_key.md#measured"),
    "sums of 2^28 floats by index, uniform, 2^8 bins": ("Ours reads at the memory's speed; float atomics on 256 bins "
                                                        "are far below it. Slower memory lowers the ratio.",
                                                        "scatter.md"),
    "one of 2^28 uniform floats by rank": BY_RANK,
    "five of 2^28 uniform floats by rank": ("A run from before each key was compared once an end, not three times.",
                                            "quantiles.md#how"),
    "one and five of 2^28 equal floats by rank": ("A run from before ranks with equal ends were counted together: five "
                                                  "pairs of ends took a hundred instructions a key.", "quantiles.md#how"),
    "prices in float, 2^24": ("Digits in the tails and equal bits everywhere take instructions that "
                              "the polynomial saves.", PRICES),
    "native prices in float": ("A scheduler issues in 79 % of the cycles; inputs that are copied ahead take the "
                               "waits for memory away, and no time.", PRICES),
    "prices in float, 2^26": ("The kernel waits for instructions, not for memory.", PRICES),
    "the same three sizes": ("As above.", PRICES),
    "prices in double": ("Arithmetic in double precision is the limit; that limit was counted, not "
                         "measured.", PRICES),
    "2^26 options from and to": ("The pieces at both ends have nothing to overlap with; by how much the "
                                 "copy alone is faster differs from run to run.",
                                 "black-scholes.md#host-memory-to-host-memory"),
    "64 calls x": ("Terms, folds and a ticket, one after the other, last longer than the paths.",
                 SIMULATIONS),
    "64 and 256 calls": ("As above: 64 calls of 2^16 paths are done before the GPU is full.",
                         SIMULATIONS),
    "16 Asian options x 2^14": ("A run from before teams of lanes walked few paths.",
                                "monte-carlo.md#options-on-a-path"),
    "the same put": ("Nearly half of the time is a chain of 49 dates, each a message to one block and back, though "
                     "the plain program has three kernels a date.", EXERCISED),
    "256 Bermudan puts": ("Every option reads and writes the worth of all paths at every date; pricing paths are bound "
                          "by the first cache.", EXERCISED),
    "a call on five assets": ("A step makes the words of eight normals and six of these, where the plain program makes "
                              "five.", ASSETS),
    "a call in Heston's": ("A warp takes both branches of the variance; a scheduler issues in 83 % of the cycles.", HESTONS),
    "a call on a local volatility": ("At equal steps; ours are of second order, the plain program's are not, so "
                                     "that fewer would do.", LOCALS),
    "float, periodic square, 3000": ("By lines: this run is older than kernels compiled for 3000.", SOLVERS),
    "float, periodic square, 8192": ("Columns are bound by how memory is accessed.", SOLVERS),
    "float, periodic square, 16384": ("One block a multiprocessor: it loads, computes and stores by turns.", SOLVERS),
    "float, periodic square, 32768": ("Five passes; an H100's took 0.71 of cuFFT's time.", SOLVERS),
    "float, periodic square": ("Three passes one after the other; large ones overlap instructions with memory only "
                               "in part.", SOLVERS),
    "double, periodic square, 4096": ("Two blocks a multiprocessor; on an H200 the L2 cache is at 62 to 85 % of its rate.", SOLVERS),
    "double, periodic square": ("As in float at 16384.", SOLVERS),
    "float, periodic cube": ("Five passes, two of them along z, none of which saturates anything.", SOLVERS),
    "double, periodic cube": ("As in float.", SOLVERS),
    "float, 4096 periodic lines": ("One pass at 0.6 of a copy's speed.", SOLVERS),
    "float, neumann on nodes in a cube": ("As squares of nodes.", SOLVERS),
    "float, neumann on cells": ("By less than the figures shown; the columns' four divisions a pair.", SOLVERS),
    "float, dirichlet on nodes": ("Blocks of an odd number of warps leave a thread 96 registers.", SOLVERS),
    "float, neumann on nodes": ("As above.", SOLVERS),
    "float, mixed on cells": ("The tilt's own multiplications, in rows and columns.", SOLVERS),
    "float, mixed on nodes": ("Rows of type 3 read numbers one by one.", SOLVERS),
    "VkFFT": ("By lines: this run is older than kernels compiled for 3000.", SOLVERS),
    "four GPUs, 256 calls": ("Ranks wait for each other and gather; paths are too few to hide it.",
                             "many-gpus.md#measured"),
    "four GPUs, square of 32768": ("Two exchanges take more than three quarters of the time, and rows do not overlap with "
                                   "them.", "poisson.md#on-several-gpus")}

INTRODUCTION = """Written by bench/report/report.py from the JSON files beside it. Each capability was given bars
before it was built: how fast it has to be, beside the vendor's code for the same task or the machine's
limits. A page has the bars of the runs beside it, and says which are missed. "Not measured" without a reason:
that run left out the program or the host.

Each section's rows are of one run, in which what is compared took turns; rows of hosts may be of a second
run. "Least" and "most" are over all rows of a bar. GPUs, commits and dates are on the pages of results. The bars are meant for an NVIDIA H200.
That `_async` calls neither allocate nor wait is a bar as well, and a test: they are captured in graphs.

""" + BETTER

# What no bar was set for: the run that its times would be in, what it is, and where the times are. Where runs may be
# older than the rows: how those begin, and what is said without them.
WITHOUT = [
    ("reduction", "`compensated_sum`", "[times](sums.md#sums-with-a-bound)"),
    ("reduction", "`dot` and norms", "[times](sums.md#products-norms-counts)"),
    ("scan", "scans by key", "[times of prefix sums](scan.md#by-key-runs-of-128)"),
    ("scan", "scans of segments", "[times](scan.md#segments-between-offsets)",
     ["segmented_inclusive_sum_"], "not timed"),
    ("by_key", "`run_length_encode` and `exact_sum_by_key`",
     "times of [lengths](by_key.md#lengths-of-runs) and of [sums](by_key.md#exact-sums)",
     ["run_length_encode_", "exact_sum_by_key_"], "not timed"),
    ("quantiles", "`top_k`", "[times](quantiles.md#the-k-largest-and-their-positions)"),
    ("monte_carlo", "uniform and Sobol numbers", "[times](monte_carlo.md), its last tables"),
    ("monte_carlo", "jumps", "[times](monte_carlo.md) of Bates's model, \"bates\""),
    ("monte_carlo", "Greeks by bumps", "[times](monte_carlo.md), \"greeks, heston\""),
    ("monte_carlo", "Greeks by likelihood ratios", "[times](monte_carlo.md#greeks-by-likelihood-ratios)",
     ["greeks_likelihood_"], "[times on a host](../monte-carlo.md#by-likelihood-ratios) only"),
    ("monte_carlo", "risk figures", "[times](monte_carlo.md#risk-figures)", ["risk"], "not timed"),
    ("poisson", "real transforms by themselves", "[times](poisson.md#real-transforms)", ["transform_"], "not timed")]


def without_bar(r, what, times, starts=(), otherwise=""):
    """The line of what no bar was set for, of a run."""
    is_there = all(any(key[0].startswith(start) for key in r.rows) for start in starts)
    return f"- {what}: {times if is_there else otherwise}"


def reason(row):
    what, *_, met = row
    if met == "yes" or (met == "not measured" and what.startswith(("VkFFT", "host"))):
        return ""  # of programs and hosts that a run leaves out
    told = [f"{text} [More](../{link})" for start, (text, link) in WHY.items() if what.startswith(start)]
    return told[0] if told else "Not told yet." if met == "NO" else "Its rows are newer than this run."


def rows_of(runs, run, bars_of):
    """A run's bars. Those of hosts that it left out are of a run without a GPU, where there is one."""
    of_host = {row[0]: row for row in bars_of(runs[f"host/{run}"])} if f"host/{run}" in runs else {}
    return [of_host.get(row[0], row) if row[-1] == "not measured" else row
            for row in runs[run].of_interest(bars_of(runs[run]))]


def bars_page(runs, table):
    """The page's text, of the runs by capability."""
    page, met, number = [], 0, 0
    for title, run, bars_of, results, told in CAPABILITIES:
        if run not in runs:
            continue
        rows = rows_of(runs, run, bars_of)
        if not rows:
            continue
        met += sum(row[-1] == "yes" for row in rows)
        number += len(rows)
        page += [f"## {title}\n", table(["bar", "asked", "measured", "met", "if not, why"],
                                        [[*row, reason(row)] for row in rows], last_is_text=True),
                 f"[Results]({results}.md), [explanation](../{told}.md)"
                 + f"; hosts [without a GPU](host/{results}.md)" * (f"host/{run}" in runs) + "\n"]
    without = "\n".join(without_bar(runs[run], *entry) for run, *entry in WITHOUT if run in runs)
    return "\n".join(["# Bars\n", INTRODUCTION, f"{met} of {number} are met.\n", *page,
                      f"## No bar was set for\n\n{without}\n"])
