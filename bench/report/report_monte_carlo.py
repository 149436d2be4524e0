"""The page of simulation: random numbers, European options, options on paths."""

from report_plots import HIGHER, axes, ceiling, save
from report_rows import Results, bar, number, ratio, size_name

RANDOM = 200_000_000
EUROPEAN = "european_"
# Ways to simulate in the order of the tables, and what the page calls them.
WAYS = {"fused": "fused", "portable": "fused, portable bits", "stored": "stored", "vendor": "cuRAND and CUB",
        "samples_xorwow": "CUDA sample, XORWOW",
        "samples_philox": "cuRAND and cub::BlockReduce, one block an option",
        "blocks_reduce": "cuRAND and cub::BlockReduce, several blocks an option",
        "course": "the course's rule"}
ASIAN, ASIAN_YEAR = "asian_16x252", "asian_16x12"
EXERCISE, EXERCISES, FIVE_ASSETS = "bermudan-put_1x50", "bermudan-put_256x50", "five-assets_1x12"
HESTON, HESTONS = "heston_1x252", "heston_64x252"
LOCAL, CONSTANT = "local_volatility_1x252", "constant_volatility_1x252"
PATHWISE = "greeks_pathwise_1x252"
NOTES = "autocallable_16x20"
LIKELIHOOD, RISK = "greeks_likelihood_1x252", "risk"
ON_PATHS = ("asian", "autocallable", "barrier", "bates", "bermudan", "constant", "five", "greeks", "heston",
            "local")


def rate(r, operation, kind, method, n, threads=0):
    """Thousand millions of items a second."""
    row = r.rows.get((operation, kind, method, n, threads))
    return row["items_per_second"] / 1e9 if row else None


def books(r):
    """Numbers of options that were simulated together."""
    return sorted({int(k[0].removeprefix(EUROPEAN)) for k in r.rows if k[0].startswith(EUROPEAN)})


def european(r, options, paths, way="fused"):
    return rate(r, f"{EUROPEAN}{options}", "float", way, paths)


def ways_of(r, operation, kind, n):
    return {k[2] for k in r.rows if k[0] == operation and k[1] == kind and k[3] == n}


def ms(r, operation, n):
    us = r.us(operation, "float", "warpfold", n)
    return us / 1e3 if us else None


def over_ours(r, operation, n):
    """The fastest plain program's time over ours."""
    plain = [r.us(operation, "float", way, n) for way in ways_of(r, operation, "float", n)
             if way not in ("warpfold", "native", "portable")]
    return ratio(min(plain, default=None), r.us(operation, "float", "warpfold", n))


