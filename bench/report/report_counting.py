"""The page of counting: counters in kernels, counts, histograms, compaction, the ray caster."""

from report_rows import Results, bar, geometric_mean, least, number, ratio, size_name

RATES = [0, 1, 10, 50, 100]
STRATEGIES = ["global", "warp", "block", "any"]
RAYS = [f"{what}_{rays}" for what in ("leaves", "closest", "any")
        for rays in ("coherent", "incoherent")]
ORDER = ["automatic", *STRATEGIES, "known", "plain", "naive", "read"]


def counter_bars(r):
    """Of one counter: automatic against the four, block against what cannot be aggregated."""
    behind = {}
    for hits in RATES:
        operation = f"counter_{hits}"
        for n in r.sizes(operation, "float", "automatic"):
            times = [r.us(operation, "float", how, n) for how in STRATEGIES]
            behind[hits, n] = r.us(operation, "float", "automatic", n) / min(times)
    whole = {hits for hits, _ in behind} == set(RATES)
    worst = max(behind, key=behind.get) if whole else None
    lowest, where = least(r.ratios("counter_100", "float", "naive", "block"))
    return [bar("one counter, hits of 0 to 100 %: automatic's time / the fastest strategy's, most",
                "at most 1.05", behind.get(worst), most=True,
                at=f" ({worst[0]} %, {size_name(worst[1])})" if worst else ""),
            bar("100 % hits: time of atomics that the compiler cannot aggregate / block's, least",
                "at least 4", lowest, 1, f" ({size_name(where)})" if where else "")]


def verb_bars(r):
    rows = []
    for text, operations, twin in (
            ("count_if", ["count_if"], "cub"),
            ("histogram of 16 bins", ["histogram-16-uniform", "histogram-16-equal"], "cub32"),
            ("histogram of 256 bins", ["histogram-256-uniform", "histogram-256-equal"], "cub32"),
            ("compact_if", ["compact_if-1", "compact_if-50", "compact_if-99"], "cub")):
        found = {(o, kind, n): value for o in operations for kind in r.kinds(o)
                 for n, value in r.ratios(o, kind, twin, "fold").items() if n >= 2**20}
        lowest, key = least(found)
        at = f", least {lowest:.3f} ({key[0]}, {key[1]}, {size_name(key[2])})" if key else ""
        sizes = sorted({n for *_, n in found})
        of = f", {', '.join(map(size_name, sizes))}" if sizes else ""
        rows.append(bar(f"{text}{of}: CUB's time / warpfold's, geometric mean",
                        "at least 1.0", geometric_mean(found.values()), at=at))
    return rows


def ray_bars(r):
    found = {rays: value for rays in RAYS
             for value in r.ratios("raycast", rays, "automatic", "none").values()}
    worst = max(found, key=found.get) if len(found) == len(RAYS) else None
    return [bar("ray caster: time with counters / without, most", "at most 1.03",
                found.get(worst), most=True, at=f" ({worst})" if worst else "")]


def counting_bars(r):
    return counter_bars(r) + verb_bars(r) + ray_bars(r)


def strategies_table(r, table, operations):
    methods = [m for m in ORDER if any(k[0] in operations and k[2] == m for k in r.rows)]
    rows = []
    for operation in operations:
        for kind in r.kinds(operation):
            for n in sorted({k[3] for k in r.rows if k[:2] == (operation, kind)}):
                times = [r.us(operation, kind, m, n) for m in methods]
                rows.append([operation.replace("_", " ") + " %", size_name(n)] +
                            [number(t) for t in times])
    return table(["hits", "n", *methods], rows)


def rays_table(r, table):
    methods = ["none", "automatic", "block", "any", "warp", "global"]
    rows = []
    for rays in RAYS:
        for n in r.sizes("raycast", rays, "none"):
            times = [r.us("raycast", rays, m, n) for m in methods]
            speed = f"{n / times[0]:.0f}"
            rows.append([rays.replace("_", ", ")] + [number(t, 1) for t in times] +
                        [speed])
    return table(["us", *methods, "Mrays/s, none"], rows)


def verbs_table(r, table, operations):
    rows = []
    for operation in operations:
        for kind in r.kinds(operation):
            for n in r.sizes(operation, kind, "fold"):
                ours = r.us(operation, kind, "fold", n)
                others = [f"{m} {ratio(t, ours):.3f}" for m in ("cub32", "cub", "thrust", "sum")
                          if (t := r.us(operation, kind, m, n))]
                rows.append([f"{operation}, {kind}", size_name(n), f"{ours:.2f}",
                             ", ".join(others)])
    return table(["", "n", "us", "others' times / ours"], rows)


def counting_page(r: Results, table, machine):
    """The page's text; nothing if there are no such rows."""
    names = sorted({k[0] for k in r.rows})

    def of(start):
        return sorted((name for name in names if name.startswith(start)),
                      key=lambda name: (name.split("_")[:-1], int(name.split("_")[-1])))

    sections = [
        ("One counter", "Counting those of n normal random numbers that are below a bound, in a "
         "kernel. us.", strategies_table(r, table, of("counter_"))),
        ("Several counters, and exact sums", "", strategies_table(r, table, of("counters_") +
                                                                  of("sum_of_floats_"))),
        ("The ray caster", "", rays_table(r, table)),
        ("Counts, histograms, compaction", "`cub32` is CUB with counts of 32 bits.",
         verbs_table(r, table, [name for name in names if name == "count_if" or
                                name.startswith(("histogram-", "compact_if-"))]))]
    found = [f"## {title}\n\n{text}\n\n{content}" for title, text, content in sections if content]
    page = ["# Counting: results\n",
            table(["bar", "asked", "measured", "met"], counting_bars(r)),
            "Written by bench/report/report.py from the output of warpfold-bench, measured as on "
            "[the page of reductions](reduction.md).\n", machine]
    return "\n".join(page + found) if found else ""
