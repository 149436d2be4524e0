"""The page of the sums to trust: exact sums, statistics, extrema, norms, segments, prefix sums."""

from report_rows import (SPLIT, Results, bar, geometric_mean, least, number, order, ratio, size_name,
                         times_table)

LENGTHS = [4, 16, 64, 256, 4096, 2**20]
SEGMENTS = [f"segmented_sum_{length}" for length in LENGTHS] + ["segmented_sum_power_law"]
EXTREMA = ["argmin", "argmax", "minmax"]
SCANNED = "segmented_inclusive_sum_"  # the length of segments follows

SECTIONS = [
    ("Exact sums", ["exact_sum", "exact_sum_wild", "exact_dot", "exact_norm2"],
     "Of normal random numbers; `exact_sum_wild` of numbers of either sign whose exponents are "
     "spread over the type's whole range."),
    ("Sums with a bound", ["compensated_sum"], ""),
    ("Statistics", ["describe"], "All statistics at once; beside them the variance alone."),
    ("Extrema", EXTREMA,
     "`cub_argmin` is cub::DeviceReduce::ArgMin itself, which has no policy for NaN; `cub` follows "
     "warpfold's."),
    ("Products, norms, counts", ["dot", "norm2", "count_if"], ""),
    ("Segments, rows, columns", ["segmented_sum", "row_sums", "column_sums"], ""),
]


def exact_bars(r):
    """Speed of exact sums, of that of the plain sum of the same elements."""
    rows = []
    large = [2**26, 2**28, 2**30]

    def speeds(operation, kinds, sizes):
        found = {(kind, n): ratio(r.us(operation, kind, "sum", n), r.us(operation, kind, "exact", n))
                 for kind in kinds for n in sizes}
        return {} if None in found.values() else found

    def at(key):
        return f" ({key[0]}, {size_name(key[1])})" if key else ""

    value, key = least(speeds("exact_sum", ["float", "double"], large))
    rows.append(bar("exact_sum of float and double, 2^26 to 2^30: sum's time / its own, least",
                    "at least 0.95", value, at=at(key)))
    small = speeds("exact_sum", ["float", "double"], [2**20])
    worst, key = least(small)
    rows.append(bar("exact_sum of 2^20: its time / the sum's, most", "at most 1.6",
                    1 / worst if worst else None, at=at(key), most=True))
    value, key = least(speeds("exact_sum_wild", ["float", "double"], [2**26, 2**28]))
    rows.append(bar("exact_sum of all exponents, 2^26 and 2^28: sum's time / its own, least",
                    "at least 0.5", value, at=at(key)))
    return rows


def describe_bars(r):
    return [bar(f"describe of 2^28 {kind}: sum's time / its own", f"at least {asked}",
                ratio(r.us("describe", kind, "sum", 2**28), r.us("describe", kind, "fold", 2**28)))
            for kind, asked in (("float", "0.9"), ("double", "0.95"))]


def extrema_bars(r):
    found = {}
    for operation in EXTREMA:
        for kind in r.kinds(operation):
            for vendor in ("cub", "cub_argmin"):
                for n, value in r.ratios(operation, kind, vendor, "fold").items():
                    found[operation, kind, vendor, n] = value
    value, key = least(found)
    where = f" ({key[0]}, {key[1]}, {key[2]}, {size_name(key[3])})" if key else ""
    return [bar("argmin, argmax, minmax: CUB's time / the fold's, least", "at least 1.00", value,
                at=where),
            bar("the same, geometric mean", "at least 1.05", geometric_mean(found.values()))]


def segment_bars(r):
    found, speeds = {}, {}
    for operation in SEGMENTS:
        for n, value in r.ratios(operation, "float", "cub", "fold").items():
            found[operation] = value
            if operation in SEGMENTS[1:-1] and "copy" in r.ceilings:
                speeds[operation] = r.gbs(operation, "float", "fold", n) / r.ceilings["copy"]
    whole = len(found) == len(SEGMENTS)
    value, key = least(found)
    slowest, where = least(speeds)
    whole_speeds = len(speeds) == len(SEGMENTS) - 2
    return [bar("segmented sums of 2^28 floats, lengths 4 to 2^20 and a power law: CUB's time / the "
                "fold's, least", "at least 1.00", value if whole else None,
                at=f" ({key})" if key else ""),
            bar("the same, geometric mean", "at least 1.5",
                geometric_mean(found.values()) if whole else None),
            bar("those of lengths from 16 on: bytes read / those of a copy, read + write, least",
                "at least 0.60", slowest if whole_speeds else None,
                at=f" ({where})" if where else "")]


def sums_bars(r):
    return exact_bars(r) + describe_bars(r) + extrema_bars(r) + segment_bars(r)


# Type, log2 of the least and the largest n, and what CUB's time / ours is to be at least.
SCANS = [("float", 12, 25, "1.00"), ("float", 26, 28, "0.97"), ("int32", 12, 28, "1.05"),
         ("double", 12, 22, "1.00"), ("double", 23, 28, "0.92")]


def scan_bars(r):
    """Of the sizes that were measured. None of a run without scans, which older ones are."""
    if not r.kinds("inclusive_sum"):
        return []
    rows = []
    for kind, first, last, asked in SCANS:
        value, n = least({n: found for n, found in r.ratios("inclusive_sum", kind, "cub", "fold").items()
                          if 2**first <= n <= 2**last})
        rows.append(bar(f"prefix sums of {kind}, 2^{first} to 2^{last}: CUB's time / ours, least",
                        f"at least {asked}", value, at=f" ({size_name(n)})" if n else ""))
    return rows + [bar("prefix sums of float, 2^12 to 2^22: CUB's time / ours, geometric mean",
                       "at least 1.3", scan_mean(r, "float"))]