def mc_bars(r):
    best = european(r, 256, 2**24)
    flat = [european(r, o, n) for o in books(r) if 64 <= o <= 256
            for n in r.sizes(f"{EUROPEAN}{o}", "float", "fused") if n >= 2**16]
    asian = rate(r, ASIAN, "float", "warpfold", 2**20)
    return [bar("256 calls x 2^24 paths, 1e9 evaluations a second", "at least 3000", best, 0),
            bar("the same: over the CUDA samples' kernel with XORWOW", "at least 6",
                ratio(best, european(r, 256, 2**24, "samples_xorwow")), 2),
            bar("64 calls x 2^18 paths: of that rate", "at least 0.6",
                ratio(european(r, 64, 2**18), best)),
            bar("64 and 256 calls, from 2^16 paths on: fastest over slowest", "at most 2",
                ratio(max(flat), min(flat)) if flat else None, 2, most=True),
            bar("64 calls x 2^16 paths, us", "at most 5.2", r.us(f"{EUROPEAN}64", "float", "fused", 2**16), 2,
                most=True),
            bar("2e8 normals, float: cuRAND Philox's time / ours", "at least 1",
                ratio(r.us("random_normal", "float", "curand_philox", RANDOM),
                      r.us("random_normal", "float", "warpfold", RANDOM))),
            bar("16 Asian options x 2^20 paths x 252 steps: steps a second over the first rate",
                "at least 0.5", ratio(asian, best)),
            bar("16 Asian options x 2^14 paths x 12 steps, us", "at most 8",
                r.us(ASIAN_YEAR, "float", "warpfold", 2**14), 2, most=True),
            bar("16 Asian options x 2^14 paths x 252 steps, us", "at most 30",
                r.us(ASIAN, "float", "warpfold", 2**14), 2, most=True),
            bar("a Bermudan put, 2^20 + 2^20 paths x 50 dates, ms", "at most 0.6", ms(r, EXERCISE, 2**20), most=True),
            bar("the same put: the fastest plain program's time / ours", "at least 5",
                over_ours(r, EXERCISE, 2**20), 2),
            bar("the same put: time / that with native bits", "at most 1.15",
                ratio(r.us(EXERCISE, "float", "warpfold", 2**20), r.us(EXERCISE, "float", "native", 2**20)),
                most=True),
            bar("256 Bermudan puts on these paths, ms an option", "at most 0.12",
                ratio(ms(r, EXERCISES, 2**20), 256), 4, most=True),
            bar("a call on five assets, 2^20 paths x 12 steps: the plain program's time / ours", "at least 1.5",
                over_ours(r, FIVE_ASSETS, 2**20), 2),
            bar("16 autocallables, 2^20 paths x 20 dates: the plain program's time / ours", "at least 4",
                ratio(r.us(NOTES, "float", "plain", 2**20), r.us(NOTES, "float", "warpfold", 2**20)), 2),
            bar("the same: a payoff written by hand / the schedule program", "at least 0.85",
                ratio(r.us(NOTES, "float", "payoff", 2**20), r.us(NOTES, "float", "warpfold", 2**20)), 2),
            bar("a call in Heston's model, 2^20 paths x 252 steps: the plain program's time / ours", "at least 2",
                over_ours(r, HESTON, 2**20), 2),
            bar("64 strikes in Heston's model: over one", "at most 1.5",
                ratio(ms(r, HESTONS, 2**20), ms(r, HESTON, 2**20)), 2, most=True),
            bar("five pathwise Greeks of a call in Heston's model, 2^20 x 252: time / the price's", "at most 2.2",
                ratio(r.us(PATHWISE, "float", "five", 2**20), r.us(PATHWISE, "float", "price", 2**20)), 2, most=True),
            bar("a call on a local volatility, 2^20 x 252: the time of the plain program with a texture / ours",
                "at least 1.5", over_ours(r, LOCAL, 2**20), 2),
            bar("the same call: steps a second over those of contracts without a smile", "at least 0.6",
                ratio(ms(r, CONSTANT, 2**20), ms(r, LOCAL, 2**20)), 2)]


def random_table(r, table, operation, kind):
    found = sorted({(k[2], k[3]) for k in r.rows if k[:2] == (operation, kind)},
                   key=lambda k: (k[1], k[0] != "warpfold", k[0]))
    return table([f"{operation.removeprefix('random_').replace('_', ', ')}, {kind}", "n", "us",
                  "1e9 a second"],
                 ([way, size_name(n), f"{r.us(operation, kind, way, n):.2f}",
                   f"{rate(r, operation, kind, way, n):.1f}"] for way, n in found))


def european_table(r, table):
    measured = {k[2] for k in r.rows if k[0].startswith(EUROPEAN)}
    ways = [way for way in WAYS if way in measured]

    def rows():
        for o in books(r):
            operation = f"{EUROPEAN}{o}"
            for n in sorted({k[3] for k in r.rows if k[0] == operation}):
                cells = [european(r, o, n, way) for way in ways]
                yield [f"{o:,} x {size_name(n)}", *(number(c, 1) for c in cells)]
    return table(["calls x paths, float, 1e9 evaluations a second", *(WAYS[way] for way in ways)], rows())


def path_table(r, table):
    def rows():
        for operation, kind, way, n, _ in sorted(r.rows, key=lambda k: (k[0], k[1], k[3], k[2] != "warpfold")):
            if operation.startswith(ON_PATHS):
                what, shape = operation.rsplit("_", 1)
                us, ours = (r.us(operation, kind, w, n) for w in (way, "warpfold"))
                yield [f"{what.replace('_', ', ')}, {kind}, {way}", shape.replace("x", " x "),
                       size_name(n), f"{us / 1e3:.3f}", f"{us / 1e3 / int(shape.split('x')[0]):.4f}",
                       f"{rate(r, operation, kind, way, n):.1f}",
                       "" if way == "warpfold" else number(ratio(us, ours))]
    return table(["options on a path", "options x steps", "paths", "ms", "ms an option", "1e9 steps a second",
                  "time / ours"], rows())