def scan_mean(r, kind):
    """The geometric mean of CUB's time / ours to 2^22."""
    found = r.ratios("inclusive_sum", kind, "cub", "fold")
    return geometric_mean(value for n, value in found.items() if n <= SPLIT)


def scan_table(r, table):
    means = ", ".join(f"{kind} {mean:.3f}" for kind in r.kinds("inclusive_sum") if (mean := scan_mean(r, kind)))
    means = f"CUB / ours, geometric mean to {size_name(SPLIT)}: {means}.\n" if means else ""
    return "\n".join(filter(None, (times_table(r, table, "inclusive_sum", "fold", "cub"), means)))


def host_scan_table(r, table):
    operation, rows = "host/inclusive_sum", []
    for kind, n, threads in sorted({(k[1], k[3], k[4]) for k in r.rows if k[0] == operation}):
        ours, thrust = (r.us(operation, kind, way, n, threads) for way in ("fold", "thrust"))
        rows.append([kind, str(threads), size_name(n), number(ours, 1),
                     number(r.gbs(operation, kind, "fold", n, threads), 1), number(thrust, 1),
                     number(ratio(thrust, ours))])
    return table(["type", "threads", "n", "ours, us", "GB/s", "Thrust on OpenMP, us", "Thrust / ours"], rows)


def segments_table(r, table):
    """Ours by offsets, CUB's by key, and plain sums of as many elements."""
    rows = []
    for operation in sorted({k[0] for k in r.rows if k[0].startswith(SCANNED)},
                            key=lambda name: int(name.removeprefix(SCANNED))):
        for kind in r.kinds(operation):
            for n in r.sizes(operation, kind, "fold"):
                ours, cub, plain = (r.us(operation, kind, way, n) for way in ("fold", "cub_by_key", "plain"))
                rows.append([operation.removeprefix(SCANNED), kind, size_name(n), number(ours),
                             number(r.gbs(operation, kind, "fold", n), 0), number(cub), number(ratio(cub, ours), 3),
                             number(plain), number(ratio(ours, plain), 3)])
    return table(["segments of", "type", "n", "ours, us", "GB/s", "CUB by key, us", "CUB / ours",
                  "plain prefix sums, us", "ours / plain"], rows)


def rows_of(r, operation, kind):
    """One row a size: time and bandwidth of ours, and what the others' times are of it."""
    methods = sorted({k[2] for k in r.rows if k[:2] == (operation, kind)})
    ours = "exact" if "exact" in methods else "fold"
    others = [m for m in methods if m != ours]
    for n in r.sizes(operation, kind, ours):
        mine = r.us(operation, kind, ours, n)
        ratios = [f"{m} {ratio(r.us(operation, kind, m, n), mine):.3f}" for m in others
                  if r.us(operation, kind, m, n)]
        yield [f"{operation}, {kind}", size_name(n), f"{mine:.2f}",
               f"{r.gbs(operation, kind, ours, n):.0f}", ", ".join(ratios)]


def sums_page(r: Results, table, machine):
    """The page's text; nothing if there are no such rows."""
    page = ["# Sums to trust: results\n",
            table(["bar", "asked", "measured", "met"], r.of_interest(sums_bars(r))),
            "Written by bench/report/report.py from the output of warpfold-bench, measured as on "
            "[the page of reductions](reduction.md). The last column has the times of other "
            "methods divided by warpfold's: `sum` is warpfold's plain sum of the same bytes, `cub` "
            "and `thrust` the vendor's for the same task (`thrust` waits for its result).\n", machine]
    found = False
    for title, operations, text in SECTIONS:
        names = sorted({k[0] for k in r.rows if any(k[0] == o or
                        (o in ("segmented_sum", "row_sums", "column_sums") and k[0].startswith(o))
                        for o in operations)}, key=lambda name: (
                            next(i for i, o in enumerate(operations) if name.startswith(o)),
                            len(name), name))
        rows = [row for name in names for kind in sorted({k[1] for k in r.rows if k[0] == name},
                                                         key=order) for row in rows_of(r, name, kind)]
        if rows:
            found = True
            page += [f"## {title}\n", text + "\n" if text else "",
                     table(["", "n", "us", "GB/s", "others' times / ours"], rows)]
    return "\n".join(page) if found else ""


def scan_page(r: Results, table, machine):
    """The page's text; nothing if there are no such rows."""
    page = ["# Prefix sums: results\n", table(["bar", "asked", "measured", "met"], r.of_interest(scan_bars(r))),
            "Written by bench/report/report.py from the output of warpfold-bench: calls one after the other in a "
            "busy stream, on arrays that are not in L2, medians; what is compared takes turns. GB/s are of bytes "
            "read and written.\n", machine]
    sections = [("Against CUB", scan_table(r, table)),
                ("By key, runs of 128", times_table(r, table, "inclusive_sum_by_key", "fold", "cub")),
                ("Segments between offsets", "CUB has no scan of segments: it is given a key for each element.\n\n"
                 + segments if (segments := segments_table(r, table)) else ""),
                ("On the host", "Thrust scans on one thread, whatever their number.\n\n" + host if
                 (host := host_scan_table(r, table)) else "")]
    found = [f"## {title}\n\n{content}" for title, content in sections if content]
    return "\n".join(page + found) if found else ""