def likelihood_table(r, table):
    rows = []
    for kind in r.kinds(LIKELIHOOD):
        for n in r.sizes(LIKELIHOOD, kind, "ratios"):
            price, ratios, bumps = (r.us(LIKELIHOOD, kind, way, n) for way in ("price", "ratios", "bumps"))
            rows.append([f"{kind}, {size_name(n)} x 252", number(price, 0), number(ratios, 0),
                         number(ratio(ratios, price)), number(bumps, 0), number(ratio(bumps, price))])
    return table(["a digital in Heston's model, paths x steps", "price, us", "with four Greeks by ratios, us",
                  "ratios / price", "by bumps, us", "bumps / price"], rows)


def risk_table(r, table):
    rows = []
    for kind in r.kinds(RISK):
        for n in r.sizes(RISK, kind, "fold"):
            ours, cub, plain = (r.us(RISK, kind, way, n) for way in ("fold", "cub_sort", "sum"))
            rows.append([kind, size_name(n), number(ours), number(r.gbs(RISK, kind, "fold", n), 0), number(cub),
                         number(ratio(cub, ours), 3), number(plain), number(ratio(ours, plain))])
    found = table(["losses", "n", "ours, us", "GB/s", "CUB's sort, us", "CUB / ours", "sum, us", "ours / sum"], rows)
    return ("`pricing::risk` of normal losses, beside CUB's `DeviceRadixSort` of them, which gives the value at risk "
            "alone, and warpfold's plain sum, which reads them once. GB/s count every loss once.\n\n" + found
            if found else "")


def plot(r, path):
    """The course's two plots."""
    found = [o for o in books(r) if len(r.sizes(f"{EUROPEAN}{o}", "float", "fused")) > 1]
    if not found:
        return None
    figure, (samples, speed) = axes(
        f"European calls on {r.context.get('gpu', 'a GPU')}", "1e9 evaluations a second" + HIGHER, 2)
    for way, line in (("fused", "-"), ("course", ":")):
        for o, colour in zip(found, ("C0", "C1", "C2", "C3", "C4")):
            sizes = r.sizes(f"{EUROPEAN}{o}", "float", way)
            rates = [european(r, o, n, way) for n in sizes]
            if not sizes:
                continue
            label = f"{o} calls, {WAYS[way]}"
            samples.plot([o * n for n in sizes], rates, line, color=colour, marker="o",
                         markersize=3, linewidth=1.3, label=label)
            speed.plot(sizes, [1e9 * x / n for x, n in zip(rates, sizes)], line, color=colour,
                       marker="o", markersize=3, linewidth=1.3, label=label)
    if powers := r.most_powers():
        ceiling(samples, powers, "a power of two an evaluation, 16 a cycle and multiprocessor")
    samples.set_xlabel("options x paths")
    samples.set_ylim(bottom=0)
    speed.set_xlabel("paths an option")
    speed.set_ylabel("options a second" + HIGHER)
    speed.set_yscale("log")
    samples.legend(frameon=False, fontsize=8)
    return save(figure, path)


def monte_carlo_page(r: Results, table, machine, out):
    """The page's text; nothing if there are no such rows. Draws its plot into `out`."""
    operations = sorted({k[:2] for k in r.rows if k[0].startswith("random_")})
    sections = [european_table(r, table), path_table(r, table)]
    newer = [f"## {title}\n\n{content}" for title, content in (
        ("Greeks by likelihood ratios", likelihood_table(r, table)), ("Risk figures", risk_table(r, table))) if content]
    sections += newer + ["## Random numbers\n"] * bool(newer and operations)
    sections += [random_table(r, table, *one) for one in operations]
    if not any(sections):
        return ""
    drawn = plot(r, out / "monte_carlo.svg")
    page = ["# Simulation: results\n", table(["bar", "asked", "measured", "met"], mc_bars(r)),
            "Written by bench/report/report.py from the output of warpfold-bench, measured as on "
            "[the page of reductions](reduction.md).\n", machine,
            f"![{drawn.stem.replace('_', ' ')}]({drawn.name})\n" if drawn else ""]
    return "\n".join(page + [section for section in sections if section])
